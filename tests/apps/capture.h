// Runs the `sinew` command inside the test, or as a process of its own, and keeps what it printed. Folders
// for files that tests make.
#ifndef TESTS_APPS_CAPTURE_H
#define TESTS_APPS_CAPTURE_H

#include "apps/command.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct captured {
    int code;
    char *out, *err;
} captured;

static inline void captured_release(captured *c)
{
    free(c->out);
    free(c->err);
    c->out = c->err = NULL;
}

static inline char *capture_read(FILE *file)
{
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char *text = malloc((size_t)size + 1);
    size_t got = fread(text, 1, (size_t)size, file);
    text[got] = '\0';
    return text;
}

enum { CAPTURE_MAX_ARGUMENTS = 64 };

// `line` is split at spaces; "" in it cannot be said. "%s" is replaced by `folder` where it stands.
static inline int capture_split(const char *line, const char *folder, char *buffer, size_t size,
                                char *arguments[CAPTURE_MAX_ARGUMENTS])
{
    size_t used = 0;
    for (const char *c = line; *c != '\0' && used + 1 < size;) {
        if (c[0] == '%' && c[1] == 's') {
            used += (size_t)snprintf(buffer + used, size - used, "%s", folder);
            c += 2;
        } else {
            buffer[used++] = *c++;
        }
    }
    buffer[used] = '\0';
    int count = 0;
    arguments[count++] = (char *)"sinew";
    for (char *word = strtok(buffer, " "); word != NULL && count + 1 < CAPTURE_MAX_ARGUMENTS;
         word = strtok(NULL, " ")) {
        arguments[count++] = word;
    }
    arguments[count] = NULL;
    return count;
}

// Runs `sinew LINE` in this process.
static inline captured capture(const char *line, const char *folder)
{
    char buffer[8192];
    char *arguments[CAPTURE_MAX_ARGUMENTS];
    int count = capture_split(line, folder, buffer, sizeof buffer, arguments);
    FILE *out = tmpfile(), *err = tmpfile();
    fflush(stdout);
    fflush(stderr);
    int old_out = dup(STDOUT_FILENO), old_err = dup(STDERR_FILENO);
    dup2(fileno(out), STDOUT_FILENO);
    dup2(fileno(err), STDERR_FILENO);
    captured c;
    c.code = command_main(count, arguments);
    fflush(stdout);
    fflush(stderr);
    dup2(old_out, STDOUT_FILENO);
    dup2(old_err, STDERR_FILENO);
    close(old_out);
    close(old_err);
    c.out = capture_read(out);
    c.err = capture_read(err);
    fclose(out);
    fclose(err);
    return c;
}

// Starts `sinew LINE` as a process with these files as stdout and stderr.
static inline pid_t capture_start(const char *line, const char *folder, int out, int err)
{
    char buffer[8192];
    char *arguments[CAPTURE_MAX_ARGUMENTS];
    capture_split(line, folder, buffer, sizeof buffer, arguments);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        setpgid(0, 0); // so that a signal can go to it and all it starts, as Ctrl-C does
        dup2(out, STDOUT_FILENO);
        dup2(err, STDERR_FILENO);
        execv(BUILD_FOLDER "/apps/sinew", arguments);
        _exit(127);
    }
    return child;
}

// Exit code of the process, 1000 + signal if one ended it.
static inline int capture_wait(pid_t child)
{
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

// A fresh folder; capture_remove takes it away with all in it.
static inline char *capture_folder(void)
{
    char *folder = strdup("/tmp/sinew_test_XXXXXX");
    return mkdtemp(folder);
}

static inline void capture_remove(char *folder)
{
    DIR *directory = opendir(folder);
    struct dirent *entry;
    char path[4096];
    while (directory != NULL && (entry = readdir(directory)) != NULL) {
        struct stat status;
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) {
            continue;
        }
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (lstat(path, &status) == 0 && S_ISDIR(status.st_mode)) {
            capture_remove(strdup(path));
        } else {
            unlink(path);
        }
    }
    if (directory != NULL) {
        closedir(directory);
    }
    rmdir(folder);
    free(folder);
}

static inline void capture_file(const char *folder, const char *name, const char *text)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    fputs(text, file);
    fclose(file);
}

static inline bool capture_exists(const char *folder, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return access(path, F_OK) == 0;
}

static inline bool capture_says(const char *text, const char *part)
{
    bool said = strstr(text, part) != NULL;
    if (!said) {
        fprintf(stderr, "expected \"%s\" in:\n%s\n", part, text);
    }
    return said;
}

#define assert_says(text, part) assert_true(capture_says((text), (part)))

// A command line that must fail with a message that has all these words in it (separated by '|').
typedef struct bad_line {
    const char *line;
    int code;
    const char *words;
} bad_line;

// Runs each and returns how many did not fail as they should, having said which.
static inline int capture_bad_lines(const bad_line *lines, int count, const char *folder)
{
    int wrong = 0;
    for (int i = 0; i < count; ++i) {
        captured c = capture(lines[i].line, folder);
        char words[512];
        bool fine = c.code == lines[i].code && c.out[0] == '\0' && c.err[0] != '\0';
        snprintf(words, sizeof words, "%s", lines[i].words);
        for (char *word = strtok(words, "|"); word != NULL; word = strtok(NULL, "|")) {
            fine = fine && strstr(c.err, word) != NULL;
        }
        if (!fine) {
            fprintf(stderr, "`sinew %s`: code %d, stdout \"%s\", stderr \"%s\"\n  expected code %d and %s\n",
                    lines[i].line, c.code, c.out, c.err, lines[i].code, lines[i].words);
            ++wrong;
        }
        captured_release(&c);
    }
    return wrong;
}

#define assert_bad_lines(lines, folder)                                                                      \
    assert_int_equal(capture_bad_lines((lines), (int)(sizeof(lines) / sizeof((lines)[0])), (folder)), 0)

#endif
