// Messages that begin with file:line:column, shown with the line they speak of and a mark under the column.
#ifndef SINEW_APPS_EXCERPT_H
#define SINEW_APPS_EXCERPT_H

#include "apps/terminal.h"

// Prints messages, one a line. Those that name no place, or one that cannot be read, stand alone.
void excerpt_print(const terminal *terminal, const char *messages);

#endif
