// Adding, removing and changing leaves of a bounds tree. Insertion descends by the surface-area heuristic
// with a lower bound that ends the descent, and each ancestor then tries the four rotations that exchange a
// child with a grandchild (after E. Catto, "Dynamic Bounding Volume Hierarchies", GDC 2019, and Kopta et al.,
// "Fast, Effective BVH Updates for Animated Scenes", 2012). Rotations also keep the tilt rule of
// bounds_tree_parts.h. Rebuilding is in bounds_tree_build.c, queries are in bounds_tree_query.c.
#include "collision/broad/bounds_tree.h"
#include "collision/broad/bounds_tree_parts.h"
#include <float.h>
#include <limits.h>

// --- storage -------------------------------------------------------------------------------------

void sn_bounds_tree_init(sn_bounds_tree *tree)
{
    *tree = (sn_bounds_tree){.root = -1, .free_node = -1};
}

void sn_bounds_tree_release(sn_bounds_tree *tree)
{
    sn_array_release(&tree->nodes);
    sn_array_release(&tree->scratch);
    sn_bounds_tree_init(tree);
}

bool sn_bounds_tree_reserve(sn_bounds_tree *tree, int leaves)
{
    if (leaves <= 0) {
        return true;
    }
    if (leaves > INT_MAX / 2 - tree->leaf_count) {
        return false;
    }
    // n leaves need n − 1 inner nodes; free nodes are within the array.
    int leaf_count = tree->leaf_count + leaves;
    return sn_array_reserve(&tree->nodes, 2 * leaf_count - 1) && sn_array_reserve(&tree->scratch, leaf_count);
}

// Never fails: memory was reserved when the leaf was added.
static int take_node(sn_bounds_tree *tree)
{
    if (tree->free_node < 0) {
        return tree->nodes.count++;
    }
    int index = tree->free_node;
    tree->free_node = tree->nodes.data[index].parent;
    return index;
}

static void give_back_node(sn_bounds_tree *tree, int index)
{
    sn_tree_node *node = &tree->nodes.data[index];
    node->parent = tree->free_node;
    node->height = -1;
    tree->free_node = index;
}

// --- links ---------------------------------------------------------------------------------------

static int side_of(const sn_tree_node *nodes, int parent, int child)
{
    return nodes[parent].child[1] == child;
}

static void set_child(sn_tree_node *nodes, int parent, int side, int child)
{
    nodes[parent].child[side] = child;
    nodes[child].parent = parent;
}

// Puts `replacement` where `node` hangs: under its parent or at the root.
static void replace_node(sn_bounds_tree *tree, int node, int replacement)
{
    sn_tree_node *nodes = tree->nodes.data;
    int parent = nodes[node].parent;
    if (parent < 0) {
        tree->root = replacement;
        nodes[replacement].parent = -1;
    } else {
        set_child(nodes, parent, side_of(nodes, parent, node), replacement);
    }
}

// --- rotations -----------------------------------------------------------------------------------

// Exchanges the child on `side` of `node` with a grandchild, the one on `grand_side` of the other child:
// node(near, far(a, b)) becomes node(a, far(near, b)).
typedef struct rotation {
    int side, grand_side;
    float area_change; // of the other child's box
} rotation;

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static bool differ_at_most(int a, int b, int difference)
{
    return a - b <= difference && b - a <= difference;
}

// Measures a rotation; false if the node would then break the tilt rule or differ in height by more than one
// from `height_before`, which its ancestors could not repair by one rotation each.
static bool rotation_measure(const sn_tree_node *nodes, int node, int height_before, rotation *candidate)
{
    const sn_tree_node *near = &nodes[nodes[node].child[candidate->side]];
    const sn_tree_node *far = &nodes[nodes[node].child[1 - candidate->side]];
    if (sn_tree_node_is_leaf(far)) {
        return false;
    }
    const sn_tree_node *rising = &nodes[far->child[candidate->grand_side]];
    const sn_tree_node *staying = &nodes[far->child[1 - candidate->grand_side]];
    candidate->area_change =
        sn_tree_area(sn_bounds_union(near->bounds, staying->bounds)) - sn_tree_area(far->bounds);

    int far_height = 1 + larger(near->height, staying->height);
    int node_height = 1 + larger(rising->height, far_height);
    return differ_at_most(near->height, staying->height, SN_TREE_MAX_TILT) &&
           differ_at_most(rising->height, far_height, SN_TREE_MAX_TILT) &&
           differ_at_most(node_height, height_before, 1);
}

static void rotation_apply(sn_tree_node *nodes, int node, rotation chosen)
{
    int near = nodes[node].child[chosen.side];
    int far = nodes[node].child[1 - chosen.side];
    int rising = nodes[far].child[chosen.grand_side];
    set_child(nodes, node, chosen.side, rising);
    set_child(nodes, far, chosen.grand_side, near);
    sn_tree_update_node(nodes, far);
    sn_tree_update_node(nodes, node);
}

// Applies the rotation that saves most area, if one does. A node that breaks the tilt rule gets the best
// allowed rotation even if that costs area. There always is one: raising the taller grandchild of the taller
// child repairs a tilt that is too large by one.
static void rotate_node(sn_tree_node *nodes, int node, int height_before)
{
    const int *child = nodes[node].child;
    bool must = !differ_at_most(nodes[child[0]].height, nodes[child[1]].height, SN_TREE_MAX_TILT);
    rotation best = {.side = -1, .area_change = must ? FLT_MAX : 0.0f};
    for (int i = 0; i < 4; ++i) {
        rotation candidate = {.side = i >> 1, .grand_side = i & 1};
        if (rotation_measure(nodes, node, height_before, &candidate) &&
            (candidate.area_change < best.area_change || (must && best.side < 0))) {
            best = candidate;
        }
    }
    if (best.side >= 0) {
        rotation_apply(nodes, node, best);
    }
}

// Updates a node and all its ancestors after a child's height changed by at most one.
static void update_ancestors(sn_bounds_tree *tree, int node)
{
    sn_tree_node *nodes = tree->nodes.data;
    while (node >= 0) {
        int height_before = nodes[node].height;
        sn_tree_update_node(nodes, node);
        rotate_node(nodes, node, height_before);
        node = nodes[node].parent;
    }
}

// --- leaves --------------------------------------------------------------------------------------

// A lower bound of the area that a leaf adds in the subtree of `node` if it becomes a sibling of `node` or of
// any node below: below, the node grows and a new parent has at least the area of the leaf; as a sibling, the
// new parent contains both.
static float subtree_cost_bound(sn_bounds node, sn_bounds leaf)
{
    float area = sn_tree_area(node);
    return sn_tree_area(sn_bounds_union(node, leaf)) - area + sn_min(sn_tree_area(leaf), area);
}

static float centre_distance_squared(sn_bounds a, sn_bounds b)
{
    // Twice the distance, which compares as well.
    return sn_length_squared(sn_sub(sn_add(a.lower, a.upper), sn_add(b.lower, b.upper)));
}

// The child of `node` into which a leaf should descend, and the bound of its cost there. A leaf inside both
// children costs the same in both and goes to the closer centre.
static int better_side(const sn_tree_node *nodes, int node, sn_bounds leaf, float *bound)
{
    sn_bounds a = nodes[nodes[node].child[0]].bounds;
    sn_bounds b = nodes[nodes[node].child[1]].bounds;
    float bound_a = subtree_cost_bound(a, leaf);
    float bound_b = subtree_cost_bound(b, leaf);
    bool second = bound_a == bound_b ? centre_distance_squared(b, leaf) < centre_distance_squared(a, leaf)
                                     : bound_b < bound_a;
    *bound = second ? bound_b : bound_a;
    return second;
}

// The sibling with which a leaf adds least area to the tree: their new parent contains both, and all
// ancestors grow. The descent follows the child with the smaller bound and ends when that cannot win. Nodes
// taller than the tilt rule allows beside a leaf are no candidates.
static int best_sibling(const sn_bounds_tree *tree, sn_bounds leaf)
{
    const sn_tree_node *nodes = tree->nodes.data;
    float ancestors_growth = 0.0f;
    float best_cost = FLT_MAX;
    int best = -1;
    int current = tree->root;
    for (;;) {
        const sn_tree_node *node = &nodes[current];
        float joint_area = sn_tree_area(sn_bounds_union(node->bounds, leaf));
        if (node->height <= SN_TREE_MAX_TILT && ancestors_growth + joint_area < best_cost) {
            best_cost = ancestors_growth + joint_area;
            best = current;
        }
        if (sn_tree_node_is_leaf(node)) {
            return best < 0 ? current : best;
        }
        ancestors_growth += joint_area - sn_tree_area(node->bounds);
        float bound;
        int side = better_side(nodes, current, leaf, &bound);
        if (best >= 0 && ancestors_growth + bound >= best_cost) {
            return best;
        }
        current = node->child[side];
    }
}

static void insert_leaf(sn_bounds_tree *tree, int leaf)
{
    if (tree->root < 0) {
        tree->root = leaf;
        tree->nodes.data[leaf].parent = -1;
        return;
    }
    int sibling = best_sibling(tree, tree->nodes.data[leaf].bounds);
    int parent = take_node(tree);
    sn_tree_node *nodes = tree->nodes.data;
    replace_node(tree, sibling, parent);
    nodes[parent].item = -1;
    nodes[parent].height = nodes[sibling].height;
    set_child(nodes, parent, 0, sibling);
    set_child(nodes, parent, 1, leaf);
    update_ancestors(tree, parent);
}

static void detach_leaf(sn_bounds_tree *tree, int leaf)
{
    sn_tree_node *nodes = tree->nodes.data;
    int parent = nodes[leaf].parent;
    if (parent < 0) {
        tree->root = -1;
        return;
    }
    int sibling = nodes[parent].child[1 - side_of(nodes, parent, leaf)];
    replace_node(tree, parent, sibling);
    give_back_node(tree, parent);
    update_ancestors(tree, nodes[sibling].parent);
}

int sn_bounds_tree_add(sn_bounds_tree *tree, sn_bounds bounds, uint64_t category, int item)
{
    if (!sn_bounds_tree_reserve(tree, 1)) {
        return -1;
    }
    int leaf = take_node(tree);
    sn_tree_node *node = &tree->nodes.data[leaf];
    node->bounds = bounds;
    node->category = category;
    node->item = item;
    node->height = 0;
    node->child[0] = node->child[1] = -1;
    insert_leaf(tree, leaf);
    ++tree->leaf_count;
    ++tree->added_count;
    return leaf;
}

void sn_bounds_tree_remove(sn_bounds_tree *tree, int leaf)
{
    detach_leaf(tree, leaf);
    give_back_node(tree, leaf);
    --tree->leaf_count;
}

void sn_bounds_tree_move(sn_bounds_tree *tree, int leaf, sn_bounds bounds)
{
    detach_leaf(tree, leaf);
    tree->nodes.data[leaf].bounds = bounds;
    insert_leaf(tree, leaf);
}

void sn_bounds_tree_enlarge(sn_bounds_tree *tree, int leaf, sn_bounds bounds)
{
    sn_tree_node *nodes = tree->nodes.data;
    nodes[leaf].bounds = bounds;
    tree->enlarged = true;
    ++tree->enlarged_count;
    int node = nodes[leaf].parent;
    while (node >= 0 && !sn_bounds_contain(nodes[node].bounds, bounds)) {
        nodes[node].bounds = sn_bounds_union(nodes[node].bounds, bounds);
        node = nodes[node].parent;
    }
}

int sn_bounds_tree_height(const sn_bounds_tree *tree)
{
    return tree->root < 0 ? 0 : tree->nodes.data[tree->root].height;
}
