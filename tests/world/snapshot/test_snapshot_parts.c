// Field by field: every part of a world gets values it has by no default, and all of them must come back.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/memory.h"
#include "world/core/world.h"
#include "world/snapshot/snapshot_world.h"

// --- comparing -----------------------------------------------------------------------------------

// Zeros of either sign are the same, and so are numbers that are none.
static void assert_same_floats(const void *a, const void *b, size_t size, const char *field)
{
    for (size_t at = 0; at < size; at += sizeof(float)) {
        float x, y;
        memcpy(&x, (const char *)a + at, sizeof x);
        memcpy(&y, (const char *)b + at, sizeof y);
        if (!(x == y || (x != x && y != y))) {
            fail_msg("%s is %g, expected %g", field, (double)x, (double)y);
        }
    }
}

static void assert_same_memory(const void *a, const void *b, size_t size, const char *field)
{
    if (memcmp(a, b, size) != 0) {
        fail_msg("%s differs", field);
    }
}

// Members made of floats; members of whole numbers, flags or text.
#define SAME_FLOATS(a, b, member) assert_same_floats(&(a)->member, &(b)->member, sizeof(a)->member, #member)
#define SAME(a, b, member)        assert_same_memory(&(a)->member, &(b)->member, sizeof(a)->member, #member)

// --- strange values ------------------------------------------------------------------------------

// A new number at every call, legal for about every field.
static float strange(test_random *random)
{
    return test_random_float(random, 0.1f, 0.24f);
}

static void make_strange(test_random *random, float *fields[], int count)
{
    for (int i = 0; i < count; ++i) {
        *fields[i] = strange(random);
    }
}

static sn_vec3 strange_vector(test_random *random)
{
    return test_random_vec3(random, 5.0f);
}

// A copy of a world after it was saved and restored.
static sn_world *restored_copy(const sn_world *world)
{
    snapshot_bytes bytes = snapshot_save(world);
    sn_world *copy = snapshot_empty_world(1, 1);
    if (sn_world_restore(copy, bytes.data, bytes.size) != SN_OK) {
        fail_msg("%s", sn_world_error(copy));
    }
    free(bytes.data);
    return copy;
}

static sn_world *stepped_world(void)
{
    sn_world *world = snapshot_empty_world(1, 0);
    snapshot_fill(world, 2);
    snapshot_run(world, 0, 90);
    return world;
}

static const char *strange_name(int index)
{
    static const char *const names[] = {
        "", "a", "a name of sixty-three bytes, which is as long as a name may be!", "\xc3\xa9 'quoted' %s"};
    return names[index % 4];
}

static void assert_same_name(const char *a, const char *b)
{
    assert_true((a == NULL) == (b == NULL));
    assert_true(a == NULL || (a != b && strcmp(a, b) == 0));
}

// --- world ---------------------------------------------------------------------------------------

static void test_settings_and_clock(void **state)
{
    (void)state;
    sn_world *world = stepped_world();
    sn_world_def *def = &world->def;
    test_random random = {1};
    float *fields[] = {&def->contact_stiffness,   &def->contact_damping,    &def->constraint_stiffness,
                       &def->constraint_damping,  &def->push_speed,         &def->restitution_threshold,
                       &def->hit_threshold,       &def->speculative_margin, &def->sleep_speed,
                       &def->sleep_time,          &world->last_duration,    &def->staggered.correction,
                       &def->staggered.warm_start};
    make_strange(&random, fields, sizeof fields / sizeof *fields);
    def->gravity = strange_vector(&random);
    def->sub_steps = 77;
    def->sleep = def->continuous = false;
    def->solver = SN_SOLVER_STAGGERED;
    def->staggered.rigid_iterations = 31;
    def->staggered.node_iterations = 32;
    def->staggered.dummy_nodes = true;
    world->step_count = 0x123456789abu;
    world->time = 1.0 / 7.0;
    world->frozen_count = 5;
    sn_world *copy = restored_copy(world);
    SAME_FLOATS(&copy->def, def, gravity);
    SAME(&copy->def, def, sub_steps);
    SAME(&copy->def, def, sleep);
    SAME(&copy->def, def, continuous);
    SAME_FLOATS(&copy->def, def, contact_stiffness);
    SAME_FLOATS(&copy->def, def, contact_damping);
    SAME_FLOATS(&copy->def, def, constraint_stiffness);
    SAME_FLOATS(&copy->def, def, constraint_damping);
    SAME_FLOATS(&copy->def, def, push_speed);
    SAME_FLOATS(&copy->def, def, restitution_threshold);
    SAME_FLOATS(&copy->def, def, hit_threshold);
    SAME_FLOATS(&copy->def, def, speculative_margin);
    SAME_FLOATS(&copy->def, def, sleep_speed);
    SAME_FLOATS(&copy->def, def, sleep_time);
    SAME(&copy->def, def, solver);
    SAME(&copy->def, def, staggered.rigid_iterations);
    SAME(&copy->def, def, staggered.node_iterations);
    SAME_FLOATS(&copy->def, def, staggered.correction);
    SAME_FLOATS(&copy->def, def, staggered.warm_start);
    SAME(&copy->def, def, staggered.dummy_nodes);
    SAME_FLOATS(copy, world, last_duration);
    SAME(copy, world, step_count);
    SAME(copy, world, time);
    SAME(copy, world, frozen_count);
    SAME(copy, world, tag);
    sn_world_destroy(copy);
    sn_world_destroy(world);
}

// --- bodies --------------------------------------------------------------------------------------

static void make_body_strange(test_random *random, sn_body *body, int index)
{
    float *fields[] = {&body->linear_damping, &body->angular_damping, &body->gravity_scale,
                       &body->outer_radius,   &body->inner_radius,    &body->rest_time};
    sn_vec3 *vectors[] = {&body->center,    &body->linear_velocity, &body->angular_velocity, &body->force,
                          &body->torque,    &body->target.position, &body->inertia.x,        &body->inertia.y,
                          &body->inertia.z, &body->local_center};
    make_strange(random, fields, sizeof fields / sizeof *fields);
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; ++i) {
        *vectors[i] = strange_vector(random);
    }
    body->mass = body->type == SN_DYNAMIC ? strange(random) : 0.0f;
    body->rotation = test_random_rotation(random);
    body->target.rotation = test_random_rotation(random);
    body->locks = (uint32_t)index % 64;
    body->mass_is_set = index % 2;
    body->allow_sleep = index % 3;
    body->bullet = index % 5 == 1;
    body->has_target = body->type == SN_KINEMATIC;
    assert_true(sn_name_set(&body->name, strange_name(index)));
}

static void assert_same_body(const sn_body *a, const sn_body *b)
{
    SAME(a, b, type);
    SAME_FLOATS(a, b, center);
    SAME_FLOATS(a, b, rotation);
    SAME_FLOATS(a, b, linear_velocity);
    SAME_FLOATS(a, b, angular_velocity);
    SAME_FLOATS(a, b, force);
    SAME_FLOATS(a, b, torque);
    SAME_FLOATS(a, b, target);
    SAME_FLOATS(a, b, mass);
    SAME_FLOATS(a, b, local_center);
    SAME_FLOATS(a, b, inertia);
    SAME(a, b, mass_is_set);
    SAME_FLOATS(a, b, linear_damping);
    SAME_FLOATS(a, b, angular_damping);
    SAME_FLOATS(a, b, gravity_scale);
    SAME(a, b, locks);
    SAME(a, b, allow_sleep);
    SAME(a, b, bullet);
    SAME(a, b, has_target);
    SAME(a, b, frozen);
    assert_same_name(a->name, b->name);
    SAME_FLOATS(a, b, outer_radius);
    SAME_FLOATS(a, b, inner_radius);
    SAME(a, b, first_shape);
    SAME(a, b, first_contact);
    SAME(a, b, first_constraint);
    SAME(a, b, awake_index);
    SAME(a, b, island_next);
    SAME_FLOATS(a, b, rest_time);
}

static void test_bodies(void **state)
{
    (void)state;
    sn_world *world = stepped_world();
    test_random random = {2};
    for (int i = 1; i < world->bodies.count; ++i) {
        make_body_strange(&random, &world->bodies.data[i], i);
    }
    sn_world *copy = restored_copy(world);
    assert_int_equal(copy->bodies.count, world->bodies.count);
    int asleep = 0, frozen = 0;
    for (int i = 0; i < world->bodies.count; ++i) {
        if (sn_id_pool_in_use(&world->body_ids, i)) {
            assert_same_body(&copy->bodies.data[i], &world->bodies.data[i]);
            asleep += world->bodies.data[i].island_next >= 0;
            frozen += world->bodies.data[i].frozen;
        }
    }
    assert_true(asleep > 3 && frozen == 1);
    sn_world_destroy(copy);
    sn_world_destroy(world);
}

// --- shapes --------------------------------------------------------------------------------------

static void assert_same_hull(const sn_hull *a, const sn_hull *b)
{
    const sn_polyhedron *p = &a->polyhedron, *q = &b->polyhedron;
    assert_int_equal(p->vertex_count, q->vertex_count);
    assert_int_equal(p->face_count, q->face_count);
    assert_int_equal(p->half_edge_count, q->half_edge_count);
    assert_same_floats(p->vertices, q->vertices, (size_t)p->vertex_count * sizeof *p->vertices, "vertices");
    assert_same_floats(p->planes, q->planes, (size_t)p->face_count * sizeof *p->planes, "planes");
    assert_same_memory(p->half_edges, q->half_edges, (size_t)p->half_edge_count * sizeof *p->half_edges,
                       "half-edges");
    assert_same_memory(p->face_edges, q->face_edges, (size_t)p->face_count * sizeof *p->face_edges,
                       "face edges");
    SAME_FLOATS(p, q, center);
    SAME_FLOATS(a, b, inner_radius);
    SAME_FLOATS(a, b, bounds);
    SAME_FLOATS(a, b, unit_mass);
}

static void assert_same_surface(const sn_surface *a, const sn_surface *b)
{
    SAME(a, b, double_sided);
    SAME(a, b, vertex_count);
    SAME(a, b, triangle_count);
    SAME(a, b, node_count);
    SAME_FLOATS(a, b, bounds);
    assert_same_floats(a->vertices, b->vertices, (size_t)a->vertex_count * sizeof *a->vertices, "vertices");
    assert_same_memory(a->triangles, b->triangles, (size_t)a->triangle_count * 3 * sizeof *a->triangles,
                       "triangles");
    assert_same_memory(a->active_edges, b->active_edges, (size_t)a->triangle_count, "active edges");
    assert_same_memory(a->order, b->order, (size_t)a->triangle_count * sizeof *a->order, "order");
    for (int i = 0; i < a->node_count; ++i) {
        SAME_FLOATS(&a->nodes[i], &b->nodes[i], bounds);
        SAME(&a->nodes[i], &b->nodes[i], first);
        SAME(&a->nodes[i], &b->nodes[i], count);
    }
}

static void assert_same_compound(const sn_compound *a, const sn_compound *b)
{
    SAME(a, b, part_count);
    SAME_FLOATS(a, b, bounds);
    for (int i = 0; i < a->part_count; ++i) {
        const sn_solid *p = &a->parts[i].solid, *q = &b->parts[i].solid;
        SAME(p, q, type);
        SAME_FLOATS(p, q, pose);
        SAME_FLOATS(&a->parts[i], &b->parts[i], bounds);
        SAME_FLOATS(&a->parts[i], &b->parts[i], storage);
        if (p->type == SN_HULL) {
            assert_same_hull(p->hull, q->hull);
        } else if (p->type == SN_SPHERE) {
            SAME_FLOATS(p, q, sphere);
        } else if (p->type == SN_CAPSULE) {
            SAME_FLOATS(p, q, capsule);
        } else {
            SAME_FLOATS(p, q, box);
        }
    }
}

static void assert_same_geometry(const sn_shape_data *a, const sn_shape_data *b)
{
    switch (a->type) {
    case SN_SPHERE:
        SAME_FLOATS(a, b, sphere);
        break;
    case SN_CAPSULE:
        SAME_FLOATS(a, b, capsule);
        break;
    case SN_BOX:
        SAME_FLOATS(a, b, box);
        break;
    case SN_PLANE:
        SAME_FLOATS(a, b, plane);
        break;
    case SN_HULL:
        assert_same_hull(a->hull, b->hull);
        break;
    case SN_SURFACE:
        assert_same_surface(a->surface, b->surface);
        break;
    case SN_COMPOUND:
        assert_same_compound(a->compound, b->compound);
        break;
    }
}

static void assert_same_shape(const sn_shape_data *a, const sn_shape_data *b)
{
    SAME(a, b, type);
    SAME(a, b, body);
    SAME(a, b, next);
    SAME_FLOATS(a, b, offset);
    SAME_FLOATS(a, b, density);
    SAME_FLOATS(a, b, friction);
    SAME_FLOATS(a, b, restitution);
    SAME_FLOATS(a, b, rolling_resistance);
    SAME(a, b, filter.category);
    SAME(a, b, filter.mask);
    SAME(a, b, filter.group);
    SAME(a, b, contact_events);
    SAME(a, b, hit_events);
    SAME(a, b, sensor);
    SAME_FLOATS(a, b, surface_velocity);
    SAME_FLOATS(a, b, storage);
    SAME_FLOATS(a, b, bounds);
    SAME_FLOATS(a, b, fat);
    SAME(a, b, query_pending);
    assert_same_geometry(a, b);
}

static void test_shapes(void **state)
{
    (void)state;
    sn_world *world = stepped_world();
    test_random random = {3};
    for (int i = 0; i < world->shapes.count; ++i) {
        sn_shape_data *shape = &world->shapes.data[i];
        float *fields[] = {&shape->density, &shape->friction, &shape->restitution,
                           &shape->rolling_resistance};
        make_strange(&random, fields, 4);
        shape->offset = (sn_pose){strange_vector(&random), test_random_rotation(&random)};
        shape->filter = (sn_filter){test_random_u32(&random), test_random_u32(&random), i - 5};
        shape->contact_events = i % 2;
        shape->hit_events = i % 3 == 1;
        shape->surface_velocity = test_random_vec3(&random, 10.0f);
        if (shape->type == SN_PLANE) {
            shape->plane = (sn_plane){test_random_direction(&random), 3.0f};
        } else if (shape->type == SN_SURFACE) {
            const sn_surface *old = shape->surface; // what follows from its sides is made anew
            sn_surface *surface =
                sn_surface_make(old->vertices, old->vertex_count, old->triangles, old->triangle_count, true);
            sn_surface_destroy((sn_surface *)old);
            shape->surface = surface;
        }
    }
    assert_int_equal(sn_rigid_pose_set(world, snapshot_find(world, "lift"), scene_at(1.0f, 9.0f, 1.0f)),
                     SN_OK); // makes its shape look for partners
    assert_true(world->pending_shapes.count > 0);
    sn_world *copy = restored_copy(world);
    assert_int_equal(copy->shapes.count, world->shapes.count);
    for (int i = 0; i < world->shapes.count; ++i) {
        if (sn_id_pool_in_use(&world->shape_ids, i)) {
            assert_same_shape(&copy->shapes.data[i], &world->shapes.data[i]);
        }
    }
    sn_world_destroy(copy);
    sn_world_destroy(world);
}

// --- constraints ---------------------------------------------------------------------------------

static void assert_same_point(const sn_point *p, const sn_point *q)
{
    SAME(p, q, type);
    SAME_FLOATS(p, q, position);
    SAME_FLOATS(p, q, rotation);
    SAME(p, q, rigid);
    SAME(p, q, deformable);
    SAME(p, q, node_count);
    SAME(p, q, nodes);
    SAME_FLOATS(p, q, weights);
    SAME(p, q, has_frame);
}

static void assert_same_definition(const sn_constraint_data *a, const sn_constraint_data *b)
{
    sn_definition p = a->definition, q = b->definition;
    p.common.user = q.common.user = NULL;
    // Compared as the user gets them, without the padding.
    SAME(&p, &q, common.cookie);
    assert_same_point(&p.common.a, &q.common.a);
    assert_same_point(&p.common.b, &q.common.b);
    SAME_FLOATS(&p, &q, common.compliance);
    SAME_FLOATS(&p, &q, common.angular_compliance);
    SAME_FLOATS(&p, &q, common.damping);
    SAME_FLOATS(&p, &q, common.angular_damping);
    SAME_FLOATS(&p, &q, common.break_force);
    SAME_FLOATS(&p, &q, common.break_torque);
    SAME_FLOATS(&p, &q, common.max_force);
    SAME(&p, &q, common.collide_connected);
    SAME(&p, &q, common.active);
    SAME_FLOATS(&p, &q, common.active_from);
    SAME_FLOATS(&p, &q, common.active_until);
    SAME(&p, &q, common.exact);
    SAME(&p, &q, common.ramp_steps);
    SAME_FLOATS(&p, &q, common.sliding_friction);
    if (a->kind == SN_BALL) {
        SAME(&p, &q, ball.limit_cone);
        SAME_FLOATS(&p, &q, ball.cone_angle);
        SAME(&p, &q, ball.limit_twist);
        SAME_FLOATS(&p, &q, ball.twist_lower);
        SAME_FLOATS(&p, &q, ball.twist_upper);
        SAME(&p, &q, ball.motor);
        SAME_FLOATS(&p, &q, ball.motor_velocity);
        SAME_FLOATS(&p, &q, ball.motor_torque);
        SAME_FLOATS(&p, &q, ball.spring_stiffness);
        SAME_FLOATS(&p, &q, ball.spring_damping);
        SAME_FLOATS(&p, &q, ball.spring_rotation);
    } else if (a->kind == SN_HINGE || a->kind == SN_SLIDER || a->kind == SN_AXIS) { // laid out alike
        SAME(&p, &q, hinge.limit);
        SAME_FLOATS(&p, &q, hinge.lower);
        SAME_FLOATS(&p, &q, hinge.upper);
        SAME(&p, &q, hinge.motor);
        SAME_FLOATS(&p, &q, hinge.motor_speed);
        SAME_FLOATS(&p, &q, hinge.motor_torque);
        SAME_FLOATS(&p, &q, hinge.spring_stiffness);
        SAME_FLOATS(&p, &q, hinge.spring_damping);
        SAME_FLOATS(&p, &q, hinge.spring_angle);
    } else if (a->kind == SN_DISTANCE) {
        SAME_FLOATS(&p, &q, distance.lower);
        SAME_FLOATS(&p, &q, distance.upper);
        SAME_FLOATS(&p, &q, distance.spring_stiffness);
        SAME_FLOATS(&p, &q, distance.spring_damping);
        SAME_FLOATS(&p, &q, distance.spring_length);
    }
}

static void make_constraint_strange(test_random *random, sn_constraint_data *data, int index)
{
    sn_constraint_common *common = &data->definition.common;
    float *fields[] = {&common->compliance,      &common->angular_compliance, &common->damping,
                       &common->angular_damping, &common->break_force,        &common->break_torque};
    make_strange(random, fields, 6);
    sn_point *ends[2] = {&common->a, &common->b};
    for (int i = 0; i < 2; ++i) {
        if (ends[i]->type == SN_POINT_RIGID || ends[i]->type == SN_POINT_WORLD) {
            ends[i]->position = strange_vector(random);
            ends[i]->rotation = test_random_rotation(random);
        }
    }
    common->active_from = 0.25f;
    common->active_until = 5.5f;
    common->sliding_friction = 0.75f;
    data->nail = strange_vector(random);
    data->sub_step = 0.125f;
    common->collide_connected = index % 2;
    data->torque = strange_vector(random);
    assert_true(sn_name_set(&data->name, strange_name(index)));
    for (int i = 0; i < SN_MAX_ROWS; ++i) {
        data->impulses[i] = strange(random);
    }
    if (data->kind == SN_HINGE) {
        data->definition.hinge.spring_damping = strange(random);
        data->definition.hinge.spring_angle = strange(random);
    } else if (data->kind == SN_SLIDER) {
        data->definition.slider.spring_travel = strange(random);
    } else if (data->kind == SN_AXIS) {
        data->definition.axis.spring_damping = strange(random);
        data->definition.axis.spring_travel = strange(random);
    } else if (data->kind == SN_DISTANCE) {
        sn_distance_def *distance = &data->definition.distance;
        float *own[] = {&distance->lower, &distance->spring_stiffness, &distance->spring_damping,
                        &distance->spring_length};
        make_strange(random, own, 4);
    }
}

static void test_constraints(void **state)
{
    (void)state;
    sn_world *world = stepped_world();
    test_random random = {4};
    unsigned kinds = 0;
    for (int i = 0; i < world->constraints.count; ++i) {
        if (!sn_id_pool_in_use(&world->constraint_ids, i)) {
            continue;
        }
        make_constraint_strange(&random, &world->constraints.data[i], i);
        sn_world_note_constraint(world, i);
        world->constraint_forces.data[i] = strange_vector(&random);
        kinds |= 1u << world->constraints.data[i].kind;
    }
    assert_int_equal(kinds, (1u << SN_CONSTRAINT_KIND_COUNT) - 1u);
    sn_world *copy = restored_copy(world);
    assert_int_equal(copy->constraints.count, world->constraints.count);
    for (int i = 0; i < world->constraints.count; ++i) {
        const sn_constraint_data *a = &copy->constraints.data[i], *b = &world->constraints.data[i];
        if (!sn_id_pool_in_use(&world->constraint_ids, i)) {
            continue;
        }
        const sn_constraint_link *m = &copy->constraint_links.data[i], *n = &world->constraint_links.data[i];
        SAME(a, b, kind);
        SAME(m, n, member);
        SAME(m, n, previous);
        SAME(m, n, next);
        SAME(m, n, active_index);
        SAME(m, n, is_on);
        assert_same_name(a->name, b->name);
        SAME(a, b, custom_data);
        SAME_FLOATS(a, b, impulses);
        SAME_FLOATS(copy, world, constraint_forces.data[i]);
        SAME_FLOATS(a, b, torque);
        SAME_FLOATS(a, b, nail);
        SAME_FLOATS(a, b, sub_step);
        SAME(a, b, ramp_done);
        SAME(m, n, is_anchor);
        SAME(m, n, can_break);
        // The kind has another number in the copy's table.
        assert_int_equal(a->custom_kind, b->custom_kind < 0 ? -1 : b->custom_kind + 1);
        assert_same_definition(a, b);
    }
    sn_world_destroy(copy);
    sn_world_destroy(world);
}

// --- contacts ------------------------------------------------------------------------------------

static void make_patch_strange(test_random *random, sn_patch *patch)
{
    patch->twist_impulse = strange(random);
    patch->friction_impulse = strange_vector(random);
    patch->rolling_impulse = strange_vector(random);
    patch->total_friction = strange_vector(random);
    for (int i = 0; i < patch->count; ++i) {
        patch->points[i].normal_impulse = strange(random);
        patch->points[i].total_normal = strange(random);
        patch->points[i].approach_speed = strange(random);
    }
}

static void assert_same_patch(const sn_patch *a, const sn_patch *b)
{
    SAME_FLOATS(a, b, normal);
    SAME(a, b, part_a);
    SAME(a, b, part_b);
    SAME(a, b, count);
    SAME_FLOATS(a, b, friction_impulse);
    SAME_FLOATS(a, b, rolling_impulse);
    SAME_FLOATS(a, b, twist_impulse);
    SAME_FLOATS(a, b, total_friction);
    for (int i = 0; i < a->count; ++i) {
        const sn_patch_point *p = &a->points[i], *q = &b->points[i];
        SAME_FLOATS(p, q, arm_a);
        SAME_FLOATS(p, q, arm_b);
        SAME_FLOATS(p, q, separation);
        SAME(p, q, feature);
        SAME_FLOATS(p, q, normal_impulse);
        SAME_FLOATS(p, q, total_normal);
        SAME_FLOATS(p, q, approach_speed);
    }
}

static void test_contacts(void **state)
{
    (void)state;
    sn_world *world = stepped_world();
    test_random random = {5};
    int patches = 0;
    for (int i = 0; i < world->contacts.count; ++i) {
        sn_contact_data *contact = &world->contacts.data[i];
        float *fields[] = {&contact->friction, &contact->restitution, &contact->rolling_resistance};
        make_strange(&random, fields, 3);
        contact->separated = i % 7 == 1;
        for (int k = 0; k < contact->patches.count; ++k, ++patches) {
            make_patch_strange(&random, &contact->patches.data[k]);
        }
    }
    assert_true(patches > 10);
    sn_world *copy = restored_copy(world);
    assert_int_equal(copy->contacts.count, world->contacts.count);
    for (int i = 0; i < world->contacts.count; ++i) {
        const sn_contact_data *a = &copy->contacts.data[i], *b = &world->contacts.data[i];
        if (!sn_id_pool_in_use(&world->contact_ids, i)) {
            continue;
        }
        SAME(a, b, shape_a);
        SAME(a, b, shape_b);
        SAME(a, b, body_a);
        SAME(a, b, body_b);
        SAME(a, b, previous);
        SAME(a, b, next);
        SAME(a, b, active_index);
        SAME(a, b, touching);
        SAME(a, b, separated);
        SAME_FLOATS(a, b, friction);
        SAME_FLOATS(a, b, restitution);
        SAME_FLOATS(a, b, rolling_resistance);
        assert_int_equal(a->patches.count, b->patches.count);
        for (int k = 0; k < a->patches.count; ++k) {
            assert_same_patch(&a->patches.data[k], &b->patches.data[k]);
        }
    }
    sn_world_destroy(copy);
    sn_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_settings_and_clock),
        test_with_memory(test_bodies),
        test_with_memory(test_shapes),
        test_with_memory(test_constraints),
        test_with_memory(test_contacts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
