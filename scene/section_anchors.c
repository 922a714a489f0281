// Section "anchors": points of bodies, deformables and the world held together, one entry often for many
// nodes. What it makes are joints of type ball like those of section "joints", and saved as such.
#include "scene/coincident.h"
#include "scene/joint_ends.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct anchor_entry {
    const char *name, *a, *b;
    sn_anchor_def def;
    bool has_at, has_lower, has_upper, has_point_a, has_point_b;
    sn_vec3 at, lower, upper;
    sn_vec3 point_a, point_b;
    sn_node nodes_a, nodes_b, select;
    bool has_coincident;
    float coincident;
    int slide; // which end does: 0 for none, 1 for a, 2 for b
} anchor_entry;

static const char *const slide_names[] = {"none", "a", "b"};

static void defaults(void *target)
{
    ((anchor_entry *)target)->def = sn_anchor_def_default();
}

#define ROW(NAME, TYPE, MEMBER, ...) SN_ROW(NAME, TYPE, anchor_entry, MEMBER, __VA_ARGS__)
#define HAS(MEMBER)                  SN_FLAG_AT(anchor_entry, MEMBER)

static const sn_field fields[] = {
    ROW("name", TEXT, name, "for messages"),
    ROW("a", TEXT, a, "name of a body or a deformable; \"ground\" is the world", .required = true),
    ROW("b", TEXT, b, "name of the other", .required = true),
    ROW("at", VECTOR, at, "both are held where they are nearest to this point of the frame around them",
        .unit = "m", .flag = HAS(has_at)),
    ROW("select", NODE, select,
        "instead: nodes of the deformable (of a, if both are), an anchor each, held where the other is "
        "nearest",
        .family = &sn_family_selection, .list = true, .or_one = true),
    ROW("lower", VECTOR, lower,
        "instead: the same for every node inside a box of the frame around them; lowest corner", .unit = "m",
        .flag = HAS(has_lower)),
    ROW("upper", VECTOR, upper, "highest corner of the box", .unit = "m", .flag = HAS(has_upper)),
    ROW("coincident", NUMBER, coincident,
        "instead: nodes of the deformables a and b, which may be the same one, that are no farther apart "
        "than this, an anchor each; with `select`, only those of a",
        .unit = "m", .range = SN_BETWEEN(1e-9, 1000.0), .flag = HAS(has_coincident)),
    ROW("point_a", VECTOR, point_a, "instead: the point in body a", .unit = "m", .flag = HAS(has_point_a)),
    ROW("point_b", VECTOR, point_b, "the point in body b", .unit = "m", .flag = HAS(has_point_b)),
    ROW("nodes_a", NODE, nodes_a, "or nodes of deformable a and their weights", .form = SN_END_NODES_FORM,
        .schema = SN_END_NODES_SCHEMA),
    ROW("nodes_b", NODE, nodes_b, "or of b", .form = SN_END_NODES_FORM, .schema = SN_END_NODES_SCHEMA),
    ROW("compliance", NUMBER, def.compliance, "0 is hard", .unit = "m/N", .range = SN_NOT_NEGATIVE),
    ROW("damping", NUMBER, def.damping, "with compliance", .unit = "N s/m", .range = SN_NOT_NEGATIVE),
    ROW("max_force", NUMBER, def.max_force, "it pulls no harder, and gives way; default any", .unit = "N",
        .range = SN_ABOVE_ZERO),
    ROW("break_force", NUMBER, def.break_force, "it breaks beyond; default never", .unit = "N",
        .range = SN_ABOVE_ZERO),
    ROW("exact", FLAG, def.exact, "met to rounding error after every step; hard ones only"),
    ROW("ramp_steps", INTEGER, def.ramp_steps,
        "of exact ones: steps until it holds fully, for points that are apart at first",
        .range = SN_BETWEEN(1, 1000000)),
    ROW("slide", CHOICE, slide,
        "of exact ones: the end that slides along the surface of its deformable, wherever that is nearest to "
        "the other end",
        .choices = slide_names, .choice_count = SN_COUNT(slide_names)),
    ROW("friction", NUMBER, def.friction, "of one that slides: Coulomb's coefficient",
        .range = SN_BETWEEN(0.0, 1000.0)),
    ROW("active", FLAG, def.active, "it is switched on"),
    ROW("active_from", NUMBER, def.active_from, "time from which on it holds", .unit = "s",
        .range = SN_NOT_NEGATIVE),
    ROW("active_until", NUMBER, def.active_until, "time until which it holds; default for ever", .unit = "s",
        .range = SN_ABOVE_ZERO)};
static const sn_object object = {.name = "anchor",
                                 .text = "Two points held together.",
                                 .size = sizeof(anchor_entry),
                                 .defaults = defaults,
                                 .fields = fields,
                                 .field_count = SN_COUNT(fields)};
static const sn_object *const objects[] = {&object};
static const sn_family family = {"anchor", "Two points held together.", objects, 1};

// --- reading -----------------------------------------------------------------------------------------------

// The point of an end that is nearest to a place.
static sn_point nearest(const sn_world *world, const anchor_entry *entry, const sn_joint_end *end,
                        sn_vec3 place)
{
    return sn_end_near(world, end, (sn_pose){place, sn_quat_identity},
                       entry->def.exact ? SN_END_EXACT : SN_END_PLAIN);
}

static bool read_nodes(const sn_world *world, const sn_node *list, const sn_joint_end *end, sn_point *point)
{
    return sn_end_is_soft(end)
               ? sn_end_read_nodes(world, list, end, point)
               : sn_node_fail(list, "is for deformables, expected a `point` of the body, or `at`");
}

// Says what the world said, "ball 'nail': max_force is 3, expected …", at the value it is about.
static bool fail_in_world(sn_reader *reader, const sn_node *node, const char *name)
{
    char key[64], rest[512];
    const char *said = sn_world_error(reader->scene->world);
    size_t label = name != NULL ? strlen("ball ''") + strlen(name) : strlen("ball");
    if (strlen(said) < label || sscanf(said + label, ": %63[a-z_] %511[^\n]", key, rest) != 2 ||
        sn_object_field(&object, key) == NULL) {
        return sn_reader_world_failed(reader, node);
    }
    sn_node value = sn_node_get(node, key);
    return value.value != NULL ? sn_node_fail(&value, "%s", rest) : sn_node_fail_key(node, key, "%s", rest);
}

static bool add(sn_reader *reader, const sn_node *node, const sn_anchor_def *def)
{
    sn_anchor anchor;
    if (sn_anchor_add(reader->scene->world, def, &anchor) != SN_OK) {
        return fail_in_world(reader, node, def->name);
    }
    return def->name == NULL || sn_reader_name_anchor(reader, def->name, anchor);
}

// --- many at once ------------------------------------------------------------------------------------------

// The end whose nodes are selected: the one that does not slide, or a, unless that is a body.
static int selected_end(const anchor_entry *entry, const sn_joint_end ends[2])
{
    if (entry->slide > 0) {
        return 2 - entry->slide;
    }
    return sn_end_is_soft(&ends[0]) ? 0 : 1;
}

// One anchor for each node: to the other's nearest point.
static bool add_many(sn_reader *reader, const sn_node *node, anchor_entry *entry, const sn_joint_end ends[2],
                     const sn_node_list *chosen)
{
    const sn_world *world = reader->scene->world;
    int soft = selected_end(entry, ends);
    const sn_joint_end *rest = &ends[1 - soft];
    for (int i = 0; i < chosen->count; ++i) {
        int number = chosen->items[i];
        sn_vec3 place = sn_deformable_nodes(world, ends[soft].deformable)[number].position;
        sn_point of_node = sn_point_node(ends[soft].deformable, number);
        sn_point other =
            entry->slide > 0 ? sn_point_surface(rest->deformable) : nearest(world, entry, rest, place);
        entry->def.a = soft == 0 ? of_node : other;
        entry->def.b = soft == 0 ? other : of_node;
        if (!add(reader, node, &entry->def)) {
            return false;
        }
    }
    return true;
}

static bool select_box(const sn_world *world, const sn_scope *scope, const sn_node *node,
                       const anchor_entry *entry, sn_deformable deformable, sn_node_list *chosen)
{
    if (!entry->has_lower || !entry->has_upper) {
        return sn_node_fail_key(node, entry->has_lower ? "upper" : "lower",
                                "is missing: the other corner of the box");
    }
    const sn_node_state *nodes = sn_deformable_nodes(world, deformable);
    for (int i = 0; i < sn_deformable_node_count(world, deformable); ++i) {
        sn_vec3 p = sn_pose_apply_inverse(scope->pose, nodes[i].position);
        if (p.x >= entry->lower.x && p.x <= entry->upper.x && p.y >= entry->lower.y &&
            p.y <= entry->upper.y && p.z >= entry->lower.z && p.z <= entry->upper.z &&
            !SN_LIST_PUSH(chosen, i)) {
            node->mistakes->no_memory = true;
            return false;
        }
    }
    return chosen->count > 0 ||
           sn_node_fail_key(node, "lower", "no node is in the box, expected one or more");
}

static bool has_selection(const anchor_entry *entry)
{
    return entry->select.value != NULL || entry->has_lower || entry->has_upper;
}

static bool choose_nodes(sn_reader *reader, const sn_scope *scope, const sn_node *node,
                         const anchor_entry *entry, sn_deformable deformable, sn_node_list *chosen)
{
    const sn_world *world = reader->scene->world;
    return entry->select.value != NULL
               ? sn_reader_select(&entry->select, sn_deformable_mesh(world, deformable),
                                  sn_deformable_definition(world, deformable).scale, chosen)
               : select_box(world, scope, node, entry, deformable, chosen);
}

static bool read_many(sn_reader *reader, const sn_scope *scope, const sn_node *node, anchor_entry *entry,
                      const sn_joint_end ends[2])
{
    const sn_joint_end *soft = &ends[selected_end(entry, ends)];
    if (!sn_end_is_soft(soft)) {
        return sn_node_fail_key(node,
                                entry->select.value != NULL ? "select"
                                : entry->has_lower          ? "lower"
                                                            : "upper",
                                entry->slide > 0
                                    ? "takes nodes of a deformable, and what does not slide is a body"
                                    : "takes nodes of a deformable, and neither `a` nor `b` is one");
    }
    sn_node_list chosen = {0};
    bool good = choose_nodes(reader, scope, node, entry, soft->deformable, &chosen) &&
                add_many(reader, node, entry, ends, &chosen);
    SN_LIST_FREE(&chosen);
    return good;
}

static bool add_pairs(sn_reader *reader, const sn_node *node, anchor_entry *entry, const sn_joint_end ends[2],
                      const sn_node_pair_list *pairs)
{
    for (int i = 0; i < pairs->count; ++i) {
        entry->def.a = sn_point_node(ends[0].deformable, pairs->items[i].a);
        entry->def.b = sn_point_node(ends[1].deformable, pairs->items[i].b);
        if (!add(reader, node, &entry->def)) {
            return false;
        }
    }
    return pairs->count > 0 ||
           sn_node_fail_key(node, "coincident",
                            "no nodes of \"%s\" and \"%s\" are within %g m, expected some", entry->a,
                            entry->b, (double)entry->coincident);
}

static bool read_coincident(sn_reader *reader, const sn_scope *scope, const sn_node *node,
                            anchor_entry *entry, const sn_joint_end ends[2])
{
    const sn_world *world = reader->scene->world;
    if (!sn_end_is_soft(&ends[0]) || !sn_end_is_soft(&ends[1]) || entry->slide > 0) {
        return sn_node_fail_key(
            node, "coincident",
            "joins nodes of deformables, expected `a` and `b` to be such, without `slide`");
    }
    sn_node_list chosen = {0};
    sn_node_pair_list pairs = {0};
    bool good =
        !has_selection(entry) || choose_nodes(reader, scope, node, entry, ends[0].deformable, &chosen);
    sn_coincidence problem = {.a = sn_deformable_nodes(world, ends[0].deformable),
                              .b = sn_deformable_nodes(world, ends[1].deformable),
                              .count_a = sn_deformable_node_count(world, ends[0].deformable),
                              .count_b = sn_deformable_node_count(world, ends[1].deformable),
                              .chosen = has_selection(entry) ? chosen.items : NULL,
                              .chosen_count = chosen.count,
                              .tolerance = entry->coincident};
    if (good && !sn_find_coincident(&problem, &pairs)) {
        good = sn_reader_no_memory(reader);
    }
    good = good && add_pairs(reader, node, entry, ends, &pairs);
    SN_LIST_FREE(&chosen);
    SN_LIST_FREE(&pairs);
    return good;
}

// --- one by itself -----------------------------------------------------------------------------------------

// One end of an anchor that is given by its points. `keys` are those of this end.
static bool place_end(sn_reader *reader, const sn_scope *scope, const sn_node *node,
                      const anchor_entry *entry, const sn_joint_end *found, const char *const keys[2],
                      sn_point *out)
{
    const sn_world *world = reader->scene->world;
    sn_node nodes = sn_node_get(node, keys[0]), point = sn_node_get(node, keys[1]);
    if (nodes.value != NULL) {
        return read_nodes(world, &nodes, found, out);
    }
    if (point.value != NULL && sn_end_is_soft(found)) {
        return sn_node_fail(&point, "is for bodies, expected `%s`, or `at`", keys[0]);
    }
    if (point.value == NULL && !entry->has_at) {
        return sn_node_fail_key(node, "at", "is missing: where the two are held together");
    }
    sn_vec3 place = strcmp(keys[1], "point_a") == 0 ? entry->point_a : entry->point_b;
    bool is_world = found->rigid.generation == 0;
    *out = point.value == NULL ? nearest(world, entry, found, sn_pose_apply(scope->pose, entry->at))
           : is_world          ? sn_point_world(place)
                               : sn_point_rigid(found->rigid, place);
    return true;
}

static bool read_one(sn_reader *reader, const sn_scope *scope, const sn_node *node, anchor_entry *entry,
                     const sn_joint_end ends[2])
{
    static const char *const keys[2][2] = {{"nodes_a", "point_a"}, {"nodes_b", "point_b"}};
    sn_point *points[2] = {&entry->def.a, &entry->def.b};
    for (int i = 0; i < 2; ++i) {
        if (entry->slide == i + 1) {
            sn_node given = sn_node_get(node, keys[i][0]);
            if (given.value != NULL) {
                return sn_node_fail(&given,
                                    "is not allowed of the end that slides, expected a place of the other");
            }
            *points[i] = sn_point_surface(ends[i].deformable);
        } else if (!place_end(reader, scope, node, entry, &ends[i], keys[i], points[i])) {
            return false;
        }
    }
    return add(reader, node, &entry->def);
}

// What goes together and what does not.
static bool check_entry(const sn_node *node, const anchor_entry *entry, const sn_joint_end ends[2])
{
    if (entry->slide > 0 && !sn_end_is_soft(&ends[entry->slide - 1])) {
        return sn_node_fail_key(node, "slide", "\"%s\" is a body, expected a deformable to slide along",
                                entry->slide == 1 ? entry->a : entry->b);
    }
    const char *needs_exact = entry->slide > 0             ? "slide"
                              : entry->def.ramp_steps > 1  ? "ramp_steps"
                              : entry->def.friction > 0.0f ? "friction"
                                                           : NULL;
    if (needs_exact != NULL && !entry->def.exact) {
        return sn_node_fail_key(node, needs_exact, "is of exact anchors, expected \"exact\": true");
    }
    if (entry->def.friction > 0.0f && entry->slide == 0) {
        return sn_node_fail_key(node, "friction", "is of anchors that slide, expected `slide`");
    }
    if (!(entry->def.active_until > entry->def.active_from)) {
        return sn_node_fail_key(node, "active_until",
                                "%g is not allowed, expected more than `active_from`, %g",
                                (double)entry->def.active_until, (double)entry->def.active_from);
    }
    return true;
}

static bool read(sn_reader *reader, const sn_scope *scope, const sn_node *node)
{
    anchor_entry entry;
    char name[SN_MAX_NAME + 1] = "";
    if (!sn_object_read(node, &object, &entry) ||
        (entry.name != NULL && !sn_scope_name(scope, node, entry.name, name))) {
        return false;
    }
    sn_joint_end ends[2];
    sn_lookup a = sn_find_end(reader, scope, node, "a", entry.a, &ends[0]);
    sn_lookup b = sn_find_end(reader, scope, node, "b", entry.b, &ends[1]);
    if (a != SN_LOOKUP_FOUND || b != SN_LOOKUP_FOUND) {
        return a != SN_LOOKUP_FAILED && b != SN_LOOKUP_FAILED;
    }
    entry.def.name = name[0] != '\0' ? name : NULL;
    if (!check_entry(node, &entry, ends)) {
        return false;
    }
    if (entry.has_coincident) {
        return read_coincident(reader, scope, node, &entry, ends);
    }
    return has_selection(&entry) ? read_many(reader, scope, node, &entry, ends)
                                 : read_one(reader, scope, node, &entry, ends);
}

// Joints are written with the other joints.
static json_t *write(sn_writer *writer)
{
    (void)writer;
    return NULL;
}

const sn_section sn_section_anchors = {.name = "anchors",
                                       .text = "points of bodies and deformables held together",
                                       .pass = SN_PASS_LINKS,
                                       .in_parts = true,
                                       .family = &family,
                                       .read = read,
                                       .write = write};
