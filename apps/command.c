// Dispatch: finds the subcommand, answers --help and --version, and says so when output could not be
// written. What a subcommand does is in its own file.
#include "apps/command.h"

#include "apps/terminal.h"
#include "scene/suggest.h"
#include "sinew/base.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const command *const commands[] = {&command_run,    &command_render,  &command_check,
                                          &command_info,   &command_convert, &command_plot,
                                          &command_schema, &command_view,    &command_figures};
enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

static void say(const char *name, terminal_style style, const char *kind, const char *format,
                va_list arguments)
{
    terminal terminal = terminal_of(stderr);
    fprintf(stderr, "%ssinew%s%s:%s %s", terminal_code(&terminal, style), name != NULL ? " " : "",
            name != NULL ? name : "", terminal_code(&terminal, STYLE_PLAIN), kind);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
}

int command_fail(const char *name, int code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(name, STYLE_RED, "", format, arguments);
    va_end(arguments);
    return code;
}

void command_note(const char *name, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(name, STYLE_YELLOW, "note: ", format, arguments);
    va_end(arguments);
}

// --- help --------------------------------------------------------------------------------------------------

static void print_overview(FILE *out)
{
    fputs("usage: sinew COMMAND [arguments]\n"
          "\n"
          "Simulates rigid and deformable bodies (cloth, ropes, jelly) held together by constraints, from\n"
          "scene files.\n"
          "\n"
          "commands:\n",
          out);
    for (int i = 0; i < COMMAND_COUNT; ++i) {
        fprintf(out, "  %-9s %s\n", commands[i]->name, commands[i]->summary);
    }
    fputs("\n"
          "examples:\n"
          "  sinew run scenes/tower.json                      # simulate, then report\n"
          "  sinew render scenes/tower.json -o tower.png      # a picture of the start\n"
          "  sinew run --help                                 # all about one command\n"
          "\n"
          "Exit codes: 0 all is well, 1 the work could not be done, 2 the command line makes no sense,\n"
          "130 ended by Ctrl-C (143 by SIGTERM). NO_COLOR=1 turns colours off; there are none, and no "
          "progress bars, in\n"
          "files and pipes.\n",
          out);
}

static void print_help(const command *command, FILE *out)
{
    if (command->line.operands != NULL) {
        fprintf(out, "usage: sinew %s%s%s%s\n\n", command->name, command->line.operands[0] != '\0' ? " " : "",
                command->line.operands, command->line.options != NULL ? " [options]" : "");
    }
    fputs(command->help, out);
    if (command->line.options != NULL) {
        fputs("\noptions:\n", out);
        options_print(command->line.options, out);
    }
    if (command->examples != NULL) {
        fprintf(out, "\nexamples:\n%s", command->examples);
    }
}

static bool asks_for_help(int count, char **arguments)
{
    for (int i = 1; i < count && strcmp(arguments[i], "--") != 0; ++i) {
        if (strcmp(arguments[i], "--help") == 0 || strcmp(arguments[i], "-h") == 0) {
            return true;
        }
    }
    return false;
}

// --- dispatch ----------------------------------------------------------------------------------------------

static const command *find_command(const char *name)
{
    for (int i = 0; i < COMMAND_COUNT; ++i) {
        if (strcmp(commands[i]->name, name) == 0) {
            return commands[i];
        }
    }
    return NULL;
}

static int fail_unknown(const char *name)
{
    const char *names[COMMAND_COUNT];
    for (int i = 0; i < COMMAND_COUNT; ++i) {
        names[i] = commands[i]->name;
    }
    const char *nearest = sn_suggest(name, names, COMMAND_COUNT);
    if (nearest != NULL) {
        return command_fail(NULL, EXIT_USAGE, "'%s' is no command, did you mean `sinew %s`?", name, nearest);
    }
    return command_fail(NULL, EXIT_USAGE, "'%s' is no command; `sinew --help` lists them", name);
}

static int dispatch(int count, char **arguments)
{
    if (count < 2) {
        print_overview(stderr);
        return EXIT_USAGE;
    }
    const char *name = arguments[1];
    if (strcmp(name, "--version") == 0) {
        printf("sinew %s\n", sn_version());
        return EXIT_FINE;
    }
    bool help = strcmp(name, "help") == 0;
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || (help && count == 2)) {
        print_overview(stdout);
        return EXIT_FINE;
    }
    const command *command = find_command(help ? arguments[2] : name);
    if (command == NULL) {
        return fail_unknown(help ? arguments[2] : name);
    }
    if (help || asks_for_help(count - 1, arguments + 1)) {
        print_help(command, stdout);
        return EXIT_FINE;
    }
    return command->run(count - 1, arguments + 1);
}

int command_main(int count, char **arguments)
{
    signal(SIGXFSZ, SIG_IGN); // a file that may not grow is an error to be told, not a reason to die
    int code = dispatch(count, arguments);
    // A full disk or a closed pipe must not pass for success.
    if ((fflush(stdout) != 0 || ferror(stdout) != 0) && code == EXIT_FINE) {
        return command_fail(NULL, EXIT_FAILED, "the output could not be written: %s", strerror(errno));
    }
    return code;
}
