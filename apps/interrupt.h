// Ctrl-C, SIGTERM and SIGHUP during long work: they are noted, the work ends at the next step and completes
// its files. The same signal a second time ends the program at once, as it always would.
#ifndef SINEW_APPS_INTERRUPT_H
#define SINEW_APPS_INTERRUPT_H

#include <stdbool.h>

void interrupt_watch(void);
bool interrupt_came(void);
// The exit code of a program that ended because of it.
int interrupt_code(void);
// Programs started while this is on do not see Ctrl-C, which goes to all programs of a terminal: they are to
// end when their work does. One that comes meanwhile is noted when it is off again.
void interrupt_hide(bool hide);
// Back to what Ctrl-C did before.
void interrupt_end(void);

#endif
