// Running a world and judging it.
#include "random/oracle.h"

#include "random/watch.h"
#include "scene/scene_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const verdict_names[VERDICT_TYPES] = {"fine",     "crashed", "refused",  "frozen",  "energy",
                                                  "momentum", "threads", "snapshot", "file",    "memory",
                                                  "crossed",  "churned", "driven",   "put back"};

#define GAIN_ALLOWED 0.02
// What motors, wind and moving bodies may give: they are slower than this, and so is what begins to move.
// Exact anchors that are not met at first pull faster [m/s].
#define DRIVEN_SPEED 100.0
// What a turning body flings out grows without bounds: beyond this nobody looks at it [m/s].
#define FLUNG_SPEED   1000.0
#define DRIFT_ALLOWED 0.001
// [m]
#define APART 1e-3
// Hashes are compared every so many steps.
#define HASH_STEPS 10
// Worlds of tiny bodies take up to 160 sub-steps a step: they end when they had so many, 40 a step if there
// are 300. Runs that are compared with the first one are shorter.
#define MOST_SUB_STEPS 12000
#define MOST_COMPARED  120
// Of a world that is left to choose.
#define FEWEST_SUB_STEPS 8

// --- energy and momentum -----------------------------------------------------------------------------------

// Springs, elements and joints are at rest at the start: whatever they store later comes out of the kinetic
// and potential energy, which therefore never exceeds what there was.
typedef struct ledger {
    double bound; // [J]
    double scale; // what there was, as the measure of gains [J]
    double driven_speed, flung_speed;
    bool is_unknown;
    bool keeps_momentum;
    double momentum[3], momentum_scale;
    bool waits[MAX_ITEMS]; // joints that did not act in the last step
    double slept;          // momentum that what fell asleep may have had [kg m/s]
} ledger;

static double visible_energy(const sn_world *world)
{
    sn_energy energy = sn_world_energy(world);
    return energy.kinetic + energy.potential;
}

// Exact anchors that begin away from their place strain what they hold in the first step. By how much they
// are off at most [m].
static double apart_by(const sn_world *world)
{
    sn_anchor anchors[MAX_ITEMS];
    int count = sn_world_anchors(world, anchors, MAX_ITEMS);
    double most = 0.0;
    for (int i = 0; i < count && i < MAX_ITEMS; ++i) {
        most = fmax(most, (double)sn_anchor_error(world, anchors[i]));
    }
    return most;
}

// A joint to a moving body that turns may let go along its axis: what slides there is flung out, ever faster.
// The speed that it gets where things are now [m/s].
static double flung_speed(const random_world *w)
{
    double most = 0.0;
    for (int i = 0; i < w->item_count; ++i) {
        const item *hub = &w->items[i];
        bool turns = hub->type == ITEM_BODY && hub->is_built && sn_rigid_is_valid(w->world, hub->rigid) &&
                     sn_rigid_get_type(w->world, hub->rigid) == SN_KINEMATIC;
        for (int k = 0; k < w->item_count && turns; ++k) {
            const item *one = &w->items[k];
            if (one->type == ITEM_BODY && one->is_built && sn_rigid_is_valid(w->world, one->rigid)) {
                double reach = (double)sn_distance_between(sn_rigid_center(w->world, hub->rigid),
                                                           sn_rigid_center(w->world, one->rigid));
                most = fmax(most, reach * (double)sn_length(sn_rigid_angular_velocity(w->world, hub->rigid)));
            }
        }
    }
    return most;
}

static bool has_joints(const random_world *w)
{
    bool any = false;
    for (int i = 0; i < w->item_count; ++i) {
        any = any || (w->items[i].type == ITEM_JOINT && w->items[i].is_built);
    }
    return any;
}

static ledger ledger_begin(const random_world *w)
{
    sn_energy energy = sn_world_energy(w->world);
    ledger ledger = {.bound = energy.kinetic + energy.potential, .is_unknown = w->kind.is_driven};
    ledger.scale = energy.kinetic + fabs(energy.potential) + 1e-3 * energy.mass + 1e-12;
    ledger.driven_speed = fmax(DRIVEN_SPEED, apart_by(w->world) / (double)w->step);
    ledger.keeps_momentum = w->kind.is_floating;
    memcpy(ledger.momentum, energy.momentum, sizeof ledger.momentum);
    ledger.momentum_scale = sqrt(2.0 * energy.mass * energy.kinetic) + 1e-3 * energy.mass + 1e-12;
    return ledger;
}

// What deformables and anchors that yield store.
static double strain_energy(const sn_world *world)
{
    sn_deformable softs[MAX_ITEMS];
    sn_anchor anchors[MAX_ITEMS];
    int soft_count = sn_world_deformables(world, softs, MAX_ITEMS);
    int anchor_count = sn_world_anchors(world, anchors, MAX_ITEMS);
    double sum = 0.0;
    for (int i = 0; i < soft_count && i < MAX_ITEMS; ++i) {
        sum += (double)sn_deformable_measure_now(world, softs[i]).elastic_energy;
    }
    for (int i = 0; i < anchor_count && i < MAX_ITEMS; ++i) {
        double compliance = (double)sn_anchor_definition(world, anchors[i]).compliance;
        double error = (double)sn_anchor_error(world, anchors[i]);
        sum += compliance > 0.0 ? 0.5 * error * error / compliance : 0.0;
    }
    return sum;
}

// What anchors that were apart by so much have given in the first step: strain, and motion that strain has
// become since, up to that of everything with twice the speed of the jump.
static void ledger_strain(ledger *ledger, const random_world *w, double apart)
{
    double speed = 2.0 * apart / (double)w->step, mass = sn_world_energy(w->world).mass;
    double moved = fmax(visible_energy(w->world) - ledger->bound, 0.0);
    double strained = strain_energy(w->world) + fmin(moved, 0.5 * mass * speed * speed);
    ledger->bound += strained;
    ledger->scale += strained;
}

static void ledger_change(ledger *ledger, const sn_world *world, double before)
{
    double difference = visible_energy(world) - before;
    ledger->bound += difference;
    ledger->scale += fabs(difference);
    ledger->keeps_momentum = ledger->keeps_momentum && difference == 0.0;
}

// What falls asleep stops, however slowly it flew. Nodes and bodies are slower than that then.
static void ledger_sleep(ledger *ledger, const random_world *w)
{
    double mass = 0.0;
    for (int i = 0; i < w->item_count; ++i) {
        const item *one = &w->items[i];
        if (one->is_built && one->type == ITEM_BODY && sn_rigid_is_valid(w->world, one->rigid) &&
            !sn_rigid_is_awake(w->world, one->rigid)) {
            mass += (double)sn_rigid_mass(w->world, one->rigid).mass;
        } else if (one->is_built && one->type == ITEM_SOFT && sn_deformable_is_valid(w->world, one->soft) &&
                   !sn_deformable_is_awake(w->world, one->soft)) {
            mass += (double)sn_deformable_measure_now(w->world, one->soft).mass;
        }
    }
    ledger->slept = fmax(ledger->slept, mass * (double)w->def.sleep_speed);
}

// Explicit Euler moves nodes by the velocity that they had before a sub-step, so that what falls gains ½ m g²
// h² in each: known in closed form, and the scheme's own.
static double fall_error(const random_world *w)
{
    sn_world_def def = sn_world_settings(w->world);
    int sub_steps = def.solver == SN_SOLVER_STAGGERED ? 1
                    : def.sub_steps > 0               ? def.sub_steps
                                                      : FEWEST_SUB_STEPS;
    double mass = 0.0, squared = (double)sn_length_squared(def.gravity);
    for (int i = 0; i < w->item_count; ++i) {
        const item *one = &w->items[i];
        if (one->is_built && one->type == ITEM_SOFT && strstr(one->what, "explicit_euler") != NULL &&
            sn_deformable_is_valid(w->world, one->soft)) {
            mass += (double)sn_deformable_measure_now(w->world, one->soft).mass;
        }
    }
    return 0.5 * mass * squared * (double)(w->step * w->step) / (double)sub_steps;
}

static bool ledger_check(const ledger *ledger, const sn_world *world, verdict *verdict)
{
    sn_energy energy = sn_world_energy(world);
    // Heights have no zero: moved up by H a world has m g H more and moves the same. So the measure is also
    // what can be in motion here at most, of what falls far below where heights begin.
    double scale = fmax(ledger->scale, ledger->bound - energy.potential), drift = 0.0;
    double gain = (energy.kinetic + energy.potential - ledger->bound) / scale;
    for (int k = 0; k < 3; ++k) {
        double lost = fabs(energy.momentum[k] - ledger->momentum[k]) - ledger->slept;
        drift = fmax(drift, lost / ledger->momentum_scale);
    }
    double allowed = GAIN_ALLOWED;
    if (ledger->is_unknown) {
        double speed =
            2.0 * fmax(ledger->driven_speed, ledger->flung_speed); // what is hit gets twice as much
        allowed = 1.0 + energy.mass * speed * speed / ledger->scale;
        allowed = ledger->flung_speed > FLUNG_SPEED ? (double)INFINITY : allowed;
    }
    if (!(gain <= allowed)) {
        verdict->type = ledger->is_unknown ? VERDICT_DRIVEN : VERDICT_ENERGY;
        verdict->size = gain;
    } else if (ledger->keeps_momentum && !(drift <= DRIFT_ALLOWED)) {
        verdict->type = VERDICT_MOMENTUM;
        verdict->size = drift;
    }
    return verdict->type == VERDICT_FINE;
}

// --- springs that are switched on --------------------------------------------------------------------------

// A mass m at rest on a spring of compliance c that begins to act when it is stretched by e gets up to the
// speed e/√(m c), however slow all is that drives: ½ e²/c becomes motion. A joint that yields is such a
// spring along and about each of three axes; its points are e apart, and no angle is more than half a turn.
// Hard joints close slowly [J].
static double store_of(const sn_world *world, const sn_constraint_common *common)
{
    const double half_turn = 3.14159265;
    sn_vec3 a, b;
    sn_point_place(world, &common->a, &a);
    sn_point_place(world, &common->b, &b);
    double apart = (double)sn_distance_between(a, b), sum = 0.0;
    sum += common->compliance > 0.0f ? 0.5 * apart * apart / (double)common->compliance : 0.0;
    sum += common->angular_compliance > 0.0f
               ? 0.5 * half_turn * half_turn / (double)common->angular_compliance
               : 0.0;
    return sum;
}

// After changes, before the step that begins to hold what is switched on: by its time or by a change.
static void ledger_switch(ledger *ledger, const random_world *w)
{
    double time = sn_world_time(w->world);
    for (int i = 0; i < w->item_count; ++i) {
        const item *one = &w->items[i];
        if (one->type == ITEM_JOINT && one->is_built && sn_constraint_is_valid(w->world, one->constraint)) {
            sn_constraint_common common = sn_constraint_definition(w->world, one->constraint);
            bool acts =
                common.active && (double)common.active_from <= time && time < (double)common.active_until;
            ledger->bound += acts && ledger->waits[i] ? store_of(w->world, &common) : 0.0;
            ledger->waits[i] = !acts;
        }
    }
}

// --- files -------------------------------------------------------------------------------------------------

static char *read_all(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return NULL;
    }
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(*size + 1);
    *size = fread(bytes, 1, *size, file);
    fclose(file);
    return bytes;
}

static bool save_world(random_world *w, const char *path)
{
    sn_scene *scene = NULL;
    bool saved = sn_scene_wrap(w->world, &scene) == SN_OK;
    if (saved) {
        scene->step_length = w->step;
        scene->duration = (float)w->steps * w->step;
        saved = sn_scene_save(scene, path) == SN_OK;
    }
    if (!saved) {
        fprintf(stderr, "seed %llu: %s\n", (unsigned long long)w->seed, sn_scene_error());
    }
    sn_scene_destroy(scene);
    return saved;
}

static bool file_round_trips(random_world *w, const char *folder)
{
    char first[512], second[512];
    snprintf(first, sizeof first, "%s/first.json", folder);
    snprintf(second, sizeof second, "%s/second.json", folder);
    sn_scene *loaded = NULL;
    if (!save_world(w, first)) {
        return false;
    }
    if (sn_scene_load(first, NULL, &loaded) != SN_OK || sn_scene_save(loaded, second) != SN_OK) {
        fprintf(stderr, "seed %llu: %s\n", (unsigned long long)w->seed, sn_scene_error());
        sn_scene_destroy(loaded);
        return false;
    }
    sn_scene_destroy(loaded);
    size_t sizes[2] = {0, 1};
    char *bytes[2] = {read_all(first, &sizes[0]), read_all(second, &sizes[1])};
    bool same = bytes[0] != NULL && bytes[1] != NULL && sizes[0] == sizes[1] &&
                memcmp(bytes[0], bytes[1], sizes[0]) == 0;
    free(bytes[0]);
    free(bytes[1]);
    return same;
}

bool oracle_write_scene(random_world *w, const char *path)
{
    bool written = random_world_build(w, 1) && save_world(w, path);
    random_world_release(w);
    return written;
}

// --- running -----------------------------------------------------------------------------------------------

typedef struct course {
    uint64_t hashes[400];
    int steps; // taken by the first run
    int snapshot_step;
    void *snapshot;
    size_t snapshot_size;
} course;

static bool take_snapshot(sn_world *world, course *course)
{
    if (sn_world_save(world, NULL, 0, &course->snapshot_size) != SN_OK) {
        return false;
    }
    course->snapshot = malloc(course->snapshot_size);
    return sn_world_save(world, course->snapshot, course->snapshot_size, &course->snapshot_size) == SN_OK;
}

static bool step_world(random_world *w, int step, bool *unknown)
{
    if (!random_world_change(w, step, unknown)) {
        return false;
    }
    if (sn_world_step(w->world, w->step) != SN_OK) {
        fprintf(stderr, "seed %llu, step %d: %s\n", (unsigned long long)w->seed, step,
                sn_world_error(w->world));
        return false;
    }
    return true;
}

// A step that is begun anew with fewer exact anchors has found a contradiction: they are rows from then on,
// which the statistics tell. It is no explosion unless it comes again.
static void note_put_back(verdict *verdict, const sn_statistics *statistics, sn_statistics *last)
{
    if (last->put_back_count > 0 && statistics->exact_count < last->exact_count) {
        --verdict->put_back_steps;
    }
    *last = *statistics;
    if (statistics->put_back_count > 0) {
        verdict->put_back_step = verdict->put_back_steps == 0 ? verdict->step : verdict->put_back_step;
        ++verdict->put_back_steps;
    }
}

// The run all others are compared with.
static verdict run_first(random_world *w, course *course)
{
    ledger ledger = ledger_begin(w);
    verdict verdict = {0};
    double apart = apart_by(w->world);
    int64_t sub_steps = 0;
    watch watch;
    watch_begin(&watch, w);
    sn_statistics last = {0};
    for (int step = 0; step < w->steps && verdict.type == VERDICT_FINE; ++step) {
        verdict.step = step;
        if (sub_steps > MOST_SUB_STEPS) {
            break;
        }
        if (sub_steps > MOST_SUB_STEPS / 2 && step < course->snapshot_step) {
            course->snapshot_step = step;
        }
        if (step == course->snapshot_step && !take_snapshot(w->world, course)) {
            verdict.type = VERDICT_SNAPSHOT;
            break;
        }
        double before = visible_energy(w->world);
        if (getenv("TRACE"))
            fprintf(stderr, "== %d visible %.6g bound %.6g scale %.6g strain %.5g\n", step, before,
                    ledger.bound, ledger.scale, strain_energy(w->world)); // TRACE
        if (!random_world_change(w, step, &ledger.is_unknown)) {
            verdict.type = VERDICT_REFUSED;
            break;
        }
        ledger_change(&ledger, w->world, before);
        ledger_switch(&ledger, w);
        watch_before(&watch, w, step);
        if (sn_world_step(w->world, w->step) != SN_OK) {
            fprintf(stderr, "seed %llu, step %d: %s\n", (unsigned long long)w->seed, step,
                    sn_world_error(w->world));
            verdict.type = VERDICT_REFUSED;
            break;
        }
        verdict.type = watch_memory(&watch, w) ? VERDICT_CHURNED : verdict.type;
        verdict.type = watch_crossings(&watch, w) ? VERDICT_CROSSED : verdict.type;
        if (step == 0 && apart > APART) {
            ledger_strain(&ledger, w, apart);
        }
        sn_statistics statistics = sn_world_statistics(w->world);
        if (statistics.frozen_count + statistics.frozen_node_count > 0) {
            verdict.type = VERDICT_FROZEN;
            break;
        }
        sub_steps += statistics.sub_steps;
        course->steps = step + 1;
        note_put_back(&verdict, &statistics, &last);
        if (ledger.is_unknown && has_joints(w)) {
            ledger.flung_speed = fmax(ledger.flung_speed, flung_speed(w));
        }
        ledger_sleep(&ledger, w);
        ledger.bound += fall_error(w);
        ledger_check(&ledger, w->world, &verdict);
        if (step % HASH_STEPS == 0) {
            course->hashes[step] = sn_world_hash(w->world);
        }
    }
    return verdict;
}

static bool hashes_agree(random_world *w, const course *course, int first, int *where)
{
    bool unknown = false;
    int last = course->steps < first + MOST_COMPARED ? course->steps : first + MOST_COMPARED;
    for (int step = first; step < last; ++step) {
        *where = step;
        if (!step_world(w, step, &unknown) ||
            (step % HASH_STEPS == 0 && sn_world_hash(w->world) != course->hashes[step])) {
            return false;
        }
    }
    return true;
}

static verdict judge_built(random_world *w, course *course, const char *folder)
{
    if (!file_round_trips(w, folder)) {
        return (verdict){.type = VERDICT_FILE};
    }
    verdict verdict = run_first(w, course);
    if (verdict.type != VERDICT_FINE) {
        return verdict;
    }
    if (!file_round_trips(w, folder)) {
        return (struct verdict){.type = VERDICT_FILE, .step = w->steps};
    }
    int where = course->snapshot_step;
    if (sn_world_restore(w->world, course->snapshot, course->snapshot_size) != SN_OK ||
        !hashes_agree(w, course, course->snapshot_step, &where)) {
        return (struct verdict){.type = VERDICT_SNAPSHOT, .step = where};
    }
    return verdict;
}

verdict oracle_judge(random_world *w, const char *folder)
{
    test_random random = {w->seed ^ 0xABCDEF};
    test_random_u32(&random);
    course *course = calloc(1, sizeof *course);
    course->snapshot_step = random_below(&random, w->steps);
    verdict verdict = {.type = VERDICT_REFUSED};
    if (random_world_build(w, 1)) {
        verdict = judge_built(w, course, folder);
    }
    random_world_release(w);
    if (verdict.type == VERDICT_FINE && w->seed % 3 == 0) {
        int where = 0;
        if (!random_world_build(w, 2) || !hashes_agree(w, course, 0, &where)) {
            verdict = (struct verdict){.type = VERDICT_THREADS, .step = where};
        }
        random_world_release(w);
    }
    if (verdict.type == VERDICT_FINE && w->seed % 7 == 0 && !oracle_lives_without_memory(w)) {
        verdict.type = VERDICT_MEMORY;
    }
    if (verdict.type == VERDICT_FINE && verdict.put_back_steps > 0) {
        verdict.type = VERDICT_PUT_BACK;
        verdict.step = verdict.put_back_step;
    }
    free(course->snapshot);
    free(course);
    return verdict;
}

// --- shrinking ---------------------------------------------------------------------------------------------

verdict oracle_shrink(random_world *w, const char *folder, verdict found)
{
    bool smaller = true;
    while (smaller) {
        smaller = false;
        for (int i = w->item_count - 1; i >= 0; --i) {
            if (w->items[i].is_off) {
                continue;
            }
            w->items[i].is_off = true;
            verdict now = oracle_judge(w, folder);
            if (now.type == found.type) {
                found = now;
                smaller = true;
            } else {
                w->items[i].is_off = false;
            }
        }
    }
    return found;
}
