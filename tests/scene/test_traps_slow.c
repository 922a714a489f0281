// Every scene of the project runs with traps for invalid operations, divisions by zero and overflow: what the
// library computes on purpose is finite, in lanes without work too.
#define _GNU_SOURCE
#include "sinew_scene/scene.h"

#include <dirent.h>
#include <fenv.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

enum { STEPS = 10, TRAPS = FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW };

static int run_scene(const char *path)
{
    sn_scene *scene = NULL;
    if (sn_scene_load(path, NULL, &scene) != SN_OK) {
        return 1;
    }
    feclearexcept(FE_ALL_EXCEPT);
    feenableexcept(TRAPS);
    sn_status status = SN_OK;
    for (int i = 0; i < STEPS && status == SN_OK; ++i) {
        status = sn_scene_step(scene, sn_scene_step_length(scene));
    }
    fedisableexcept(TRAPS);
    sn_scene_destroy(scene);
    return status != SN_OK;
}

// A trap ends a process.
static bool runs_without_trap(const char *path)
{
    pid_t child = fork();
    if (child == 0) {
        _exit(run_scene(path));
    }
    int status = 0;
    waitpid(child, &status, 0);
    return status == 0;
}

static void test_scenes_trap_nothing(void **state)
{
    (void)state;
    int trapped = 0, count = 0;
    DIR *folder = opendir(SOURCE_FOLDER "/scenes");
    assert_non_null(folder);
    for (struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        char path[512];
        const char *end = strrchr(entry->d_name, '.');
        if (end == NULL || strcmp(end, ".json") != 0) {
            continue;
        }
        assert_true(snprintf(path, sizeof path, SOURCE_FOLDER "/scenes/%s", entry->d_name) <
                    (int)sizeof path);
        ++count;
        if (!runs_without_trap(path)) {
            print_error("%s trapped\n", entry->d_name);
            ++trapped;
        }
    }
    closedir(folder);
    assert_true(count > 40);
    assert_int_equal(trapped, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_scenes_trap_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
