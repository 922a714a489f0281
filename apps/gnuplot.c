// Running gnuplot: a process of its own, without a shell. Script and complaints are files, not pipes, so that
// neither side can wait for the other.
#include "apps/gnuplot.h"

#include "scene/message.h"

#include <errno.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static bool fail(const char *what, int error)
{
    sn_scene_fail(SN_ERROR_FILE, "gnuplot: %s: %s", what, strerror(error));
    return false;
}

// Starts gnuplot with `input` as its standard input and all it says going to `words`. An errno.
static int start(FILE *input, FILE *words, pid_t *process)
{
    char name[] = "gnuplot", defaults[] = "-d", standard_input[] = "-";
    char *arguments[] = {name, defaults, standard_input, NULL}; // -d: no start-up files
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);
    if (error != 0) {
        return error;
    }
    error = posix_spawn_file_actions_adddup2(&actions, fileno(input), STDIN_FILENO);
    error = error != 0 ? error : posix_spawn_file_actions_adddup2(&actions, fileno(words), STDOUT_FILENO);
    error = error != 0 ? error : posix_spawn_file_actions_adddup2(&actions, fileno(words), STDERR_FILENO);
    error = error != 0 ? error : posix_spawnp(process, name, &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

// The end of what gnuplot said, which is what went wrong.
static void complain(FILE *words)
{
    char text[2048] = "";
    long size = fseek(words, 0, SEEK_END) == 0 ? ftell(words) : 0;
    long skipped = size > (long)sizeof text - 1 ? size - ((long)sizeof text - 1) : 0;
    if (size > 0 && fseek(words, skipped, SEEK_SET) == 0) {
        text[fread(text, 1, sizeof text - 1, words)] = '\0';
    }
    size_t length = strlen(text);
    while (length > 0 && text[length - 1] == '\n') {
        text[--length] = '\0';
    }
    sn_scene_fail(SN_ERROR_FILE, "gnuplot failed:\n%s", length > 0 ? text : "it gave no reason");
}

static bool run(FILE *script, FILE *words)
{
    pid_t process;
    int error = start(script, words, &process);
    if (error == ENOENT) {
        sn_scene_fail(SN_ERROR_FILE,
                      "gnuplot is not installed. Install it with `apt install gnuplot-nox` (Debian, "
                      "Ubuntu), `dnf install gnuplot` (Fedora) or `brew install gnuplot` (macOS)");
        return false;
    }
    if (error != 0) {
        return fail("cannot be started", error);
    }
    int status;
    while (waitpid(process, &status, 0) < 0) {
        if (errno != EINTR) {
            return fail("cannot be waited for", errno);
        }
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        complain(words);
        return false;
    }
    return true;
}

bool gnuplot_run(FILE *script)
{
    if (fflush(script) != 0 || ferror(script) != 0 || fseek(script, 0, SEEK_SET) != 0) {
        return fail("the script cannot be written", errno);
    }
    FILE *words = tmpfile();
    if (words == NULL) {
        return fail("no temporary file", errno);
    }
    bool fine = run(script, words);
    fclose(words);
    return fine;
}
