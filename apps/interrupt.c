// Signal handlers know nothing but globals: the only mutable ones of the command.
#include "apps/interrupt.h"

#include "apps/command.h"

#include <signal.h>
#include <stddef.h>

static const int watched[] = {SIGINT, SIGTERM, SIGHUP};
enum { WATCHED_COUNT = sizeof watched / sizeof watched[0] };

static volatile sig_atomic_t came;
static struct sigaction before[WATCHED_COUNT];

static void note(int number)
{
    came = number;
}

void interrupt_watch(void)
{
    struct sigaction action = {.sa_handler = note, .sa_flags = SA_RESTART | (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    came = 0;
    for (int i = 0; i < WATCHED_COUNT; ++i) {
        sigaction(watched[i], &action, &before[i]);
        if (before[i].sa_handler == SIG_IGN) { // as nohup wants it
            sigaction(watched[i], &before[i], NULL);
        }
    }
}

bool interrupt_came(void)
{
    return came != 0;
}

int interrupt_code(void)
{
    return came == SIGINT ? EXIT_INTERRUPTED : 128 + came;
}

void interrupt_hide(bool hide)
{
    sigset_t signals;
    sigemptyset(&signals);
    for (int i = 0; i < WATCHED_COUNT; ++i) {
        sigaddset(&signals, watched[i]);
    }
    sigprocmask(hide ? SIG_BLOCK : SIG_UNBLOCK, &signals, NULL); // a mask is inherited, a handler is not
}

void interrupt_end(void)
{
    for (int i = 0; i < WATCHED_COUNT; ++i) {
        sigaction(watched[i], &before[i], NULL);
    }
}
