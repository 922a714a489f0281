// Signal handlers know nothing but globals: the only mutable one of the command.
#include "apps/interrupt.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t came;
static struct sigaction before;

static void note(int number)
{
    (void)number;
    came = 1;
}

void interrupt_watch(void)
{
    struct sigaction action = {.sa_handler = note, .sa_flags = SA_RESTART | (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    came = 0;
    sigaction(SIGINT, &action, &before);
}

bool interrupt_came(void)
{
    return came != 0;
}

void interrupt_hide(bool hide)
{
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigprocmask(hide ? SIG_BLOCK : SIG_UNBLOCK, &signals, NULL); // a mask is inherited, a handler is not
}

void interrupt_end(void)
{
    sigaction(SIGINT, &before, NULL);
}
