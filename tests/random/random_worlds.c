// Makes random worlds, judges them, shrinks those that fail.
//
//   random_worlds [COUNT] [SEED] [FOLDER] [MOST]
//
// The world of a number is the same everywhere: number SEED + i is the i-th. Worlds that fail are shrunk and
// written to FOLDER as scenes, which begin as the world did; changes while running are told on stdout. Each
// is judged in a process of its own, so that a crash is a verdict like any other. With MOST nothing is
// shrunk, and so many worlds may be put back, or gain more than what drives them gives: a ratchet for tests,
// while some do.
#include "random/oracle.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_SECONDS = 300 }; // of a processor

typedef struct outcome {
    verdict verdict;
    double seconds;   // of a processor, without shrinking
    char cause[1024]; // the items that are left
} outcome;

static void describe(const random_world *w, char *text, size_t size)
{
    static const char *const solvers[] = {"velocity", "staggered", "position"};
    size_t used = (size_t)snprintf(text, size, "%s 1/%.0f%s", solvers[w->def.solver],
                                   (double)(1.0f / w->step), w->kind.is_floating ? " floating" : "");
    for (int i = 0; i < w->item_count && used < size; ++i) {
        if (!w->items[i].is_off && (w->items[i].is_built || w->items[i].type == ITEM_CHANGE)) {
            used += (size_t)snprintf(text + used, size - used, "; %d %s", i, w->items[i].what);
        }
    }
}

static void judge_number(uint64_t seed, const char *folder, bool shrink, outcome *out)
{
    random_world *w = malloc(sizeof *w);
    random_world_draw(w, seed);
    out->verdict = oracle_judge(w, folder);
    out->seconds = (double)clock() / CLOCKS_PER_SEC;
    if (out->verdict.type != VERDICT_FINE && shrink) {
        out->verdict = oracle_shrink(w, folder, out->verdict);
        char path[600];
        snprintf(path, sizeof path, "%s/%s-%llu.json", folder, verdict_names[out->verdict.type],
                 (unsigned long long)seed);
        oracle_write_scene(w, path);
    }
    describe(w, out->cause, sizeof out->cause);
    free(w);
}

static outcome judge_apart(uint64_t seed, const char *folder, bool shrink)
{
    outcome out = {.verdict = {.type = VERDICT_CRASHED}};
    int ends[2];
    if (pipe(ends) != 0) {
        return out;
    }
    pid_t child = fork();
    if (child == 0) {
        struct rlimit most = {MOST_SECONDS, MOST_SECONDS};
        setrlimit(RLIMIT_CPU, &most);
        judge_number(seed, folder, shrink, &out);
        ssize_t written = write(ends[1], &out, sizeof out);
        _exit(written == (ssize_t)sizeof out ? 0 : 1);
    }
    close(ends[1]);
    outcome got;
    size_t size = 0;
    for (ssize_t n = 1; n > 0 && size < sizeof got;) {
        n = read(ends[0], (char *)&got + size, sizeof got - size);
        size += n > 0 ? (size_t)n : 0;
    }
    close(ends[0]);
    waitpid(child, NULL, 0);
    return size == sizeof got ? got : out;
}

static void tell(uint64_t seed, const outcome *out)
{
    const verdict *verdict = &out->verdict;
    printf("%llu: %s at step %d, %+.1f %%, %d steps put back: %s\n", (unsigned long long)seed,
           verdict_names[verdict->type], verdict->step, 100.0 * verdict->size, verdict->put_back_steps,
           out->cause);
    fflush(stdout);
}

typedef struct tally {
    int counts[VERDICT_TYPES];
    double seconds, longest; // of a processor: all worlds, the slowest
    uint64_t slowest;
} tally;

static void tally_add(tally *tally, uint64_t seed, const outcome *out)
{
    ++tally->counts[out->verdict.type];
    tally->seconds += out->seconds;
    if (out->seconds > tally->longest) {
        tally->longest = out->seconds;
        tally->slowest = seed;
    }
}

static void tally_tell(const tally *tally, int worlds, uint64_t seed)
{
    printf("%d worlds from seed %llu:", worlds, (unsigned long long)seed);
    for (int i = 0; i < VERDICT_TYPES; ++i) {
        printf(" %d %s%s", tally->counts[i], verdict_names[i], i + 1 < VERDICT_TYPES ? "," : "\n");
    }
    printf("%.0f s of a processor; the slowest, %llu, %.1f s\n", tally->seconds,
           (unsigned long long)tally->slowest, tally->longest);
}

int main(int count, char **arguments)
{
    int worlds = count > 1 ? atoi(arguments[1]) : 100;
    uint64_t seed = count > 2 ? strtoull(arguments[2], NULL, 10) : 1;
    const char *folder = count > 3 ? arguments[3] : "/tmp/sinew_random";
    int most = count > 4 ? atoi(arguments[4]) : 0;
    bool shrink = count <= 4;
    tally tally = {0};
    mkdir(folder, 0777);
    for (int i = 0; i < worlds; ++i) {
        outcome out = judge_apart(seed + (uint64_t)i, folder, shrink);
        tally_add(&tally, seed + (uint64_t)i, &out);
        if (out.verdict.type != VERDICT_FINE) {
            tell(seed + (uint64_t)i, &out);
        }
    }
    tally_tell(&tally, worlds, seed);
    int unstable = tally.counts[VERDICT_PUT_BACK] + tally.counts[VERDICT_DRIVEN];
    return tally.counts[VERDICT_FINE] + unstable == worlds && unstable <= most ? 0 : 1;
}
