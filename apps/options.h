// Command lines described by tables: one parser and one help text for all subcommands.
//
// Long options as `--name value` or `--name=value`, short ones as `-o value`; `--` ends the options. Every
// mistake is told with the option, the value, what was expected, and the nearest option there is.
#ifndef SINEW_APPS_OPTIONS_H
#define SINEW_APPS_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { OPTION_MAX_TEXTS = 256 };

typedef struct option_texts {
    const char *items[OPTION_MAX_TEXTS];
    int count;
} option_texts;

typedef struct option_size {
    int width, height;
} option_size;

// What an option's value is, and the C type it is read into.
typedef enum option_type {
    OPTION_FLAG,    // bool: set when the option is there; has no value
    OPTION_TEXT,    // const char *
    OPTION_TEXTS,   // option_texts: the option may come again and again
    OPTION_INTEGER, // int within the limits
    OPTION_NUMBER,  // double within the limits; fractions such as 1/60 are fine
    OPTION_SIZE,    // option_size: WIDTHxHEIGHT, both within the limits
    OPTION_CHOICE,  // int: the index of one of the choices
    OPTION_CHOICES  // unsigned: a bit for each of the choices named, which have commas between them
} option_type;

typedef struct option {
    const char *name; // without its dashes; null ends the table
    char letter;      // of the short form; 0 for none
    option_type type;
    size_t offset;              // of its value in the struct the command line is read into
    const char *value;          // the word for the value in the help
    const char *help;           // may have several lines
    double lower, upper;        // limits of numbers, inclusive
    const char *const *choices; // null at the end
} option;

// What a subcommand takes.
typedef struct command_line {
    const char *operands; // as the usage line names them: "SCENE"
    int fewest, most;     // of them
    const option *options;
} command_line;

// Reads the arguments after the first, which is the subcommand's name, into `values`, a struct the table's
// offsets belong to, set to the defaults before. Moves the operands to arguments[1] and up and returns how
// many there are; −1, with a message on stderr, if the line makes no sense.
int options_read(const command_line *line, int count, char **arguments, void *values);

// The list of options for a help text.
void options_print(const option *options, FILE *out);

// The number a text is, all of it: decimal or a fraction of two such. False for anything else, and for what
// is not finite.
bool number_read(const char *text, double *number);

#endif
