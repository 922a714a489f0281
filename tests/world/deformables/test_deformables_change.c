// Changing deformables while they exist. Each change is judged thrice: made before the first step, it gives
// bit for bit what a definition with the new value gives; made while running, it gives bit for bit what a
// snapshot taken afterwards gives, for which rows and models are made anew; and where only numbers change, it
// needs no memory.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/soft_kit.h"
#include <string.h>

// --- changes -----------------------------------------------------------------------------------------------

// Writes what is wanted into the definition, and does it to the deformable if there is a world.
typedef sn_status (*change_function)(sn_world *world, sn_deformable deformable, sn_deformable_def *def);

#define CHANGE(name, setter, field, value)                                                                   \
    static sn_status name(sn_world *world, sn_deformable deformable, sn_deformable_def *def)                 \
    {                                                                                                        \
        def->field = (value);                                                                                \
        return world != NULL ? sn_deformable_##setter##_set(world, deformable, def->field) : SN_OK;          \
    }

CHANGE(stiffen, stiffness, model.stiffness, 400.0f)
CHANGE(follow_goals, stiffness, model.stiffness, 0.7f)
CHANGE(damp, damping, model.damping, 0.05f)
CHANGE(undamp, damping, model.damping, 0.0f)
CHANGE(harden, young, model.young, 5.0e4f)
CHANGE(harden_much, young, model.young, 3.0e7f) // explicit forces take steps of their own
CHANGE(thicken_sideways, poisson, model.poisson, 0.1f)
CHANGE(keep_areas, area_stiffness, model.area_stiffness, 3.0f)
CHANGE(keep_volumes, volume_stiffness, model.volume_stiffness, 0.8f)
CHANGE(drop_volumes, volume_stiffness, model.volume_stiffness, 0.0f)
CHANGE(share, matching_share, model.matching_share, 0.9f)
CHANGE(drag, drag, drag, 2.0f)
CHANGE(undrag, drag, drag, 0.0f)
CHANGE(lift, lift, lift, 1.5f)
CHANGE(thicken, thickness, thickness, 0.05f)
CHANGE(roughen, friction, friction, 0.05f)
CHANGE(bounce, restitution, restitution, 0.8f)
CHANGE(pass_through, filter, filter, ((sn_filter){2, 2, -3}))
CHANGE(brake, linear_damping, linear_damping, 3.0f)
CHANGE(rise, gravity_scale, gravity_scale, -0.5f)
CHANGE(stay_awake, allow_sleep, allow_sleep, false)

static sn_inextensible hold(bool on, sn_limit_side side, float compliance, float shear)
{
    sn_inextensible hold = sn_inextensible_default();
    hold.on = on;
    hold.side = side;
    hold.compliance = compliance;
    hold.damping = 0.01f;
    hold.max_force = 50.0f;
    hold.shear_stiffness = shear;
    hold.shear_damping = 0.02f;
    return hold;
}

static sn_bending bend(sn_bending_type type, float stiffness, float damping)
{
    sn_bending bending = sn_bending_default();
    bending.type = type;
    bending.stiffness = stiffness;
    bending.damping = damping;
    return bending;
}

CHANGE(loosen, inextensible, inextensible, hold(true, SN_HOLD_STRETCH, 1.0e-3f, 0.0f))
CHANGE(loosen_more, inextensible, inextensible, hold(true, SN_HOLD_BOTH, 1.0e-2f, 0.0f))
CHANGE(shear_more, inextensible, inextensible, hold(true, SN_HOLD_BOTH, 1.0e-4f, 60.0f))
CHANGE(shear, inextensible, inextensible, hold(true, SN_HOLD_STRETCH, 0.0f, 30.0f))
CHANGE(let_stretch, inextensible, inextensible, hold(false, SN_HOLD_BOTH, 0.0f, 0.0f))
CHANGE(bend_soft, bending, bending, bend(SN_BENDING_ISOMETRIC, 0.02f, 0.02f))
CHANGE(bend_angles, bending, bending, bend(SN_BENDING_DIHEDRAL, 0.01f, 0.0f))
CHANGE(bend_angles_more, bending, bending, bend(SN_BENDING_DIHEDRAL, 0.05f, 0.01f))
CHANGE(bend_hard, bending, bending, bend(SN_BENDING_DIHEDRAL, 0.0f, 0.0f))
CHANGE(bend_diagonals, bending, bending, bend(SN_BENDING_DIAGONAL, 0.02f, 0.01f))
CHANGE(bend_freely, bending, bending, bend(SN_BENDING_NONE, 0.0f, 0.0f))
CHANGE(swell, enclosure, enclosure, ((sn_enclosure){true, 1.3f, 1.0e-6f, 0.0f}))
CHANGE(inflate, enclosure, enclosure, ((sn_enclosure){false, 1.0f, 0.0f, 40.0f}))
CHANGE(open_up, enclosure, enclosure, ((sn_enclosure){false, 1.0f, 0.0f, 0.0f}))

// --- what is changed ---------------------------------------------------------------------------------------

typedef enum body { BLOCK, CLOTH, BALL, ROPE } body;

typedef struct change_row {
    const char *name;
    body body;
    change_function change;
    bool in_place; // numbers alone change
    sn_model model;
    sn_integrator integrator;
    change_function before[2]; // part of the definition
} change_row;

#define MODEL(what, ...)                                                                                     \
    {                                                                                                        \
        .type = SN_MODEL_##what, __VA_ARGS__                                                                 \
    }
#define SPRING .stiffness = 150.0f, .damping = 0.02f
#define JELLY  .young = 1.0e4f, .poisson = 0.3f, .damping = 0.01f
#define GOALS  .stiffness = 0.3f, .volume_stiffness = 0.2f, .damping = 0.1f, .matching_share = 0.5f
#define TERMS  .stiffness = 5.0f, .volume_stiffness = 5.0f, .damping = 0.01f

static const change_row rows[] = {
    {"springs, stiffness", BLOCK, stiffen, true, MODEL(SPRINGS, SPRING), 0, {0}},
    {"springs, damping", CLOTH, damp, true, MODEL(SPRINGS, SPRING), 0, {0}},
    {"springs of cloth", CLOTH, stiffen, true, MODEL(SPRINGS, SPRING), 0, {let_stretch}},
    {"spring forces, stiffness", BLOCK, stiffen, true, MODEL(SPRING_FORCES, SPRING), 0, {0}},
    {"spring forces, damping", BLOCK, undamp, true, MODEL(SPRING_FORCES, SPRING), 0, {0}},
    {"spring forces, Verlet", CLOTH, stiffen, true, MODEL(SPRING_FORCES, SPRING), SN_INTEGRATOR_VERLET, {0}},
    {"the same, undamped", CLOTH, undamp, true, MODEL(SPRING_FORCES, SPRING), SN_INTEGRATOR_VERLET, {0}},
    {"corotational, Young", BLOCK, harden, true, MODEL(COROTATIONAL, JELLY), 0, {0}},
    {"corotational, Poisson", BLOCK, thicken_sideways, true, MODEL(COROTATIONAL, JELLY), 0, {0}},
    {"corotational, damping", BLOCK, damp, true, MODEL(COROTATIONAL, JELLY), 0, {0}},
    {"explicit, Young",
     BLOCK,
     harden_much,
     true,
     MODEL(COROTATIONAL_EXPLICIT, .young = 1.0e4f, .poisson = 0.3f),
     0,
     {0}},
    {"explicit, Poisson", BLOCK, thicken_sideways, true, MODEL(COROTATIONAL_EXPLICIT, JELLY), 0, {0}},
    {"explicit, damping", BLOCK, damp, true, MODEL(COROTATIONAL_EXPLICIT, JELLY), SN_INTEGRATOR_HEUN, {0}},
    {"implicit, Young", BLOCK, harden, true, MODEL(COROTATIONAL_IMPLICIT, JELLY), 0, {0}},
    {"implicit, damping", BLOCK, damp, true, MODEL(COROTATIONAL_IMPLICIT, JELLY), 0, {0}},
    {"neo-Hookean, Young", BLOCK, harden, true, MODEL(NEO_HOOKEAN, JELLY), 0, {0}},
    {"neo-Hookean, Poisson", BLOCK, thicken_sideways, true, MODEL(NEO_HOOKEAN, JELLY), 0, {0}},
    {"neo-Hookean, damping", BLOCK, damp, true, MODEL(NEO_HOOKEAN, JELLY), 0, {0}},
    {"position based, stiffness", BLOCK, follow_goals, true, MODEL(POSITION_BASED, GOALS), 0, {0}},
    {"position based, volumes", BLOCK, keep_volumes, true, MODEL(POSITION_BASED, GOALS), 0, {0}},
    {"position based, damping", CLOTH, damp, true, MODEL(POSITION_BASED, GOALS), 0, {0}},
    {"matching, stiffness", BLOCK, follow_goals, true, MODEL(SHAPE_MATCHING, GOALS), 0, {0}},
    {"matching, damping", BLOCK, undamp, true, MODEL(SHAPE_MATCHING, GOALS), 0, {0}},
    {"matching, share",
     BLOCK,
     share,
     true,
     MODEL(SHAPE_MATCHING, GOALS, .matching = SN_MATCH_LINEAR),
     0,
     {0}},
    {"clusters, stiffness",
     BLOCK,
     follow_goals,
     true,
     MODEL(SHAPE_MATCHING, GOALS, .cluster_rings = 1),
     0,
     {0}},
    {"energy, stiffness", BLOCK, stiffen, true, MODEL(ENERGY, TERMS), 0, {0}},
    {"energy, damping", BLOCK, damp, true, MODEL(ENERGY, TERMS), 0, {0}},
    {"energy, volumes", BLOCK, keep_volumes, true, MODEL(ENERGY, TERMS), SN_INTEGRATOR_IMPLICIT_EULER, {0}},
    {"energy, areas appear", CLOTH, keep_areas, false, MODEL(ENERGY, TERMS), 0, {0}},
    {"energy, volumes go", BLOCK, drop_volumes, false, MODEL(ENERGY, TERMS), SN_INTEGRATOR_VERLET, {0}},
    {"edges give way", CLOTH, loosen_more, true, MODEL(NONE, 0), 0, {loosen}},
    {"diagonals give way", CLOTH, shear_more, true, MODEL(NONE, 0), 0, {shear}},
    {"edges held, then softly", CLOTH, loosen, false, MODEL(NONE, 0), 0, {shear}},
    {"diagonals shear", CLOTH, shear, false, MODEL(NONE, 0), 0, {loosen}},
    {"edges let go", ROPE, let_stretch, false, MODEL(NONE, 0), 0, {loosen}},
    {"edges held", ROPE, loosen, false, MODEL(SPRINGS, SPRING), 0, {let_stretch}},
    {"edges of a cushion", BALL, shear, false, MODEL(NONE, 0), 0, {loosen, inflate}},
    {"bending softly", CLOTH, bend_soft, false, MODEL(SPRINGS, SPRING), 0, {0}},
    {"bending more softly", CLOTH, bend_angles_more, true, MODEL(SPRINGS, SPRING), 0, {bend_angles}},
    {"bending of a strand", ROPE, bend_soft, false, MODEL(NONE, 0), 0, {loosen, bend_angles}},
    {"bending becomes hard", CLOTH, bend_hard, false, MODEL(SPRINGS, SPRING), 0, {bend_angles}},
    {"bending by diagonals", ROPE, bend_diagonals, false, MODEL(SPRINGS, SPRING), 0, {bend_hard}},
    {"bending goes", CLOTH, bend_freely, false, MODEL(SPRINGS, SPRING), 0, {bend_soft}},
    {"volume at rest", BALL, swell, true, MODEL(SPRINGS, SPRING), 0, {inflate}},
    {"pressure instead", BALL, inflate, true, MODEL(SPRINGS, SPRING), 0, {swell}},
    {"enclosed", BALL, swell, false, MODEL(SPRINGS, SPRING), 0, {0}},
    {"opened", BALL, open_up, false, MODEL(SPRINGS, SPRING), 0, {swell, drag}},
    {"more drag", CLOTH, drag, true, MODEL(SPRINGS, SPRING), 0, {lift}},
    {"more lift", BALL, lift, true, MODEL(SPRINGS, SPRING), 0, {drag}},
    {"drag appears", ROPE, drag, false, MODEL(SPRINGS, SPRING), 0, {0}},
    {"drag goes", CLOTH, undrag, false, MODEL(SPRINGS, SPRING), 0, {drag}},
    {"thickness", CLOTH, thicken, true, MODEL(SPRINGS, SPRING), 0, {0}},
    {"thickness in the wind", ROPE, thicken, true, MODEL(SPRINGS, SPRING), 0, {drag}},
    {"friction", BLOCK, roughen, true, MODEL(COROTATIONAL, JELLY), 0, {0}},
    {"restitution", BALL, bounce, true, MODEL(SPRINGS, SPRING), 0, {0}},
    {"filter", CLOTH, pass_through, true, MODEL(SPRINGS, SPRING), 0, {0}},
    {"linear damping", BLOCK, brake, true, MODEL(ENERGY, TERMS), SN_INTEGRATOR_VERLET, {0}},
    {"gravity scale", BLOCK, rise, true, MODEL(COROTATIONAL, JELLY), 0, {0}},
    {"sleep", BLOCK, stay_awake, true, MODEL(COROTATIONAL, JELLY), 0, {0}},
};

enum { ROWS = sizeof rows / sizeof *rows };

static sn_mesh *mesh_of(body body)
{
    sn_mesh *mesh = NULL;
    switch (body) {
    case BLOCK:
        assert_ok(sn_mesh_box(sn_v(0.4f, 0.3f, 0.3f), 3, 2, 2, &mesh));
        break;
    case CLOTH:
        assert_ok(sn_mesh_grid(1.0f, 1.0f, 5, 5, SN_GRID_ALTERNATING, &mesh));
        break;
    case BALL:
        assert_ok(sn_mesh_sphere_surface(0.3f, 2, &mesh));
        break;
    case ROPE:
        assert_ok(sn_mesh_line(1.0f, 12, &mesh));
        break;
    }
    return mesh;
}

// Just above the floor, about to slide over it in a wind; a cloth stands on its edge and folds onto itself.
// Three of its edges are held in ways of their own.
static sn_deformable_def define(const change_row *row, const sn_mesh *mesh)
{
    static sn_edge_option options[3];
    for (int i = 0; i < 3; ++i) {
        options[i] = sn_edge_option_default();
        options[i].edge = 2 * i + 1;
        options[i].compliance = 1.0e-4f;
    }
    const float heights[] = {[BLOCK] = 0.22f, [CLOTH] = 0.52f, [BALL] = 0.62f, [ROPE] = 0.2f};
    sn_deformable_def def = sn_deformable_def_default();
    def.mesh = mesh;
    def.pose.position = sn_v(0.0f, heights[row->body], 0.0f);
    def.pose.rotation =
        row->body == CLOTH ? sn_quat_identity : sn_quat_axis_angle(sn_v(0.0f, 0.8f, 0.6f), 0.5f);
    def.linear_velocity = sn_v(1.0f, -0.5f, 0.1f);
    def.mass = 0.5f;
    def.model = row->model;
    def.integrator = row->integrator;
    def.self_collide = row->body == CLOTH;
    def.edge_options = options;
    def.edge_option_count = row->body == CLOTH ? 3 : 0;
    for (int i = 0; i < 2 && row->before[i] != NULL; ++i) {
        assert_ok(row->before[i](NULL, (sn_deformable){0}, &def));
    }
    return def;
}

static sn_world *windy_world(sn_solver_type solver)
{
    sn_world_def def = sn_world_def_default();
    def.wind = sn_v(3.0f, 0.0f, 1.0f);
    def.restitution_threshold = 0.1f;
    def.solver = solver;
    sn_world *world = NULL;
    assert_ok(sn_world_create(&def, &world));
    add_floor(world);
    return world;
}

static void require(bool holds, const char *what, const char *name)
{
    if (!holds) {
        fail_msg("%s: %s", name, what);
    }
}

// --- before the first step ---------------------------------------------------------------------------------

static void judge_set_at_once(const change_row *row, sn_solver_type solver)
{
    sn_mesh *mesh = mesh_of(row->body);
    sn_world *defined = windy_world(solver), *changed = windy_world(solver);
    sn_deformable_def def = define(row, mesh);
    sn_deformable one = soft_add(changed, &def);
    require(row->change(changed, one, &def) == SN_OK, sn_world_error(changed), row->name);
    (void)soft_add(defined, &def);
    require(sn_world_hash(defined) == sn_world_hash(changed), "another definition", row->name);
    for (int i = 0; i < 20; ++i) {
        run_steps(defined, 1);
        run_steps(changed, 1);
        require(sn_world_hash(defined) == sn_world_hash(changed), "another motion", row->name);
    }
    sn_world_destroy(defined);
    sn_world_destroy(changed);
    sn_mesh_destroy(mesh);
}

static void test_what_is_set_before_the_first_step_is_as_if_defined_so(void **state)
{
    (void)state;
    for (int i = 0; i < ROWS; ++i) {
        judge_set_at_once(&rows[i], SN_SOLVER_VELOCITY);
        judge_set_at_once(&rows[i], SN_SOLVER_STAGGERED);
    }
}

// --- while running -----------------------------------------------------------------------------------------

static sn_world *copy_of(const sn_world *world)
{
    size_t size = 0;
    assert_ok(sn_world_save(world, NULL, 0, &size));
    void *bytes = malloc(size);
    assert_ok(sn_world_save(world, bytes, size, &size));
    sn_world *copy = kit_world();
    assert_ok(sn_world_restore(copy, bytes, size));
    free(bytes);
    return copy;
}

// Whether some node of the only deformable of both worlds is not where it is in the other.
static bool are_elsewhere(const sn_world *world, const sn_world *other)
{
    sn_deformable here, there;
    assert_int_equal(sn_world_deformables(world, &here, 1), 1);
    assert_int_equal(sn_world_deformables(other, &there, 1), 1);
    const sn_node_state *a = sn_deformable_nodes(world, here), *b = sn_deformable_nodes(other, there);
    return memcmp(a, b, (size_t)sn_deformable_node_count(world, here) * sizeof *a) != 0;
}

static void judge_set_while_running(const change_row *row)
{
    sn_mesh *mesh = mesh_of(row->body);
    sn_world *world = windy_world(SN_SOLVER_VELOCITY), *unchanged;
    sn_deformable_def def = define(row, mesh);
    sn_deformable one = soft_add(world, &def);
    run_steps(world, 12);
    unchanged = copy_of(world);
    if (row->in_place) {
        test_memory_allow(0);
    }
    sn_status status = row->change(world, one, &def);
    test_memory_allow_all();
    require(status == SN_OK, sn_world_error(world), row->name);
    sn_world *made_anew = copy_of(world);
    for (int i = 0; i < 12; ++i) {
        run_steps(world, 1);
        run_steps(made_anew, 1);
        run_steps(unchanged, 1);
        require(sn_world_hash(world) == sn_world_hash(made_anew), "another motion than made anew", row->name);
    }
    require(row->change == stay_awake || are_elsewhere(world, unchanged), "no effect", row->name);
    sn_world_destroy(world);
    sn_world_destroy(made_anew);
    sn_world_destroy(unchanged);
    sn_mesh_destroy(mesh);
}

static void test_what_is_set_while_running_is_as_if_made_anew_from_a_snapshot(void **state)
{
    (void)state;
    for (int i = 0; i < ROWS; ++i) {
        judge_set_while_running(&rows[i]);
    }
}

// --- effects -----------------------------------------------------------------------------------------------

static void test_whatever_changes_wakes_what_sleeps(void **state)
{
    (void)state;
    for (int i = 0; i < ROWS; ++i) {
        sn_mesh *mesh = mesh_of(rows[i].body);
        sn_world *world = windy_world(SN_SOLVER_VELOCITY);
        sn_deformable_def def = define(&rows[i], mesh);
        sn_deformable one = soft_add(world, &def);
        assert_ok(sn_deformable_awake_set(world, one, false));
        assert_ok(sn_deformable_allow_sleep_set(world, one, true));
        assert_ok(sn_deformable_user_set(world, one, world));
        assert_false(sn_deformable_is_awake(world, one));
        assert_ok(rows[i].change(world, one, &def));
        require(sn_deformable_is_awake(world, one), "sleeps on", rows[i].name);
        sn_world_destroy(world);
        sn_mesh_destroy(mesh);
    }
}

static void test_another_filter_ends_contacts(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    add_floor(world);
    sn_mesh *mesh = mesh_of(BLOCK);
    sn_deformable_def def = sn_deformable_def_default();
    def.mesh = mesh;
    def.pose.position = sn_v(0.0f, 0.16f, 0.0f);
    def.model = sn_model_corotational(1.0e5f, 0.3f);
    sn_deformable jelly = soft_add(world, &def);
    run_steps(world, 120);
    assert_true(sn_deformable_measure_now(world, jelly).center.y > 0.1f);
    assert_ok(sn_deformable_filter_set(world, jelly, (sn_filter){1, 0, 0}));
    run_steps(world, 1);
    assert_int_equal(sn_world_events(world).deformable_end_count, 1);
    assert_int_equal(sn_deformable_contacts(world, jelly, NULL, 0), 0);
    run_steps(world, 29); // ½ g t² = 1.2 m
    assert_true(sn_deformable_measure_now(world, jelly).center.y < -0.8f);
    assert_ok(sn_deformable_filter_set(world, jelly, sn_filter_default()));
    sn_world_destroy(world);
    sn_mesh_destroy(mesh);
}

// From 2 m/s with µ = √(½ × friction of the jelly): v²/2µg.
static void test_friction_holds_what_slides(void **state)
{
    (void)state;
    sn_world *world = soft_restless_world();
    add_floor(world);
    sn_mesh *mesh = mesh_of(BLOCK);
    sn_deformable_def def = sn_deformable_def_default();
    def.mesh = mesh;
    def.pose.position = sn_v(0.0f, 0.155f, 0.0f);
    def.model = sn_model_corotational(2.0e5f, 0.3f);
    def.friction = 0.0f;
    sn_deformable block = soft_add(world, &def);
    run_steps(world, 60);
    assert_ok(sn_deformable_friction_set(world, block, 0.125f)); // µ = ¼
    sn_node_state *nodes;
    sn_node_velocity *velocities;
    assert_ok(sn_deformable_edit(world, block, &nodes, &velocities));
    for (int i = 0; i < sn_deformable_node_count(world, block); ++i) {
        velocities[i].velocity = sn_v(2.0f, 0.0f, 0.0f);
    }
    float start = sn_deformable_measure_now(world, block).center.x;
    run_steps(world, 120);
    float displacement = sn_deformable_measure_now(world, block).center.x - start;
    assert_near(displacement, 4.0 / (2.0 * 0.25 * 9.81), 0.03);
    sn_world_destroy(world);
    sn_mesh_destroy(mesh);
}

static void test_what_was_set_is_in_the_definition(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_deformable cloth = soft_cloth(world, 3, sn_v(0.0f, 0.0f, 0.0f));
    sn_bending bending = bend(SN_BENDING_ISOMETRIC, 1.0e-4f, 0.1f);
    assert_ok(sn_deformable_bending_set(world, cloth, bending));
    assert_ok(sn_deformable_inextensible_set(world, cloth, hold(true, SN_HOLD_STRETCH, 1.0e-3f, 7.0f)));
    assert_ok(sn_deformable_drag_set(world, cloth, 1.2f));
    assert_ok(sn_deformable_user_set(world, cloth, &bending));
    sn_deformable_def def = sn_deformable_definition(world, cloth);
    assert_true(def.bending.type == SN_BENDING_ISOMETRIC && def.bending.stiffness == 1.0e-4f);
    assert_true(def.inextensible.compliance == 1.0e-3f && def.inextensible.shear_stiffness == 7.0f);
    assert_true(def.drag == 1.2f && def.user == &bending);
    assert_ptr_equal(sn_deformable_user(world, cloth), &bending);
    sn_world_destroy(world);
}

static void test_defaults_of_parts_are_those_of_the_whole(void **state)
{
    (void)state;
    sn_deformable_def def = sn_deformable_def_default();
    sn_inextensible inextensible = sn_inextensible_default();
    sn_edge_option option = sn_edge_option_default();
    sn_bending bending = sn_bending_default();
    sn_enclosure enclosure = sn_enclosure_default();
    sn_filter filter = sn_filter_default();
    sn_staggered staggered = sn_staggered_default(), of_world = sn_world_def_default().staggered;
    assert_true(!inextensible.on && inextensible.max_force == def.inextensible.max_force);
    assert_true(option.edge == 0 && option.side == SN_HOLD_BOTH && option.compliance == 0.0f);
    assert_true(option.max_force == INFINITY);
    assert_true(bending.type == def.bending.type && bending.max_impulse == def.bending.max_impulse);
    assert_true(!enclosure.preserve && enclosure.scale == def.enclosure.scale);
    assert_true(filter.category == def.filter.category && filter.mask == def.filter.mask &&
                filter.group == def.filter.group);
    assert_true(staggered.rigid_iterations == 2 && staggered.node_iterations == 2 && !staggered.dummy_nodes);
    assert_true(staggered.correction == of_world.correction && staggered.warm_start == of_world.warm_start);
}

// --- without memory ----------------------------------------------------------------------------------------

static void test_without_memory_nothing_changes(void **state)
{
    (void)state;
    for (int i = 0; i < ROWS; ++i) {
        sn_mesh *mesh = mesh_of(rows[i].body);
        sn_world *world = windy_world(SN_SOLVER_VELOCITY);
        sn_deformable_def def = define(&rows[i], mesh);
        sn_deformable one = soft_add(world, &def);
        run_steps(world, 2);
        uint64_t hash = sn_world_hash(world);
        sn_status status = SN_ERROR_MEMORY;
        for (int allowed = 0; status != SN_OK && allowed < 60; ++allowed) {
            test_memory_allow(allowed);
            status = rows[i].change(world, one, &def);
            test_memory_allow_all();
            require(status == SN_OK || status == SN_ERROR_MEMORY, sn_world_error(world), rows[i].name);
            require(status == SN_OK || sn_world_hash(world) == hash, "half changed", rows[i].name);
        }
        assert_int_equal(status, SN_OK);
        run_steps(world, 2);
        sn_world_destroy(world);
        sn_mesh_destroy(mesh);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_what_is_set_before_the_first_step_is_as_if_defined_so),
        test_with_memory(test_what_is_set_while_running_is_as_if_made_anew_from_a_snapshot),
        test_with_memory(test_whatever_changes_wakes_what_sleeps),
        test_with_memory(test_another_filter_ends_contacts),
        test_with_memory(test_friction_holds_what_slides),
        test_with_memory(test_what_was_set_is_in_the_definition),
        test_with_memory(test_defaults_of_parts_are_those_of_the_whole),
        test_with_memory(test_without_memory_nothing_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
