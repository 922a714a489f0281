// A heavy ball is thrown at a round tower of 1000 bricks: what stands, what falls, and what it costs.
#include <sinew/sinew.h>
#include <stdio.h>

enum { RING = 40, LAYERS = 25, BRICKS = RING * LAYERS, STEPS_PER_SECOND = 60 };

static const float step_length = 1.0f / STEPS_PER_SECOND;
static const sn_vec3 brick_half = {0.125f, 0.125f, 0.25f}; // outwards, up, along the ring [m]
static const float tower_radius = 3.365f;                  // leaves 1 cm between neighbours of a layer [m]

typedef struct tower {
    sn_world *world;
    sn_rigid bricks[BRICKS];
    sn_vec3 starts[BRICKS];
} tower;

// Each layer is turned by half a brick against the one below it.
static sn_status add_bricks(tower *tower)
{
    for (int i = 0; i < BRICKS; ++i) {
        int layer = i / RING;
        float angle = SN_PI / (float)RING * (float)(2 * (i % RING) + layer % 2);
        sn_rigid_def def = sn_rigid_def_default();
        def.rotation = sn_quat_axis_angle(sn_v(0.0f, 1.0f, 0.0f), angle);
        def.position = sn_rotate(def.rotation, sn_v(tower_radius, 0.0f, 0.0f));
        def.position.y = brick_half.y * (float)(2 * layer + 1);
        sn_status status = sn_rigid_add(tower->world, &def, &tower->bricks[i]);
        if (status == SN_OK) {
            sn_box box = {brick_half};
            status = sn_box_add(tower->world, tower->bricks[i], NULL, box, NULL);
        }
        if (status != SN_OK) {
            return status;
        }
        tower->starts[i] = def.position;
    }
    return SN_OK;
}

static sn_status build_tower(tower *tower)
{
    sn_world_def def = sn_world_def_default();
    sn_status status = sn_world_create(&def, &tower->world);
    if (status == SN_OK) {
        sn_plane floor = {.normal = {0.0f, 1.0f, 0.0f}};
        status = sn_plane_add(tower->world, sn_world_ground(tower->world), NULL, floor, NULL);
    }
    return status == SN_OK ? add_bricks(tower) : status;
}

// Two tonnes of steel at 90 km/h.
static sn_status throw_ball(sn_world *world)
{
    sn_rigid_def def = sn_rigid_def_default();
    def.position = sn_v(-12.0f, 3.0f, 0.0f);
    def.linear_velocity = sn_v(25.0f, 1.0f, 0.0f);
    sn_rigid ball;
    sn_status status = sn_rigid_add(world, &def, &ball);
    if (status == SN_OK) {
        sn_shape_def shape = sn_shape_def_default();
        shape.density = 7800.0f;
        sn_sphere sphere = {.radius = 0.4f};
        status = sn_sphere_add(world, ball, &shape, sphere, NULL);
    }
    return status;
}

static int count_fallen(const tower *tower)
{
    int fallen = 0;
    for (int i = 0; i < BRICKS; ++i) {
        sn_vec3 position = sn_rigid_position(tower->world, tower->bricks[i]);
        fallen += sn_distance_between(position, tower->starts[i]) > brick_half.y;
    }
    return fallen;
}

static void print_line(const tower *tower)
{
    sn_energy energy = sn_world_energy(tower->world);
    sn_statistics statistics = sn_world_statistics(tower->world);
    printf("%6.1f %11.1f %13.1f %10d %10d %8d %8d\n", sn_world_time(tower->world), 1.0e-3 * energy.kinetic,
           1.0e-3 * energy.potential, statistics.contact_count, statistics.contact_point_count,
           statistics.awake_count, count_fallen(tower));
}

enum { STAGES = 10 };

static void add_profile(float sums[STAGES], sn_profile step)
{
    float stages[STAGES] = {step.step,      step.collide, step.islands,     step.prepare, step.solve,
                            step.integrate, step.relax,   step.restitution, step.finish,  step.sweep};
    for (int i = 0; i < STAGES; ++i) {
        sums[i] += stages[i];
    }
}

static void print_profile(const float sums[STAGES], int steps)
{
    const char *names[STAGES] = {"whole step", "collide", "islands",     "prepare", "solve",
                                 "integrate",  "relax",   "restitution", "finish",  "sweep"};
    printf("\nmilliseconds per step, on average:\n");
    for (int i = 0; i < STAGES; ++i) {
        printf("  %-12s %7.3f\n", names[i], (double)sums[i] / steps);
    }
}

// One second to settle, the throw, five seconds to fall.
static sn_status run(tower *tower)
{
    const int steps = 6 * STEPS_PER_SECOND;
    float sums[STAGES] = {0.0f};
    printf("  time     kinetic     potential   contacts     points    awake   fallen\n");
    printf("   [s]        [kJ]          [kJ]\n");
    for (int step = 0; step < steps; ++step) {
        sn_status status = step == STEPS_PER_SECOND ? throw_ball(tower->world) : SN_OK;
        if (status == SN_OK) {
            status = sn_world_step(tower->world, step_length);
        }
        if (status != SN_OK) {
            return status;
        }
        add_profile(sums, sn_world_profile(tower->world));
        if ((step + 1) % (STEPS_PER_SECOND / 2) == 0) {
            print_line(tower);
        }
    }
    print_profile(sums, steps);
    double simulated = sn_world_time(tower->world), spent = 1.0e-3 * (double)sums[0];
    printf("\n%.1f s simulated in %.2f s: %.1f times real time on one thread, %d sub-steps per step\n",
           simulated, spent, simulated / spent, sn_world_statistics(tower->world).sub_steps);
    return SN_OK;
}

int main(void)
{
    static tower tower;
    sn_status status = build_tower(&tower);
    if (status == SN_OK) {
        status = run(&tower);
    }
    if (status != SN_OK) {
        fprintf(stderr, "%s: %s\n", sn_status_text(status),
                tower.world ? sn_world_error(tower.world) : sn_last_error());
    }
    sn_world_destroy(tower.world);
    return status == SN_OK ? 0 : 1;
}
