// Section "world": gravity, the solver's settings, and whether to assemble at loading.
#include "scene/reader.h"

#include <math.h>

typedef struct world_entry {
    sn_world_def def;
    int solver; // sn_solver_type
    bool assemble;
    float assemble_tolerance;
} world_entry;

static void defaults(void *target)
{
    world_entry *entry = target;
    entry->def = sn_world_def_default();
    entry->assemble_tolerance = 1e-4f;
}

static void staggered_defaults(void *target)
{
    *(sn_staggered *)target = sn_world_def_default().staggered;
}

static void position_defaults(void *target)
{
    *(sn_position *)target = sn_position_default();
}

static void long_range_defaults(void *target)
{
    *(sn_long_range *)target = sn_long_range_auto();
}

static const char *const long_range_words[] = {"auto", "off"};

static void choose_long_range(void *place, int choice)
{
    *(sn_long_range *)place = choice == 0 ? sn_long_range_auto() : sn_long_range_off();
}

static const sn_field long_range_fields[] = {
    SN_ROW("bounds", FLAG, sn_long_range, bounds,
           "what is held comes no farther from there than it can get, however heavy it is"),
    SN_ROW("sub_steps", FLAG, sn_long_range, sub_steps,
           "islands take more sub-steps where their loads and tensions ask for it"),
    SN_ROW("settle", FLAG, sn_long_range, settle,
           "what stands or hangs comes to rest where rigid things would"),
    SN_ROW("support", FLAG, sn_long_range, support,
           "what stands on its contacts stands for ever, until something disturbs it"),
    SN_ROW("unions", FLAG, sn_long_range, unions,
           "bodies that hard fixed joints hold together move as one while they hold"),
    SN_ROW("planes", FLAG, sn_long_range, planes,
           "chains of hard hinges with parallel axes stay in their plane")};
static const sn_object long_range_object = {.name = "long_range",
                                            .text = "What carries loads that pass through many light things.",
                                            .size = sizeof(sn_long_range),
                                            .defaults = long_range_defaults,
                                            .fields = long_range_fields,
                                            .field_count = SN_COUNT(long_range_fields)};

static const char *const solver_names[] = {"velocity", "staggered", "position"};

static const sn_field staggered_fields[] = {
    SN_ROW("rigid_iterations", INTEGER, sn_staggered, rigid_iterations,
           "sweeps over rows between rigid bodies", .range = SN_BETWEEN(1, 1000)),
    SN_ROW("node_iterations", INTEGER, sn_staggered, node_iterations, "sweeps over rows that touch a node",
           .range = SN_BETWEEN(1, 1000)),
    SN_ROW("correction", NUMBER, sn_staggered, correction, "part of an error that a step takes away",
           .range = {1e-6, 1.0, false}),
    SN_ROW("warm_start", NUMBER, sn_staggered, warm_start,
           "part of the last step's impulses a step begins with; springs, finite elements and contacts of "
           "sheets and strands begin with half of it",
           .range = SN_BETWEEN(0.0, 1.0)),
    SN_ROW("dummy_nodes", FLAG, sn_staggered, dummy_nodes,
           "contacts by dummy nodes and averaged impulses, as in the paper; momentum is not kept")};
static const sn_object staggered_object = {.name = "staggered",
                                           .text = "The staggered solver's own settings.",
                                           .size = sizeof(sn_staggered),
                                           .defaults = staggered_defaults,
                                           .fields = staggered_fields,
                                           .field_count = SN_COUNT(staggered_fields)};

static const char *const method_names[] = {"gauss_seidel", "jacobi_accelerated", "jacobi"};

static const sn_field position_fields[] = {
    SN_ROW("iterations", INTEGER, sn_position, iterations, "in a sub-step", .range = SN_BETWEEN(1, 10000)),
    SN_ROW("method", CHOICE, sn_position, method, "how an iteration visits rows", .choices = method_names,
           .choice_count = SN_COUNT(method_names)),
    SN_ROW("newmark", FLAG, sn_position, newmark, "integrate by Newmark's rule, else by implicit Euler"),
    SN_ROW("newmark_beta", NUMBER, sn_position, newmark_beta, "β of Newmark's rule",
           .range = SN_BETWEEN(0.01, 1.0)),
    SN_ROW("newmark_gamma", NUMBER, sn_position, newmark_gamma, "γ of Newmark's rule; above ½ it damps",
           .range = SN_BETWEEN(0.0, 1.0)),
    SN_ROW("monitor", FLAG, sn_position, monitor, "measure the errors of every iteration")};
static const sn_object position_object = {.name = "position",
                                          .text = "The position solver's own settings.",
                                          .size = sizeof(sn_position),
                                          .defaults = position_defaults,
                                          .fields = position_fields,
                                          .field_count = SN_COUNT(position_fields)};

static const sn_field fields[] = {
    SN_ROW("gravity", VECTOR, world_entry, def.gravity, "acceleration of free fall", .unit = "m/s²"),
    SN_ROW("wind", VECTOR, world_entry, def.wind, "velocity of the air, for deformables with drag or lift",
           .unit = "m/s"),
    SN_ROW("sub_steps", INTEGER, world_entry, def.sub_steps,
           "solver sub-steps in a step at least, 0 to let the world choose (14 to 160)",
           .range = SN_BETWEEN(0, 256)),
    SN_ROW("sleep", FLAG, world_entry, def.sleep, "islands at rest fall asleep"),
    SN_ROW("guard", FLAG, world_entry, def.guard,
           "motions of nodes that would cross a face are cut, so that nothing crosses"),
    SN_ROW("continuous", FLAG, world_entry, def.continuous,
           "fast bodies are swept against what they might pass through"),
    SN_ROW("contact_stiffness", NUMBER, world_entry, def.contact_stiffness,
           "contact frequency × sub-step length", .range = {0.0, 0.25, true}),
    SN_ROW("contact_damping", NUMBER, world_entry, def.contact_damping, "damping ratio of contacts",
           .range = SN_BETWEEN(0.0, 100.0)),
    SN_ROW("constraint_stiffness", NUMBER, world_entry, def.constraint_stiffness,
           "frequency × sub-step length of hard joints", .range = {0.0, 0.25, true}),
    SN_ROW("constraint_damping", NUMBER, world_entry, def.constraint_damping, "damping ratio of hard joints",
           .range = SN_BETWEEN(0.0, 100.0)),
    SN_ROW("push_speed", NUMBER, world_entry, def.push_speed, "fastest removal of penetration", .unit = "m/s",
           .range = SN_ABOVE_ZERO),
    SN_ROW("restitution_threshold", NUMBER, world_entry, def.restitution_threshold,
           "slower impacts do not bounce", .unit = "m/s", .range = SN_NOT_NEGATIVE),
    SN_ROW("hit_threshold", NUMBER, world_entry, def.hit_threshold, "slower impacts make no hit event",
           .unit = "m/s", .range = SN_NOT_NEGATIVE),
    SN_ROW("speculative_margin", NUMBER, world_entry, def.speculative_margin, "contacts are made this early",
           .unit = "m", .range = SN_BETWEEN(0.001, 1.0)),
    SN_ROW("sleep_speed", NUMBER, world_entry, def.sleep_speed, "slower bodies are at rest", .unit = "m/s",
           .range = SN_NOT_NEGATIVE),
    SN_ROW("sleep_time", NUMBER, world_entry, def.sleep_time, "at rest for this long, an island sleeps",
           .unit = "s", .range = SN_NOT_NEGATIVE),
    SN_ROW("solver", CHOICE, world_entry, solver, "how rows are solved", .choices = solver_names,
           .choice_count = SN_COUNT(solver_names)),
    SN_ROW("long_range", OBJECT, world_entry, def.long_range, "what carries loads that travel far",
           .object = &long_range_object, .choices = long_range_words,
           .choice_count = SN_COUNT(long_range_words), .choose = choose_long_range),
    SN_ROW("staggered", OBJECT, world_entry, def.staggered, "settings of the staggered solver",
           .object = &staggered_object),
    SN_ROW("position", OBJECT, world_entry, def.position, "settings of the position solver",
           .object = &position_object),
    SN_ROW("assemble", FLAG, world_entry, assemble,
           "at loading, bodies are moved so that all joints are met: for scenes placed roughly"),
    SN_ROW("assemble_tolerance", NUMBER, world_entry, assemble_tolerance, "joints count as met within this",
           .unit = "m, rad", .range = SN_ABOVE_ZERO)};

static const sn_object object = {.name = "world",
                                 .text = "Settings of the world and its solver.",
                                 .size = sizeof(world_entry),
                                 .defaults = defaults,
                                 .fields = fields,
                                 .field_count = SN_COUNT(fields)};
static const sn_object *const objects[] = {&object};
static const sn_family family = {"world", "Settings of the world and its solver.", objects, 1};

static bool read(sn_reader *reader, const sn_scope *scope, const sn_node *node)
{
    (void)scope;
    world_entry entry;
    if (!sn_object_read(node, &object, &entry)) {
        return false;
    }
    entry.def.solver = (sn_solver_type)entry.solver;
    reader->world_def = entry.def;
    reader->assemble = entry.assemble;
    reader->assemble_tolerance = entry.assemble_tolerance;
    return true;
}

static json_t *write(sn_writer *writer)
{
    world_entry entry;
    sn_object_defaults(&object, &entry);
    entry.def = sn_world_settings(writer->scene->world);
    entry.solver = (int)entry.def.solver;
    json_t *out = sn_object_write(&object, &entry);
    writer->no_memory = out == NULL || writer->no_memory;
    return out;
}

const sn_section sn_section_world = {.name = "world",
                                     .text = "settings of the world",
                                     .pass = SN_PASS_SETTINGS,
                                     .single = true,
                                     .family = &family,
                                     .read = read,
                                     .write = write};
