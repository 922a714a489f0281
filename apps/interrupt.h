// Ctrl-C during long work: it is noted, the work ends at the next step and completes its files. A second
// Ctrl-C ends the program at once, as it always would.
#ifndef SINEW_APPS_INTERRUPT_H
#define SINEW_APPS_INTERRUPT_H

#include <stdbool.h>

void interrupt_watch(void);
bool interrupt_came(void);
// Back to what Ctrl-C did before.
void interrupt_end(void);

#endif
