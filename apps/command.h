// The `sinew` command: its subcommands and what they share.
#ifndef SINEW_APPS_COMMAND_H
#define SINEW_APPS_COMMAND_H

#include <stdbool.h>

// Exit codes, the same for all subcommands.
enum {
    EXIT_FINE = 0,
    EXIT_FAILED = 1, // the work could not be done: a bad scene, a file that cannot be written, …
    EXIT_USAGE = 2   // the command line makes no sense
};

// A subcommand: one file, one entry in the table of command.c.
typedef struct command {
    const char *name;
    const char *summary; // one line for `sinew --help`
    const char *help;    // for `sinew NAME --help`: usage, options, and examples that work when typed
    int (*run)(int count, char **arguments); // arguments[0] is the subcommand's name
} command;

extern const command command_run, command_render, command_check, command_info, command_convert, command_plot,
    command_schema;

// Runs `sinew` with these arguments (arguments[0] is the program) and returns the exit code.
int command_main(int count, char **arguments);

#endif
