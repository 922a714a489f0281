// Runs that are killed, ended or find no room on the disk, at random moments: what they were to replace is
// what it was or is replaced by something whole. SINEW_MOMENTS says how many; `make survive` asks for a
// thousand.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "apps/capture.h"
#include "apps/scene_files.h"
#include "sinew_scene/scene.h"
#include "support/random.h"

#include <signal.h>
#include <sys/resource.h>
#include <time.h>

static const char *const lines[] = {
    "run %s/stack.json --seconds 4 --trace %s/out.csv --save %s/out.json",
    "run %s/stack.json --seconds 2 --save %s/out.state",
    "run %s/stack.json --seconds 2 --out %s --format obj --trace %s/out.csv",
    "run %s/stack.json --seconds 2 --out %s --format gltf",
    "convert %s/stack.json %s/out.state",
    "convert %s/big.state %s/out.json",
};
enum { LINE_COUNT = sizeof lines / sizeof lines[0] };

// --- whether a file is whole -------------------------------------------------------------------------------

static char *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return NULL;
    }
    char *text = capture_read(file);
    *size = (size_t)ftell(file);
    fclose(file);
    return text;
}

// Every row of a table has as many commas as the first, and the last one ends.
static bool table_is_whole(const char *text, size_t size)
{
    int commas = 0, first = -1;
    bool equal = size > 0 && text[size - 1] == '\n';
    for (size_t i = 0; i < size; ++i) {
        commas += text[i] == ',';
        if (text[i] == '\n') {
            first = first < 0 ? commas : first;
            equal = equal && commas == first;
            commas = 0;
        }
    }
    return equal;
}

static bool is_whole(const char *path)
{
    size_t size = 0;
    char *text = read_file(path, &size);
    const char *ending = strrchr(path, '.');
    bool whole = true;
    if (strcmp(ending, ".csv") == 0) {
        whole = table_is_whole(text, size);
    } else if (strcmp(ending, ".glb") == 0) {
        uint32_t length = 0;
        memcpy(&length, text + 8, size >= 12 ? 4 : 0);
        whole = size >= 12 && length == size;
    } else if (strcmp(ending, ".obj") == 0 || strcmp(ending, ".mtl") == 0) {
        whole = size > 0 && text[size - 1] == '\n';
    } else {
        sn_scene *scene = NULL;
        whole = sn_scene_load(path, NULL, &scene) == SN_OK;
        sn_scene_destroy(scene);
    }
    free(text);
    return whole;
}

// --- one moment --------------------------------------------------------------------------------------------

// How many files of the folder are not whole; files left unfinished are counted where they may not be.
static int count_broken(const char *folder, bool may_be_unfinished)
{
    static const char unfinished[] = ".sinew-unfinished-";
    DIR *directory = opendir(folder);
    int broken = 0;
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        char path[4400];
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (strncmp(entry->d_name, unfinished, sizeof unfinished - 1) == 0) {
            broken += !may_be_unfinished;
            unlink(path);
        } else if ((strncmp(entry->d_name, "out.", 4) == 0 || strstr(entry->d_name, ".obj") != NULL ||
                    strstr(entry->d_name, ".glb") != NULL) &&
                   !is_whole(path)) {
            fprintf(stderr, "%s is not whole\n", entry->d_name);
            ++broken;
        }
    }
    closedir(directory);
    return broken;
}

static int expect_exit(int code, int ended_by)
{
    bool right = code == EXIT_FINE || code == 1000 + ended_by || code == 128 + ended_by;
    if (!right) {
        fprintf(stderr, "exit code %d after signal %d\n", code, ended_by);
    }
    return right ? 0 : 1;
}

static int end_at_a_random_moment(const char *line, const char *folder, int out, test_random *random)
{
    static const int signals[] = {SIGTERM, SIGINT, SIGKILL};
    int number = signals[test_random_u32(random) % 3];
    pid_t child = capture_start(line, folder, out, out);
    nanosleep(&(struct timespec){.tv_nsec = (long)(test_random_u32(random) % 120000) * 1000}, NULL);
    kill(-child, number);
    int code = capture_wait(child);
    // Before it watches for signals and after it has stopped to, a program dies of them at once.
    return expect_exit(code, number) + count_broken(folder, code == 1000 + number);
}

static int run_out_of_room(const char *line, const char *folder, int out, test_random *random)
{
    struct rlimit before, small;
    getrlimit(RLIMIT_FSIZE, &before);
    small = (struct rlimit){test_random_u32(random) % 40000, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    pid_t child = capture_start(line, folder, out, out);
    setrlimit(RLIMIT_FSIZE, &before);
    int code = capture_wait(child);
    if (code != EXIT_FINE && code != EXIT_FAILED) {
        fprintf(stderr, "exit code %d without room\n", code);
    }
    return (code != EXIT_FINE && code != EXIT_FAILED) + count_broken(folder, false);
}

static void test_files_survive_every_moment(void **state)
{
    const char *folder = *state;
    const char *wanted = getenv("SINEW_MOMENTS");
    int count = wanted != NULL ? atoi(wanted) : 48;
    captured made = capture("run %s/stack.json --seconds 1 --save %s/big.state", folder);
    assert_int_equal(made.code, EXIT_FINE);
    captured_release(&made);
    for (int i = 0; i < LINE_COUNT; ++i) { // something to be replaced
        captured c = capture(lines[i], folder);
        assert_int_equal(c.code, EXIT_FINE);
        captured_release(&c);
    }
    FILE *out = tmpfile();
    test_random random = {20};
    int broken = 0;
    for (int i = 0; i < count; ++i) {
        const char *line = lines[i % LINE_COUNT];
        broken += i % 4 == 3 ? run_out_of_room(line, folder, fileno(out), &random)
                             : end_at_a_random_moment(line, folder, fileno(out), &random);
    }
    fclose(out);
    printf("%d moments\n", count);
    assert_int_equal(broken, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_files_survive_every_moment),
    };
    return cmocka_run_group_tests(tests, make_scene_folder, remove_scene_folder);
}
