// Runs every shared scene at default settings and prints one line each, "name hash". Builds of the library by
// different compilers, at different optimisation levels and with different numbers of threads must print the
// same lines; tools/check_determinism.sh compares them.
#include "support/scenes.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct hash_options {
    int threads, steps;
} hash_options;

static bool read_positive(const char *text, int *value)
{
    char *end = NULL;
    long number = strtol(text, &end, 10);
    if (end == text || *end != '\0' || number < 1 || number > 1000000) {
        return false;
    }
    *value = (int)number;
    return true;
}

static bool read_options(int count, char **words, hash_options *options)
{
    for (int i = 1; i < count; i += 2) {
        int *value = NULL;
        if (strcmp(words[i], "--threads") == 0) {
            value = &options->threads;
        } else if (strcmp(words[i], "--steps") == 0) {
            value = &options->steps;
        }
        if (value == NULL || i + 1 == count || !read_positive(words[i + 1], value)) {
            return false;
        }
    }
    return true;
}

static sn_status print_hash(const test_scene *scene, const hash_options *options)
{
    sn_world_def def = sn_world_def_default();
    def.threads = options->threads;
    test_scene_run run;
    sn_status status = test_scene_open(scene, &def, &run);
    if (status != SN_OK) {
        return status;
    }
    status = test_scene_step(&run, options->steps);
    if (status == SN_OK) {
        printf("%s %016" PRIx64 "\n", scene->name, sn_world_hash(run.world));
    } else {
        fprintf(stderr, "%s: step %d: %s\n", scene->name, run.steps_done, sn_world_error(run.world));
    }
    test_scene_close(&run);
    return status;
}

int main(int count, char **words)
{
    hash_options options = {.threads = 1, .steps = 1000};
    if (!read_options(count, words, &options)) {
        fprintf(stderr, "usage: %s [--threads N] [--steps N]\n", words[0]);
        return 2;
    }
    for (int i = 0; i < test_scene_count; ++i) {
        if (print_hash(&test_scenes[i], &options) != SN_OK) {
            return 1;
        }
    }
    return 0;
}
