// Every definition that can be asked for makes the same thing again: bodies, shapes of every type,
// constraints of every kind, worlds.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/random.h"
#include "support/world_kit.h"
#include <string.h>

static int token_a, token_b; // for user pointers

static sn_pose random_pose(test_random *random)
{
    sn_vec3 position = test_random_vec3(random, 3.0f);
    return (sn_pose){position, sn_quat_normalize(test_random_rotation(random))};
}

// --- bodies --------------------------------------------------------------------------------------

static sn_rigid_def random_body(test_random *random, sn_rigid_type type)
{
    sn_rigid_def def = sn_rigid_def_default();
    sn_pose pose = random_pose(random);
    def.type = type;
    def.position = pose.position;
    def.rotation = pose.rotation;
    def.linear_velocity = test_random_vec3(random, 5.0f);
    def.angular_velocity = test_random_vec3(random, 5.0f);
    def.linear_damping = test_random_float(random, 0.0f, 2.0f);
    def.angular_damping = test_random_float(random, 0.0f, 2.0f);
    def.gravity_scale = test_random_float(random, -1.0f, 2.0f);
    def.locks = test_random_u32(random) % 64;
    def.allow_sleep = test_random_u32(random) % 2;
    def.bullet = test_random_u32(random) % 2;
    def.name = "the limit is sixty-three bytes, and here they are: sixty-three!";
    def.user = &token_a;
    return def;
}

static void assert_same_body(const sn_rigid_def *a, const sn_rigid_def *b, double tolerance)
{
    assert_int_equal(a->cookie, b->cookie);
    assert_int_equal(a->type, b->type);
    assert_vec3_near(a->position, b->position, tolerance);
    assert_near(a->rotation.x, b->rotation.x, tolerance);
    assert_near(a->rotation.y, b->rotation.y, tolerance);
    assert_near(a->rotation.z, b->rotation.z, tolerance);
    assert_near(a->rotation.w, b->rotation.w, tolerance);
    assert_vec3_near(a->linear_velocity, b->linear_velocity, tolerance);
    assert_vec3_near(a->angular_velocity, b->angular_velocity, tolerance);
    assert_true(a->linear_damping == b->linear_damping && a->angular_damping == b->angular_damping);
    assert_true(a->gravity_scale == b->gravity_scale && a->locks == b->locks);
    assert_true(a->allow_sleep == b->allow_sleep && a->bullet == b->bullet && a->awake == b->awake);
    assert_ptr_equal(a->user, b->user);
    assert_true((a->name == NULL) == (b->name == NULL));
    assert_true(a->name == NULL || strcmp(a->name, b->name) == 0);
}

static void test_a_bodys_definition_is_what_made_it(void **state)
{
    (void)state;
    test_random random = {1};
    sn_world *world = kit_world();
    const sn_rigid_type types[] = {SN_DYNAMIC, SN_KINEMATIC, SN_STATIC};
    for (int i = 0; i < 60; ++i) {
        sn_rigid_def def = random_body(&random, types[i % 3]), again;
        def.name = i % 2 == 0 ? def.name : NULL;
        sn_rigid one, two;
        assert_ok(sn_rigid_add(world, &def, &one));
        sn_rigid_def asked = sn_rigid_definition(world, one);
        if (def.type == SN_STATIC) {
            def.linear_velocity = def.angular_velocity = sn_v(0.0f, 0.0f, 0.0f);
        }
        assert_same_body(&def, &asked, 1e-6);
        assert_ok(sn_rigid_add(world, &asked, &two));
        again = sn_rigid_definition(world, two);
        assert_same_body(&asked, &again, 1e-6);
    }
    sn_world_destroy(world);
}

// Spinning, with shapes off the origin: velocities are those of the mass centre, which only the shapes move.
static void test_a_spinning_body_with_an_eccentric_mass_is_made_again_within_1e_5(void **state)
{
    (void)state;
    test_random random = {2};
    for (int i = 0; i < 30; ++i) {
        sn_world *world = kit_world();
        assert_ok(sn_world_gravity_set(world, sn_v(0.0f, 0.0f, 0.0f)));
        sn_rigid bodies[2];
        sn_rigid_def def = random_body(&random, SN_DYNAMIC);
        def.locks = 0;
        sn_shape_def beside = default_material();
        beside.offset = random_pose(&random);
        sn_mass lump = {3.0f, {0.5f, 0.0f, -0.4f}, sn_mat3_diagonal(1.0f, 2.0f, 2.5f)};
        for (int k = 0; k < 2; ++k) {
            assert_ok(sn_rigid_add(world, &def, &bodies[k]));
            if (i % 2 == 0) {
                assert_ok(sn_box_add(world, bodies[k], &beside, (sn_box){{0.1f, 0.2f, 0.3f}}, NULL));
                (void)sn_shape_filter_set(world, first_shape(world, bodies[k]), (sn_filter){1, 0, 0});
            } else {
                assert_ok(sn_rigid_mass_set(world, bodies[k], &lump));
            }
            if (k == 0) {
                run_steps(world, 7);
                def = sn_rigid_definition(world, bodies[0]);
            }
        }
        assert_vec3_near(sn_rigid_center(world, bodies[0]), sn_rigid_center(world, bodies[1]), 1e-5);
        assert_vec3_near(sn_rigid_linear_velocity(world, bodies[0]),
                         sn_rigid_linear_velocity(world, bodies[1]), 1e-5);
        assert_vec3_near(sn_rigid_angular_velocity(world, bodies[0]),
                         sn_rigid_angular_velocity(world, bodies[1]), 1e-5);
        sn_world_destroy(world);
    }
}

static void test_a_sleeping_body_is_made_again_asleep(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    add_floor(world);
    sn_rigid box = add_box_at(world, 0.5f, 0.0f, 0.5f, 0.0f), copy;
    run_steps(world, 90);
    sn_rigid_def def = sn_rigid_definition(world, box);
    assert_false(def.awake);
    def.position.x = 5.0f;
    assert_ok(sn_rigid_add(world, &def, &copy));
    assert_ok(sn_box_add(world, copy, NULL, (sn_box){{0.5f, 0.5f, 0.5f}}, NULL));
    assert_false(sn_rigid_is_awake(world, copy));
    sn_world_destroy(world);
}

// --- shapes --------------------------------------------------------------------------------------

static sn_shape_def random_shape(test_random *random)
{
    sn_shape_def def = default_material();
    def.offset = random_pose(random);
    def.density = test_random_float(random, 10.0f, 5000.0f);
    def.friction = test_random_float(random, 0.0f, 1.0f);
    def.restitution = test_random_float(random, 0.0f, 1.0f);
    def.rolling_resistance = test_random_float(random, 0.0f, 0.1f);
    def.filter = (sn_filter){test_random_u32(random), test_random_u32(random),
                             -(int32_t)(test_random_u32(random) % 9)};
    def.contact_events = test_random_u32(random) % 2;
    def.hit_events = test_random_u32(random) % 2;
    def.sensor = test_random_u32(random) % 2;
    def.surface_velocity = test_random_vec3(random, 5.0f);
    def.user = &token_b;
    return def;
}

static void assert_same_shape(const sn_shape_def *a, const sn_shape_def *b)
{
    assert_int_equal(a->cookie, b->cookie);
    assert_true(same_vec3(a->offset.position, b->offset.position));
    assert_near(a->offset.rotation.x, b->offset.rotation.x, 1e-6);
    assert_near(a->offset.rotation.w, b->offset.rotation.w, 1e-6);
    assert_true(a->density == b->density && a->friction == b->friction && a->restitution == b->restitution);
    assert_true(a->rolling_resistance == b->rolling_resistance);
    assert_true(a->filter.category == b->filter.category && a->filter.mask == b->filter.mask);
    assert_true(a->filter.group == b->filter.group);
    assert_true(a->contact_events == b->contact_events && a->hit_events == b->hit_events);
    assert_true(a->sensor == b->sensor && same_vec3(a->surface_velocity, b->surface_velocity));
    assert_ptr_equal(a->user, b->user);
}

// Geometry to make shapes from.
typedef struct stock {
    sn_hull *hull;
    sn_surface *surface;
    sn_compound *compound;
} stock;

static stock make_stock(void)
{
    stock made;
    assert_ok(sn_hull_cylinder(1.0f, 0.5f, 0.3f, 7, &made.hull));
    const sn_vec3 corners[4] = {{-1, 0, -1}, {-1, 0, 1}, {1, 0.5f, 1}, {1, 0, -1}};
    const uint32_t triangles[6] = {0, 1, 2, 0, 2, 3};
    assert_ok(sn_surface_create(corners, 4, triangles, 2, true, &made.surface));
    const sn_solid parts[2] = {{.type = SN_HULL, .pose = physics_at(1, 0, 0), .hull = made.hull},
                               {.type = SN_SPHERE, .pose = physics_at(0, 1, 0), .sphere = {.radius = 0.3f}}};
    assert_ok(sn_compound_create(parts, 2, &made.compound));
    return made;
}

static void free_stock(stock *stock)
{
    sn_hull_destroy(stock->hull);
    sn_surface_destroy(stock->surface);
    sn_compound_destroy(stock->compound);
}

static sn_shape add_of_type(sn_world *world, sn_rigid body, sn_shape_type type, const sn_shape_def *def,
                            const stock *stock)
{
    sn_shape shape = {0};
    sn_status status = SN_ERROR_KIND;
    switch (type) {
    case SN_SPHERE:
        status = sn_sphere_add(world, body, def, (sn_sphere){{0.1f, 0.2f, 0.3f}, 0.4f}, &shape);
        break;
    case SN_CAPSULE:
        status = sn_capsule_add(world, body, def, (sn_capsule){{0.1f, 0, 0}, {0, 0.7f, 0}, 0.2f}, &shape);
        break;
    case SN_BOX:
        status = sn_box_add(world, body, def, (sn_box){{0.1f, 0.2f, 0.3f}}, &shape);
        break;
    case SN_HULL:
        status = sn_hull_add(world, body, def, stock->hull, &shape);
        break;
    case SN_PLANE:
        status = sn_plane_add(world, body, def, (sn_plane){{0.0f, 3.0f, 4.0f}, 2.0f}, &shape);
        break;
    case SN_SURFACE:
        status = sn_surface_add(world, body, def, stock->surface, &shape);
        break;
    default:
        status = sn_compound_add(world, body, def, stock->compound, &shape);
        break;
    }
    assert_ok(status);
    return shape;
}

// Asks for all there is to know of a shape and makes it again on another body.
static sn_shape add_again(const sn_world *from, sn_shape shape, sn_world *world, sn_rigid body)
{
    sn_shape_def def = sn_shape_definition(from, shape);
    sn_sphere sphere;
    sn_capsule capsule;
    sn_box box;
    sn_plane plane;
    stock stock;
    sn_shape copy = {0};
    switch (sn_shape_get_type(from, shape)) {
    case SN_SPHERE:
        sphere = sn_shape_sphere(from, shape);
        assert_ok(sn_sphere_add(world, body, &def, sphere, &copy));
        break;
    case SN_CAPSULE:
        capsule = sn_shape_capsule(from, shape);
        assert_ok(sn_capsule_add(world, body, &def, capsule, &copy));
        break;
    case SN_BOX:
        box = sn_shape_box(from, shape);
        assert_ok(sn_box_add(world, body, &def, box, &copy));
        break;
    case SN_PLANE:
        plane = sn_shape_plane(from, shape);
        assert_ok(sn_plane_add(world, body, &def, plane, &copy));
        break;
    case SN_HULL:
        stock.hull = (sn_hull *)sn_shape_hull(from, shape);
        assert_ok(sn_hull_add(world, body, &def, stock.hull, &copy));
        break;
    case SN_SURFACE:
        stock.surface = (sn_surface *)sn_shape_surface(from, shape);
        assert_ok(sn_surface_add(world, body, &def, stock.surface, &copy));
        break;
    default:
        stock.compound = (sn_compound *)sn_shape_compound(from, shape);
        assert_ok(sn_compound_add(world, body, &def, stock.compound, &copy));
        break;
    }
    return copy;
}

static void test_shapes_of_every_type_are_made_again_from_what_can_be_asked(void **state)
{
    (void)state;
    test_random random = {3};
    sn_world *world = kit_world();
    stock stock = make_stock();
    for (int type = 0; type <= SN_COMPOUND; ++type) {
        for (int i = 0; i < 10; ++i) {
            sn_shape_def def = random_shape(&random);
            sn_shape one = add_of_type(world, sn_world_ground(world), (sn_shape_type)type, &def, &stock);
            sn_shape_def asked = sn_shape_definition(world, one);
            assert_same_shape(&def, &asked);
            sn_shape two = add_again(world, one, world, sn_world_ground(world));
            sn_shape_def again = sn_shape_definition(world, two);
            assert_same_shape(&asked, &again);
            sn_bounds a = sn_shape_bounds(world, one), b = sn_shape_bounds(world, two);
            assert_vec3_near(a.lower, b.lower, 1e-5);
            assert_vec3_near(a.upper, b.upper, 1e-5);
            assert_int_equal(sn_shape_get_type(world, two), type);
        }
    }
    free_stock(&stock);
    sn_world_destroy(world);
}

// --- constraints ---------------------------------------------------------------------------------

static sn_constraint_common random_common(test_random *random, uint32_t cookie, sn_rigid a, sn_rigid b)
{
    sn_constraint_common common = sn_ball_def_default().common;
    common.cookie = cookie;
    common.a = sn_point_rigid_frame(a, random_pose(random));
    common.b = sn_point_rigid_frame(b, random_pose(random));
    common.max_force = test_random_u32(random) % 2 ? INFINITY : 3.0f;
    common.active = test_random_u32(random) % 2;
    common.active_from = test_random_float(random, 0.0f, 1.0f);
    common.active_until = test_random_float(random, 2.0f, 3.0f);
    common.compliance = test_random_float(random, 0.0f, 1.0f);
    common.angular_compliance = test_random_float(random, 0.0f, 1.0f);
    common.damping = test_random_float(random, 0.0f, 1.0f);
    common.angular_damping = test_random_float(random, 0.0f, 1.0f);
    common.break_force = test_random_u32(random) % 2 ? INFINITY : 5.0f;
    common.break_torque = test_random_u32(random) % 2 ? INFINITY : 7.0f;
    common.collide_connected = test_random_u32(random) % 2;
    common.name = test_random_u32(random) % 2 ? "a joint" : NULL;
    common.user = &token_a;
    return common;
}

static void assert_same_common(const sn_constraint_common *a, const sn_constraint_common *b)
{
    assert_int_equal(a->cookie, b->cookie);
    assert_true(a->a.type == b->a.type && a->b.type == b->b.type);
    assert_true(same_rigid(a->a.rigid, b->a.rigid) && same_rigid(a->b.rigid, b->b.rigid));
    assert_true(a->max_force == b->max_force && a->active == b->active);
    assert_true(a->active_from == b->active_from && a->active_until == b->active_until);
    assert_true(a->exact == b->exact && a->ramp_steps == b->ramp_steps);
    assert_true(same_vec3(a->a.position, b->a.position));
    assert_true(same_vec3(a->b.position, b->b.position));
    assert_near(a->a.rotation.w, b->a.rotation.w, 1e-6);
    assert_near(a->b.rotation.y, b->b.rotation.y, 1e-6);
    assert_true(a->compliance == b->compliance && a->angular_compliance == b->angular_compliance);
    assert_true(a->damping == b->damping && a->angular_damping == b->angular_damping);
    assert_true(a->break_force == b->break_force && a->break_torque == b->break_torque);
    assert_true(a->collide_connected == b->collide_connected);
    assert_ptr_equal(a->user, b->user);
    assert_true((a->name == NULL) == (b->name == NULL));
    assert_true(a->name == NULL || strcmp(a->name, b->name) == 0);
}

// However many others come and go: names may be kept until their owner goes.
static void test_names_stay_where_they_are(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_rigid_def def = sn_rigid_def_default();
    def.name = "anchor";
    sn_rigid named[2];
    assert_ok(sn_rigid_add(world, &def, &named[0]));
    def.name = NULL;
    assert_ok(sn_rigid_add(world, &def, &named[1]));
    sn_hinge_def hinge = sn_hinge_def_default();
    hinge.common.a = sn_point_rigid(named[0], sn_v(0.0f, 0.0f, 0.0f));
    hinge.common.b = sn_point_rigid(named[1], sn_v(0.0f, 0.0f, 0.0f));
    hinge.common.name = "hook";
    sn_constraint constraint;
    assert_ok(sn_hinge_add(world, &hinge, &constraint));
    const char *anchor = sn_rigid_name(world, named[0]), *none = sn_rigid_name(world, named[1]);
    const char *asked = sn_rigid_definition(world, named[0]).name;
    const char *hook = sn_constraint_name(world, constraint);
    for (int i = 0; i < 1000; ++i) {
        sn_rigid other;
        def.name = i % 2 ? "other" : NULL;
        assert_ok(sn_rigid_add(world, &def, &other));
        hinge.common.b = sn_point_rigid(other, sn_v(0.0f, 0.0f, 0.0f));
        assert_ok(sn_hinge_add(world, &hinge, NULL));
        assert_ok(sn_hinge_motor_set(world, constraint, true, (float)i, 1.0f));
        if (i % 3 == 0) {
            assert_ok(sn_rigid_remove(world, other));
        }
    }
    assert_string_equal(anchor, "anchor");
    assert_string_equal(asked, "anchor");
    assert_string_equal(none, "");
    assert_string_equal(hook, "hook");
    assert_ptr_equal(anchor, sn_rigid_name(world, named[0]));
    assert_ptr_equal(hook, sn_constraint_name(world, constraint));
    sn_world_destroy(world);
}

// Adds, asks, adds what was asked for, asks again: all three definitions agree, field by field. The same for
// setting.
#define CHECK_KIND(kind, definition, same_fields)                                                            \
    do {                                                                                                     \
        sn_##kind##_def asked, again;                                                                        \
        sn_constraint one, two;                                                                              \
        assert_ok(sn_##kind##_add(world, &(definition), &one));                                              \
        asked = sn_##kind##_definition(world, one);                                                          \
        assert_same_common(&(definition).common, &asked.common);                                             \
        assert_true(same_fields(&(definition), &asked));                                                     \
        assert_ok(sn_##kind##_add(world, &asked, &two));                                                     \
        again = sn_##kind##_definition(world, two);                                                          \
        assert_same_common(&asked.common, &again.common);                                                    \
        assert_true(same_fields(&asked, &again));                                                            \
        sn_##kind##_def plain = sn_##kind##_def_default();                                                   \
        plain.common.a = asked.common.b; /* ends are replaced like everything else */                        \
        plain.common.b = asked.common.a;                                                                     \
        assert_ok(sn_##kind##_set(world, two, &plain));                                                      \
        assert_ok(sn_##kind##_set(world, two, &asked));                                                      \
        again = sn_##kind##_definition(world, two);                                                          \
        assert_same_common(&asked.common, &again.common);                                                    \
        assert_true(same_fields(&asked, &again));                                                            \
        assert_near(sn_constraint_error(world, one), sn_constraint_error(world, two), 1e-5);                 \
    } while (0)

static bool same_ball(const sn_ball_def *a, const sn_ball_def *b)
{
    return a->limit_cone == b->limit_cone && a->cone_angle == b->cone_angle &&
           a->limit_twist == b->limit_twist && a->twist_lower == b->twist_lower &&
           a->twist_upper == b->twist_upper && a->motor == b->motor &&
           same_vec3(a->motor_velocity, b->motor_velocity) && a->motor_torque == b->motor_torque &&
           a->spring_stiffness == b->spring_stiffness && a->spring_damping == b->spring_damping &&
           sn_abs(a->spring_rotation.x - b->spring_rotation.x) < 1e-6f &&
           sn_abs(a->spring_rotation.w - b->spring_rotation.w) < 1e-6f;
}

static bool same_hinge(const sn_hinge_def *a, const sn_hinge_def *b)
{
    return a->limit == b->limit && a->lower == b->lower && a->upper == b->upper && a->motor == b->motor &&
           a->motor_speed == b->motor_speed && a->motor_torque == b->motor_torque &&
           a->spring_stiffness == b->spring_stiffness && a->spring_damping == b->spring_damping &&
           a->spring_angle == b->spring_angle;
}

static bool same_slider(const sn_slider_def *a, const sn_slider_def *b)
{
    return a->limit == b->limit && a->lower == b->lower && a->upper == b->upper && a->motor == b->motor &&
           a->motor_speed == b->motor_speed && a->motor_force == b->motor_force &&
           a->spring_stiffness == b->spring_stiffness && a->spring_damping == b->spring_damping &&
           a->spring_travel == b->spring_travel;
}

static bool same_fixed(const sn_fixed_def *a, const sn_fixed_def *b)
{
    (void)a;
    (void)b;
    return true;
}

static bool same_distance(const sn_distance_def *a, const sn_distance_def *b)
{
    return a->lower == b->lower && a->upper == b->upper && a->spring_stiffness == b->spring_stiffness &&
           a->spring_damping == b->spring_damping && a->spring_length == b->spring_length;
}

static void check_kinds(sn_world *world, test_random *random, sn_rigid a, sn_rigid b)
{
    sn_ball_def ball = sn_ball_def_default();
    ball.common = random_common(random, ball.common.cookie, a, b);
    ball.limit_cone = ball.limit_twist = true;
    ball.cone_angle = 1.1f;
    ball.twist_lower = -0.3f;
    ball.twist_upper = 0.4f;
    ball.motor = true;
    ball.motor_velocity = sn_v(1.0f, -2.0f, 3.0f);
    ball.motor_torque = 4.0f;
    ball.spring_stiffness = 5.0f;
    ball.spring_damping = 0.6f;
    ball.spring_rotation = sn_quat_axis_angle(sn_v(1.0f, 0.0f, 0.0f), 0.7f);
    CHECK_KIND(ball, ball, same_ball);
    sn_hinge_def hinge = sn_hinge_def_default();
    hinge.common = random_common(random, hinge.common.cookie, a, b);
    hinge.limit = hinge.motor = true;
    hinge.lower = -0.5f;
    hinge.upper = 0.6f;
    hinge.motor_speed = 3.0f;
    hinge.spring_stiffness = 5.0f;
    hinge.spring_damping = 0.7f;
    hinge.spring_angle = 0.1f;
    CHECK_KIND(hinge, hinge, same_hinge);
    sn_slider_def slider = sn_slider_def_default();
    slider.common = random_common(random, slider.common.cookie, a, b);
    slider.limit = slider.motor = true;
    slider.upper = 2.0f; // no lower stop
    slider.motor_force = 8.0f;
    slider.spring_travel = 0.3f;
    CHECK_KIND(slider, slider, same_slider);
    sn_fixed_def fixed = sn_fixed_def_default();
    fixed.common = random_common(random, fixed.common.cookie, a, b);
    CHECK_KIND(fixed, fixed, same_fixed);
    sn_distance_def distance = sn_distance_def_default();
    distance.common = random_common(random, distance.common.cookie, a, b);
    distance.lower = 0.5f;
    distance.spring_stiffness = 9.0f;
    distance.spring_length = 0.2f;
    CHECK_KIND(distance, distance, same_distance);
}

static void test_constraints_of_every_kind_are_made_again(void **state)
{
    (void)state;
    test_random random = {4};
    sn_world *world = kit_world();
    sn_rigid a = add_box_at(world, 0.5f, 0.0f, 0.0f, 0.0f), b = add_box_at(world, 0.5f, 5.0f, 0.0f, 0.0f);
    for (int i = 0; i < 20; ++i) {
        check_kinds(world, &random, i % 3 == 0 ? sn_world_ground(world) : a, b);
    }
    sn_world_destroy(world);
}

static void test_motors_change_nothing_but_themselves(void **state)
{
    (void)state;
    test_random random = {5};
    sn_world *world = kit_world();
    sn_rigid body = add_box_at(world, 0.5f, 0.0f, 0.0f, 0.0f);
    sn_hinge_def hinge = sn_hinge_def_default(), hinge_now;
    hinge.common = random_common(&random, hinge.common.cookie, sn_world_ground(world), body);
    sn_slider_def slider = sn_slider_def_default(), slider_now;
    slider.common = random_common(&random, slider.common.cookie, sn_world_ground(world), body);
    sn_constraint hinge_id, slider_id;
    assert_ok(sn_hinge_add(world, &hinge, &hinge_id));
    assert_ok(sn_slider_add(world, &slider, &slider_id));
    assert_ok(sn_hinge_motor_set(world, hinge_id, true, -2.0f, 30.0f));
    assert_ok(sn_slider_motor_set(world, slider_id, true, 4.0f, 50.0f));
    hinge.motor = slider.motor = true;
    hinge.motor_speed = -2.0f;
    hinge.motor_torque = 30.0f;
    slider.motor_speed = 4.0f;
    slider.motor_force = 50.0f;
    hinge_now = sn_hinge_definition(world, hinge_id);
    slider_now = sn_slider_definition(world, slider_id);
    assert_same_common(&hinge.common, &hinge_now.common);
    assert_same_common(&slider.common, &slider_now.common);
    assert_true(same_hinge(&hinge, &hinge_now) && same_slider(&slider, &slider_now));
    sn_world_destroy(world);
}

// --- a whole world -------------------------------------------------------------------------------

// A world rebuilt from nothing but what can be asked of it hashes alike. Rotations are such that being
// normalised once more does not change them, and the mass centres of what moves are the origins.
static void test_a_world_rebuilt_from_its_definitions_hashes_alike(void **state)
{
    (void)state;
    test_random random = {6};
    stock stock = make_stock();
    sn_world *world = kit_world(), *copy = NULL;
    sn_rigid bodies[12], copies[12];
    for (int i = 0; i < 12; ++i) {
        sn_rigid_def def =
            random_body(&random, i % 4 == 0 ? SN_STATIC : (i % 4 == 1 ? SN_KINEMATIC : SN_DYNAMIC));
        def.rotation = sn_quat_identity;
        assert_ok(sn_rigid_add(world, &def, &bodies[i]));
        sn_shape_def shape = random_shape(&random);
        shape.offset = sn_pose_identity;
        int type = i % 4 == 0 ? i % 7 : (i % 4 == 1 ? SN_SURFACE : SN_BOX);
        (void)add_of_type(world, bodies[i], (sn_shape_type)type, &shape, &stock);
    }
    sn_hinge_def hinge = sn_hinge_def_default();
    hinge.common = random_common(&random, hinge.common.cookie, bodies[2], bodies[3]);
    hinge.common.a.rotation = hinge.common.b.rotation = sn_quat_identity;
    sn_constraint joint;
    assert_ok(sn_hinge_add(world, &hinge, &joint));

    sn_world_def settings = sn_world_settings(world);
    assert_ok(sn_world_create(&settings, &copy));
    for (int i = 0; i < 12; ++i) {
        sn_rigid_def def = sn_rigid_definition(world, bodies[i]);
        assert_ok(sn_rigid_add(copy, &def, &copies[i]));
        (void)add_again(world, first_shape(world, bodies[i]), copy, copies[i]);
    }
    hinge = sn_hinge_definition(world, joint);
    hinge.common.a.rigid = copies[2];
    hinge.common.b.rigid = copies[3];
    assert_ok(sn_hinge_add(copy, &hinge, NULL));
    assert_true(sn_world_hash(world) == sn_world_hash(copy));
    // And goes on alike.
    run_steps(world, 5);
    run_steps(copy, 5);
    assert_true(sn_world_hash(world) == sn_world_hash(copy));
    free_stock(&stock);
    sn_world_destroy(world);
    sn_world_destroy(copy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_a_bodys_definition_is_what_made_it),
        test_with_memory(test_a_spinning_body_with_an_eccentric_mass_is_made_again_within_1e_5),
        test_with_memory(test_a_sleeping_body_is_made_again_asleep),
        test_with_memory(test_shapes_of_every_type_are_made_again_from_what_can_be_asked),
        test_with_memory(test_names_stay_where_they_are),
        test_with_memory(test_constraints_of_every_kind_are_made_again),
        test_with_memory(test_motors_change_nothing_but_themselves),
        test_with_memory(test_a_world_rebuilt_from_its_definitions_hashes_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
