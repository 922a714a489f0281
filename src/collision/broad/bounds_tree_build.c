// The bounds tree as a whole: refitting all boxes, rebuilding it over its leaves, and measuring how degraded
// it is. Building is top-down with the binned surface-area heuristic (I. Wald, "On fast Construction of
// SAH-based Bounding Volume Hierarchies", 2007) along the axis on which the leaves' centres spread most. It
// starts from the leaves in the order of their numbers and does not depend on the old tree, so equal leaves
// give equal trees.
#include "collision/broad/bounds_tree.h"
#include "collision/broad/bounds_tree_parts.h"
#include <float.h>

#define BIN_COUNT 16
// No stack grows past the height of the tree, which is at most 30 + tilt; see root_height_limit.
#define BUILD_STACK 64

// --- refit ---------------------------------------------------------------------------------------

// Traverses the tree along its links without a stack; a node is updated after its children.
void sn_bounds_tree_refit(sn_bounds_tree *tree)
{
    sn_tree_node *nodes = tree->nodes.data;
    tree->enlarged = false;
    int from = -1;
    int node = tree->root;
    while (node >= 0) {
        int next = nodes[node].parent;
        if (!sn_tree_node_is_leaf(&nodes[node])) {
            if (from == next) {
                next = nodes[node].child[0];
            } else if (from == nodes[node].child[0]) {
                next = nodes[node].child[1];
            } else {
                sn_tree_update_node(nodes, node);
            }
        }
        from = node;
        node = next;
    }
}

// --- splitting a range of leaves -----------------------------------------------------------------

// A part of the tree to be built over the leaves scratch[begin … end).
typedef struct build_range {
    int begin, end;
    int parent, side;
    int height_limit;
} build_range;

typedef struct bin {
    sn_bounds bounds;
    int count;
} bin;

// The axis the leaves are sorted along and how their centres map to bins.
typedef struct binning {
    int axis;
    float lower, scale;
} binning;

static const sn_bounds empty_bounds = {{FLT_MAX, FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX, -FLT_MAX}};

static float component(sn_vec3 v, int axis)
{
    return axis == 0 ? v.x : (axis == 1 ? v.y : v.z);
}

// Twice the centre: only comparisons are made with it.
static sn_vec3 doubled_centre(sn_bounds bounds)
{
    return sn_add(bounds.lower, bounds.upper);
}

// The smallest possible height of a tree over that many leaves.
static int least_height(int leaves)
{
    int height = 0;
    while (height < 31 && ((int64_t)1 << height) < leaves) {
        ++height;
    }
    return height;
}

// How high a subtree may become beside one over `beside` leaves: below the limit of its parent, and within
// the tilt rule even if the other has the smallest possible height.
static int child_height_limit(int limit, int beside)
{
    int tilted = least_height(beside) + SN_TREE_MAX_TILT;
    return tilted < limit - 1 ? tilted : limit - 1;
}

static bool split_is_allowed(int left, int right, int limit)
{
    return left > 0 && right > 0 && least_height(left) <= child_height_limit(limit, right) &&
           least_height(right) <= child_height_limit(limit, left);
}

// False if the centres coincide.
static bool choose_binning(const sn_bounds_tree *tree, build_range range, binning *chosen)
{
    sn_bounds centres = empty_bounds;
    for (int i = range.begin; i < range.end; ++i) {
        sn_vec3 centre = doubled_centre(tree->nodes.data[tree->scratch.data[i]].bounds);
        centres.lower = sn_min3(centres.lower, centre);
        centres.upper = sn_max3(centres.upper, centre);
    }
    sn_vec3 spread = sn_sub(centres.upper, centres.lower);
    chosen->axis = spread.x >= spread.y ? (spread.x >= spread.z ? 0 : 2) : (spread.y >= spread.z ? 1 : 2);
    chosen->lower = component(centres.lower, chosen->axis);
    float size = component(spread, chosen->axis);
    chosen->scale = (float)BIN_COUNT / size;
    return size > 0.0f && chosen->scale < FLT_MAX;
}

static int bin_of(const binning *binning, sn_bounds bounds)
{
    float place = (component(doubled_centre(bounds), binning->axis) - binning->lower) * binning->scale;
    if (!(place > 0.0f)) {
        return 0;
    }
    return place < (float)BIN_COUNT ? (int)place : BIN_COUNT - 1;
}

static void fill_bins(const sn_bounds_tree *tree, build_range range, const binning *binning, bin *bins)
{
    for (int i = 0; i < BIN_COUNT; ++i) {
        bins[i] = (bin){empty_bounds, 0};
    }
    for (int i = range.begin; i < range.end; ++i) {
        sn_bounds bounds = tree->nodes.data[tree->scratch.data[i]].bounds;
        bin *bin = &bins[bin_of(binning, bounds)];
        bin->bounds = sn_bounds_union(bin->bounds, bounds);
        ++bin->count;
    }
}

// The number of bins on the left of the cheapest allowed split, or 0 if none is allowed.
static int best_split(const bin *bins, int leaf_count, int height_limit)
{
    float right_area[BIN_COUNT];
    sn_bounds bounds = empty_bounds;
    for (int i = BIN_COUNT - 1; i > 0; --i) {
        bounds = sn_bounds_union(bounds, bins[i].bounds);
        right_area[i] = sn_tree_area(bounds);
    }
    int best = 0;
    float best_cost = FLT_MAX;
    int left = 0;
    bounds = empty_bounds;
    for (int i = 1; i < BIN_COUNT; ++i) {
        bounds = sn_bounds_union(bounds, bins[i - 1].bounds);
        left += bins[i - 1].count;
        int right = leaf_count - left;
        if (!split_is_allowed(left, right, height_limit)) {
            continue;
        }
        float cost = (float)left * sn_tree_area(bounds) + (float)right * right_area[i];
        if (cost < best_cost) {
            best_cost = cost;
            best = i;
        }
    }
    return best;
}

// Puts the leaves of the first `left_bins` bins first; returns where the others begin.
static int partition(sn_bounds_tree *tree, build_range range, const binning *binning, int left_bins)
{
    int *leaves = tree->scratch.data;
    int begin = range.begin;
    int end = range.end;
    while (begin < end) {
        int leaf = leaves[begin];
        if (bin_of(binning, tree->nodes.data[leaf].bounds) < left_bins) {
            ++begin;
        } else {
            --end;
            leaves[begin] = leaves[end];
            leaves[end] = leaf;
        }
    }
    return begin;
}

// Where to split the range. Leaves with the same centre are halved in their present order.
static int split_range(sn_bounds_tree *tree, build_range range)
{
    binning binning;
    if (choose_binning(tree, range, &binning)) {
        bin bins[BIN_COUNT];
        fill_bins(tree, range, &binning, bins);
        int left_bins = best_split(bins, range.end - range.begin, range.height_limit);
        if (left_bins > 0) {
            return partition(tree, range, &binning, left_bins);
        }
    }
    return range.begin + (range.end - range.begin) / 2;
}

// --- rebuild -------------------------------------------------------------------------------------

// Lists the leaves in scratch and every other node in the free list, both in ascending order: the new inner
// nodes are then in memory in the order of a traversal.
static void dismantle(sn_bounds_tree *tree)
{
    sn_tree_node *nodes = tree->nodes.data;
    int leaf_count = 0;
    tree->root = -1;
    tree->free_node = -1;
    for (int i = 0; i < tree->nodes.count; ++i) {
        if (sn_tree_node_is_leaf(&nodes[i])) {
            tree->scratch.data[leaf_count++] = i;
        }
    }
    for (int i = tree->nodes.count - 1; i >= 0; --i) {
        if (!sn_tree_node_is_leaf(&nodes[i])) {
            nodes[i].height = -1;
            nodes[i].parent = tree->free_node;
            tree->free_node = i;
        }
    }
}

static void hang(sn_bounds_tree *tree, int node, build_range range)
{
    tree->nodes.data[node].parent = range.parent;
    if (range.parent < 0) {
        tree->root = node;
    } else {
        tree->nodes.data[range.parent].child[range.side] = node;
    }
}

// Makes the inner node of a range and the ranges of its two children. Its box waits for theirs.
static void build_inner(sn_bounds_tree *tree, build_range range, build_range children[2])
{
    int node = tree->free_node;
    tree->free_node = tree->nodes.data[node].parent;
    tree->nodes.data[node].item = -1;
    tree->nodes.data[node].height = 1;
    hang(tree, node, range);
    int middle = split_range(tree, range);
    int left_limit = child_height_limit(range.height_limit, range.end - middle);
    int right_limit = child_height_limit(range.height_limit, middle - range.begin);
    children[0] = (build_range){range.begin, middle, node, 0, left_limit};
    children[1] = (build_range){middle, range.end, node, 1, right_limit};
}

// Links the nodes; their boxes are left to a refit.
static void link_nodes(sn_bounds_tree *tree)
{
    int root_height_limit = least_height(tree->leaf_count) + SN_TREE_MAX_TILT;
    build_range stack[BUILD_STACK];
    stack[0] = (build_range){0, tree->leaf_count, -1, 0, root_height_limit};
    int depth = 1;
    while (depth > 0) {
        build_range range = stack[--depth];
        if (range.end - range.begin == 1) {
            hang(tree, tree->scratch.data[range.begin], range);
        } else {
            build_range children[2];
            build_inner(tree, range, children);
            stack[depth++] = children[1];
            stack[depth++] = children[0];
        }
    }
}

void sn_bounds_tree_rebuild(sn_bounds_tree *tree)
{
    if (tree->leaf_count > 0) {
        dismantle(tree);
        link_nodes(tree);
    }
    sn_bounds_tree_refit(tree);
    tree->added_count = tree->enlarged_count = 0;
    tree->built_cost = sn_bounds_tree_cost(tree);
}

// --- degradation ---------------------------------------------------------------------------------

// How much worse than after its rebuild a tree may become. A rebuild costs about as much as one query for
// every leaf; at this ratio it saves a fifth of that in every step to come.
static const float worn_ratio = 1.25f;

// Whatever its cost, a tree is rebuilt when each leaf was enlarged so often on average: one leaf far away
// from all others makes the cost insensitive to them.
static const int64_t most_enlarged = 8;

void sn_bounds_tree_tidy(sn_bounds_tree *tree)
{
    // Trees grown leaf by leaf cost a quarter more than built ones.
    bool worn =
        tree->added_count > tree->leaf_count / 2 || tree->enlarged_count > most_enlarged * tree->leaf_count;
    if (!worn && tree->enlarged) {
        sn_bounds_tree_refit(tree);
        worn = sn_bounds_tree_cost(tree) > worn_ratio * tree->built_cost;
    }
    if (worn) {
        sn_bounds_tree_rebuild(tree);
    }
}

float sn_bounds_tree_cost(const sn_bounds_tree *tree)
{
    if (tree->leaf_count < 2) {
        return 0.0f;
    }
    float sum = 0.0f;
    for (int i = 0; i < tree->nodes.count; ++i) {
        if (tree->nodes.data[i].height > 0) {
            sum += sn_tree_area(tree->nodes.data[i].bounds);
        }
    }
    float root_area = sn_tree_area(tree->nodes.data[tree->root].bounds);
    return root_area > 0.0f ? sum / root_area : 0.0f;
}
