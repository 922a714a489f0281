// Edges of a deformable that are held in a way of their own.
#include "scene/edge_options.h"

#include <math.h>

// In the order of sn_limit_side.
static const char *const side_names[] = {"both", "stretch", "compression"};

typedef struct edges_entry {
    sn_node select;
    int side;
    sn_edge_option option;
} edges_entry;

static void defaults(void *target)
{
    ((edges_entry *)target)->option.max_force = INFINITY;
}

#define ROW(NAME, TYPE, MEMBER, ...) SN_ROW(NAME, TYPE, edges_entry, MEMBER, __VA_ARGS__)

static const sn_field fields[] = {
    ROW("select", NODE, select, "those between two nodes that are both selected",
        .family = &sn_family_selection, .list = true, .or_one = true, .required = true),
    ROW("side", CHOICE, side, "which way lengths are held", .choices = side_names,
        .choice_count = SN_COUNT(side_names)),
    ROW("compliance", NUMBER, option.compliance, "0 is hard", .unit = "m/N", .range = SN_NOT_NEGATIVE),
    ROW("damping", NUMBER, option.damping, "with compliance", .unit = "N s/m", .range = SN_NOT_NEGATIVE),
    ROW("max_force", NUMBER, option.max_force, "default infinite", .unit = "N", .range = SN_ABOVE_ZERO)};
static const sn_object object = {.name = "edges",
                                 .text = "Edges held in a way of their own, whatever holds the others.",
                                 .size = sizeof(edges_entry),
                                 .defaults = defaults,
                                 .fields = fields,
                                 .field_count = SN_COUNT(fields)};
static const sn_object *const objects[] = {&object};
const sn_family sn_family_edges = {"edges", "Edges held in a way of their own, whatever holds the others.",
                                   objects, 1};

// --- reading -----------------------------------------------------------------------------------------------

static bool is_chosen(const sn_node_list *chosen, int node)
{
    int low = 0, high = chosen->count - 1;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (chosen->items[middle] < node) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return chosen->items[low] == node;
}

static bool add_options(const sn_node *node, const sn_mesh *mesh, const sn_node_list *chosen,
                        const edges_entry *entry, sn_edge_option_list *options)
{
    const uint32_t *edges = sn_mesh_edges(mesh);
    int before = options->count;
    for (int i = 0; i < sn_mesh_edge_count(mesh); ++i) {
        if (is_chosen(chosen, (int)edges[2 * i]) && is_chosen(chosen, (int)edges[2 * i + 1])) {
            sn_edge_option option = entry->option;
            option.edge = i;
            option.side = (sn_limit_side)entry->side;
            if (!SN_LIST_PUSH(options, option)) {
                node->mistakes->no_memory = true;
                return false;
            }
        }
    }
    return options->count > before ||
           sn_node_fail_key(node, "select", "no edge is between %d selected nodes, expected one or more",
                            chosen->count);
}

static bool read_one(const sn_node *node, const sn_mesh *mesh, float scale, sn_edge_option_list *options)
{
    edges_entry entry;
    sn_node_list chosen = {0};
    bool good = sn_object_read(node, &object, &entry) &&
                sn_reader_select(&entry.select, mesh, scale, &chosen) &&
                add_options(node, mesh, &chosen, &entry, options);
    SN_LIST_FREE(&chosen);
    return good;
}

bool sn_reader_edge_options(const sn_node *node, const sn_mesh *mesh, float scale,
                            sn_edge_option_list *options)
{
    if (node->value == NULL || !json_is_array(node->value)) {
        return node->value == NULL || read_one(node, mesh, scale, options);
    }
    bool good = sn_node_count(node) > 0 || sn_node_fail(node, "[] is not allowed, expected one or more");
    for (int i = 0; i < sn_node_count(node); ++i) {
        sn_node member = sn_node_at(node, i);
        good = read_one(&member, mesh, scale, options) && good;
    }
    return good;
}

// --- writing -----------------------------------------------------------------------------------------------

json_t *sn_writer_edge_options(sn_writer *writer, const sn_deformable_def *def, const sn_mesh *mesh)
{
    json_t *list = def->edge_option_count > 0 ? json_array() : NULL;
    for (int i = 0; i < def->edge_option_count; ++i) {
        edges_entry entry = {.option = def->edge_options[i], .side = (int)def->edge_options[i].side};
        const uint32_t *edge = &sn_mesh_edges(mesh)[2 * entry.option.edge];
        const int nodes[] = {(int)edge[0], (int)edge[1]};
        json_t *out = sn_object_write(&object, &entry);
        sn_writer_set(writer, out, "select", sn_writer_selection(nodes, 2));
        sn_writer_append(writer, list, out);
    }
    return list;
}
