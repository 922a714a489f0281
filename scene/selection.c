// Nodes of a deformable picked out by a scene file.
#include "scene/selection.h"

#include <math.h>
#include <string.h>

// In the order of `part`: two ends of each axis come last.
static const char *const part_names[] = {"all",    "corners", "rim",  "left", "right",
                                         "bottom", "top",     "back", "front"};
typedef enum part { PART_ALL, PART_CORNERS, PART_RIM, PART_SIDES } part;

typedef struct selection_entry {
    int part, every;
    bool has_part, has_lower, has_upper, has_center, has_radius, has_point, has_normal, has_within;
    sn_vec3 lower, upper, center, point, normal;
    float radius, within;
    sn_node nodes;
} selection_entry;

static void defaults(void *target)
{
    ((selection_entry *)target)->every = 1;
}

#define ROW(NAME, TYPE, MEMBER, ...) SN_ROW(NAME, TYPE, selection_entry, MEMBER, __VA_ARGS__)
#define HAS(MEMBER)                  SN_FLAG_AT(selection_entry, MEMBER)

static const sn_field fields[] = {
    ROW("part", CHOICE, part,
        "corners: nearest to the corners of the box around it; rim: where an open surface ends; left and "
        "right, bottom and top, back and front: lowest and highest x, y, z",
        .choices = part_names, .choice_count = SN_COUNT(part_names), .flag = HAS(has_part)),
    ROW("lower", VECTOR, lower, "those in a box: its lowest corner; default without bounds", .unit = "m",
        .flag = HAS(has_lower)),
    ROW("upper", VECTOR, upper, "highest corner of the box", .unit = "m", .flag = HAS(has_upper)),
    ROW("center", VECTOR, center, "those in a ball: its centre", .unit = "m", .flag = HAS(has_center)),
    ROW("radius", NUMBER, radius, "of the ball", .unit = "m", .range = SN_NOT_NEGATIVE,
        .flag = HAS(has_radius)),
    ROW("point", VECTOR, point, "those on a plane: a point of it", .unit = "m", .flag = HAS(has_point)),
    ROW("normal", VECTOR, normal, "what the plane is normal to; any length", .flag = HAS(has_normal)),
    ROW("within", NUMBER, within,
        "how far from box, ball or plane a node may be; default of planes a thousandth of the mesh's size",
        .unit = "m", .range = SN_NOT_NEGATIVE, .flag = HAS(has_within)),
    ROW("nodes", NODE, nodes, "those of these numbers", .form = "a list of whole numbers",
        .schema = "{\"type\": \"array\", \"items\": {\"type\": \"integer\", \"minimum\": 0}}"),
    ROW("every", INTEGER, every, "of what is left, each so-manieth, the first included",
        .range = SN_BETWEEN(1, 1000000))};
static const sn_object object = {
    .name = "selection",
    .text = "Nodes of a mesh, in the mesh's frame. What several of these say must all be true.",
    .size = sizeof(selection_entry),
    .defaults = defaults,
    .fields = fields,
    .field_count = SN_COUNT(fields)};
static const sn_object *const objects[] = {&object};
const sn_family sn_family_selection = {
    "selection", "Nodes of a mesh, in the mesh's frame. What several of these say must all be true.", objects,
    1};

// --- parts that every mesh has -----------------------------------------------------------------------------

static void keep_corners(const sn_mesh *mesh, bool *kept)
{
    int count = sn_mesh_node_count(mesh);
    sn_bounds box = sn_mesh_bounds(mesh);
    for (int i = 0; i < count; ++i) {
        kept[i] = false;
    }
    for (int corner = 0; corner < 8; ++corner) {
        sn_vec3 place =
            sn_v((corner & 1) != 0 ? box.upper.x : box.lower.x, (corner & 2) != 0 ? box.upper.y : box.lower.y,
                 (corner & 4) != 0 ? box.upper.z : box.lower.z);
        int nearest = 0;
        float least = INFINITY;
        for (int i = 0; i < count; ++i) {
            sn_vec3 offset = sn_sub(sn_mesh_nodes(mesh)[i], place);
            float distance = sn_dot(offset, offset);
            if (distance < least) {
                least = distance;
                nearest = i;
            }
        }
        kept[nearest] = true;
    }
}

static int edge_of(const sn_mesh *mesh, uint32_t a, uint32_t b)
{
    uint32_t first = a < b ? a : b, second = a < b ? b : a;
    const uint32_t *edges = sn_mesh_edges(mesh);
    int low = 0, high = sn_mesh_edge_count(mesh) - 1;
    while (low < high) {
        int middle = low + (high - low) / 2;
        const uint32_t *edge = &edges[2 * middle];
        if (edge[0] < first || (edge[0] == first && edge[1] < second)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

// Nodes of edges that have one triangle only; of strands, nodes that have one edge only.
static bool keep_rim(const sn_mesh *mesh, bool *kept)
{
    int edge_count = sn_mesh_edge_count(mesh), node_count = sn_mesh_node_count(mesh);
    bool is_strand = sn_mesh_triangle_count(mesh) == 0;
    int *uses = calloc((size_t)(is_strand ? node_count : edge_count) + 1, sizeof *uses);
    if (uses == NULL) {
        return false;
    }
    const uint32_t *triangles = sn_mesh_triangles(mesh), *edges = sn_mesh_edges(mesh);
    for (int i = 0; i < 3 * sn_mesh_triangle_count(mesh); ++i) {
        ++uses[edge_of(mesh, triangles[i], triangles[i % 3 == 2 ? i - 2 : i + 1])];
    }
    for (int i = 0; i < 2 * edge_count && is_strand; ++i) {
        ++uses[edges[i]];
    }
    bool *on_rim = calloc((size_t)node_count + 1, sizeof *on_rim);
    for (int i = 0; i < 2 * edge_count && on_rim != NULL; ++i) {
        on_rim[edges[i]] = on_rim[edges[i]] || uses[is_strand ? (int)edges[i] : i / 2] == 1;
    }
    for (int i = 0; i < node_count && on_rim != NULL; ++i) {
        kept[i] = kept[i] && on_rim[i];
    }
    bool good = on_rim != NULL;
    free(uses);
    free(on_rim);
    return good;
}

static float component(sn_vec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

// Within a thousandth of the mesh's size.
static void keep_side(const sn_mesh *mesh, int axis, bool highest, bool *kept)
{
    sn_bounds box = sn_mesh_bounds(mesh);
    float near = 1e-3f * sn_length(sn_sub(box.upper, box.lower));
    for (int i = 0; i < sn_mesh_node_count(mesh); ++i) {
        float value = component(sn_mesh_nodes(mesh)[i], axis);
        kept[i] = kept[i] && (highest ? value >= component(box.upper, axis) - near
                                      : value <= component(box.lower, axis) + near);
    }
}

static bool keep_part(const sn_mesh *mesh, int chosen, bool *kept)
{
    if (chosen == PART_CORNERS) {
        keep_corners(mesh, kept);
    } else if (chosen == PART_RIM) {
        return keep_rim(mesh, kept);
    } else if (chosen >= PART_SIDES) {
        keep_side(mesh, (chosen - PART_SIDES) / 2, (chosen - PART_SIDES) % 2 == 1, kept);
    }
    return true;
}

// --- the rest ----------------------------------------------------------------------------------------------

static bool is_in_box(const selection_entry *entry, sn_vec3 p, float within)
{
    bool inside = true;
    for (int axis = 0; axis < 3; ++axis) {
        float x = component(p, axis);
        inside = inside && (!entry->has_lower || x >= component(entry->lower, axis) - within) &&
                 (!entry->has_upper || x <= component(entry->upper, axis) + within);
    }
    return inside;
}

// Boxes end where they say unless a tolerance is given; planes have no thickness of their own.
static void keep_places(const sn_mesh *mesh, float scale, const selection_entry *entry, bool *kept)
{
    sn_bounds box = sn_mesh_bounds(mesh);
    float usual = 1e-3f * scale * sn_length(sn_sub(box.upper, box.lower));
    float within = entry->has_within ? entry->within : usual;
    float box_within = entry->has_within ? entry->within : 0.0f;
    sn_vec3 normal = entry->has_normal ? sn_normalize(entry->normal) : sn_v(0.0f, 0.0f, 0.0f);
    for (int i = 0; i < sn_mesh_node_count(mesh); ++i) {
        sn_vec3 p = sn_scale(sn_mesh_nodes(mesh)[i], scale);
        bool in_ball =
            !entry->has_center || sn_distance_between(p, entry->center) <= entry->radius + box_within;
        bool on_plane = !entry->has_point || sn_abs(sn_dot(sn_sub(p, entry->point), normal)) <= within;
        kept[i] = kept[i] && is_in_box(entry, p, box_within) && in_ball && on_plane;
    }
}

static bool check_places(const sn_node *node, const selection_entry *entry)
{
    if (entry->has_center != entry->has_radius) {
        return sn_node_fail(node, "a ball has both `center` and `radius`");
    }
    if (entry->has_point != entry->has_normal) {
        return sn_node_fail(node, "a plane has both `point` and `normal`");
    }
    if (entry->has_normal && !(sn_length(entry->normal) > 1e-18f)) {
        return sn_node_fail_key(node, "normal", "has no length, expected a direction");
    }
    return true;
}

bool sn_reader_node_number(const sn_node *node, int count, int *number)
{
    if (!sn_node_integer(node, (sn_range){0}, number)) {
        return false;
    }
    return (*number >= 0 && *number < count) ||
           sn_node_fail(node, "%d is not allowed, expected the number of a node, 0 to %d", *number,
                        count - 1);
}

static bool keep_numbers(const sn_node *list, int count, bool *kept)
{
    bool *named = calloc((size_t)count + 1, sizeof *named);
    bool good = named != NULL;
    if (!good) {
        list->mistakes->no_memory = true;
    }
    if (good && !json_is_array(list->value)) {
        char value[SN_NODE_TEXT];
        good = sn_node_fail(list, "%s is not allowed, expected a list of whole numbers",
                            sn_node_text(list, value));
    }
    for (int i = 0; i < sn_node_count(list) && good; ++i) {
        sn_node member = sn_node_at(list, i);
        int number = 0;
        good = sn_reader_node_number(&member, count, &number);
        named[good ? number : 0] = true;
    }
    for (int i = 0; i < count && good; ++i) {
        kept[i] = kept[i] && named[i];
    }
    free(named);
    return good;
}

static bool keep_what_is_said(const sn_node *node, const sn_mesh *mesh, float scale, bool *kept)
{
    selection_entry entry;
    if (!sn_object_read(node, &object, &entry)) {
        return false;
    }
    if (!check_places(node, &entry)) {
        return false;
    }
    if (!entry.has_part && !entry.has_lower && !entry.has_upper && !entry.has_center && !entry.has_point &&
        entry.nodes.value == NULL) {
        return sn_node_fail(
            node, "selects nothing, expected `part`, `lower`, `upper`, `center`, `point` or `nodes`");
    }
    int count = sn_mesh_node_count(mesh), found = 0;
    if (!keep_part(mesh, entry.part, kept)) {
        node->mistakes->no_memory = true;
        return false;
    }
    keep_places(mesh, scale, &entry, kept);
    if (entry.nodes.value != NULL && !keep_numbers(&entry.nodes, count, kept)) {
        return false;
    }
    for (int i = 0; i < count; ++i) {
        found += kept[i] ? 1 : 0;
        kept[i] = kept[i] && (found - 1) % entry.every == 0;
    }
    return found > 0 || sn_node_fail(node, "selects none of the %d nodes, expected one or more", count);
}

static bool select_one(const sn_node *node, const sn_mesh *mesh, float scale, bool *chosen)
{
    int count = sn_mesh_node_count(mesh);
    bool *kept = malloc((size_t)count + 1);
    if (kept == NULL) {
        node->mistakes->no_memory = true;
        return false;
    }
    memset(kept, true, (size_t)count + 1);
    bool good = keep_what_is_said(node, mesh, scale, kept);
    for (int i = 0; i < count && good; ++i) {
        chosen[i] = chosen[i] || kept[i];
    }
    free(kept);
    return good;
}

bool sn_reader_select(const sn_node *node, const sn_mesh *mesh, float scale, sn_node_list *chosen)
{
    int count = sn_mesh_node_count(mesh);
    bool *marks = calloc((size_t)count + 1, sizeof *marks);
    bool good = marks != NULL && SN_LIST_RESERVE(chosen, count);
    if (!good) {
        node->mistakes->no_memory = true;
    } else if (json_is_array(node->value)) {
        good = sn_node_count(node) > 0 ||
               sn_node_fail(node, "[] is not allowed, expected one or more selections");
        for (int i = 0; i < sn_node_count(node); ++i) {
            sn_node member = sn_node_at(node, i);
            good = select_one(&member, mesh, scale, marks) && good;
        }
    } else {
        good = select_one(node, mesh, scale, marks);
    }
    for (int i = 0; i < count && good; ++i) {
        if (marks[i]) {
            chosen->items[chosen->count++] = i;
        }
    }
    free(marks);
    return good;
}

json_t *sn_writer_selection(const int *nodes, int count)
{
    json_t *numbers = json_array();
    for (int i = 0; i < count; ++i) {
        json_array_append_new(numbers, json_integer(nodes[i]));
    }
    return json_pack("{so}", "nodes", numbers);
}
