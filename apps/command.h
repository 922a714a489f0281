// The `sinew` command: its subcommands and what they share.
#ifndef SINEW_APPS_COMMAND_H
#define SINEW_APPS_COMMAND_H

#include "apps/options.h"

#include <stdbool.h>

// Exit codes, the same for all subcommands.
enum {
    EXIT_FINE = 0,
    EXIT_FAILED = 1,       // the work could not be done: a bad scene, a file that cannot be written, …
    EXIT_USAGE = 2,        // the command line makes no sense
    EXIT_INTERRUPTED = 130 // ended by Ctrl-C; what was written until then is complete
};

// A subcommand: one file, one entry in the table of command.c.
typedef struct command {
    const char *name;
    const char *summary;                     // one line for `sinew --help`
    const char *help;                        // for `sinew NAME --help`: what it does and how to use it
    int (*run)(int count, char **arguments); // arguments[0] is the subcommand's name
    command_line line;    // usage line and option list of the help are made from it; zero: `help` holds all
    const char *examples; // at the end of the help: lines that work when typed in the project's folder
} command;

extern const command command_run, command_render, command_check, command_info, command_convert, command_plot,
    command_schema, command_view, command_figures;

// Runs `sinew` with these arguments (arguments[0] is the program) and returns the exit code.
int command_main(int count, char **arguments);

// Says on stderr what went wrong, as "sinew NAME: …", and returns the code. A null name is `sinew` itself.
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
int command_fail(const char *name, int code, const char *format, ...);

// Says on stderr what the user should know though all is well: "sinew NAME: note: …".
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void command_note(const char *name, const char *format, ...);

#endif
