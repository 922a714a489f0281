// Two nodes and a spring that are let go of, or circle about each other; both have closed solutions.
#include "bench/shared/integrator_order.h"

#include "bench/shared/numbers.h"

#include <math.h>

#define LENGTH    1.0f   // of the spring at rest [m]
#define MASS      1.0f   // of a node [kg]
#define STIFFNESS 100.0f // [N/m]
#define DURATION  0.5    // [s]

// Numbers of steps: errors small enough for their leading term, and large enough for floats.
enum { SIZES = 4 };
static const int step_counts[2][SIZES] = {{200, 400, 800, 1600}, {50, 100, 200, 400}};
const int bench_orders[SN_INTEGRATOR_COUNT] = {1, 1, 2, 2, 2, 1};

// Both nodes are at ± half the distance, along x at first.
typedef struct motion {
    double distance; ///< at first
    double speed;    ///< of either node, along ± y [m/s]
} motion;

static const double rate = 14.142135623730951; // √(2k/m) [rad/s]

// Let go of, stretched by a tenth.
static motion oscillation(void)
{
    return (motion){1.1, 0.0};
}

// A circle of radius r with k (2r − ℓ) = m ω² r, ω = 6 rad/s.
static motion orbit(void)
{
    double spin = 6.0, radius = (double)STIFFNESS * (double)LENGTH /
                                (2.0 * (double)STIFFNESS - (double)MASS * spin * spin);
    return (motion){2.0 * radius, spin * radius};
}

// Where the second node is after a time, and how fast.
static void exact_solution(const motion *motion, double time, double x[2], double v[2])
{
    if (motion->speed == 0.0) {
        double stretch = 0.5 * (motion->distance - (double)LENGTH);
        x[0] = 0.5 * (double)LENGTH + stretch * cos(rate * time);
        v[0] = -stretch * rate * sin(rate * time);
        x[1] = v[1] = 0.0;
        return;
    }
    double radius = 0.5 * motion->distance, spin = motion->speed / radius;
    x[0] = radius * cos(spin * time);
    x[1] = radius * sin(spin * time);
    v[0] = -spin * x[1];
    v[1] = spin * x[0];
}

static sn_status add_spring(sn_world *world, sn_integrator integrator, const motion *motion,
                            sn_deformable *spring)
{
    sn_mesh *mesh = NULL;
    sn_status status = sn_mesh_line(LENGTH, 1, &mesh);
    float masses[2] = {MASS, MASS};
    sn_node_state *nodes = NULL;
    sn_node_velocity *velocities = NULL;
    if (status == SN_OK) {
        sn_deformable_def def = sn_deformable_def_default();
        def.mesh = mesh;
        def.node_masses = masses;
        def.model = sn_model_springs(STIFFNESS, 0.0f);
        def.model.type = SN_MODEL_SPRING_FORCES;
        def.integrator = integrator;
        def.collide = false;
        status = sn_deformable_add(world, &def, spring);
    }
    status = status ? status : sn_deformable_edit(world, *spring, &nodes, &velocities);
    for (int i = 0; i < 2 && status == SN_OK; ++i) {
        float side = i == 0 ? -1.0f : 1.0f;
        nodes[i].position = sn_v(side * (float)(0.5 * motion->distance), 0.0f, 0.0f);
        velocities[i].velocity = sn_v(0.0f, side * (float)motion->speed, 0.0f);
    }
    sn_mesh_destroy(mesh);
    return status;
}

// The error of place and velocity at the end, as lengths.
static sn_status error_after(sn_integrator integrator, const motion *motion, int steps, double *error)
{
    sn_world *world = NULL;
    sn_world_def settings = bench_settings(1);
    sn_deformable spring;
    settings.sub_steps = 1;
    settings.gravity = sn_v(0.0f, 0.0f, 0.0f);
    sn_status status = sn_world_create(&settings, &world);
    status = status ? status : add_spring(world, integrator, motion, &spring);
    for (int i = 0; i < steps && status == SN_OK; ++i) {
        status = sn_world_step(world, (float)(DURATION / steps));
    }
    if (status == SN_OK) {
        double x[2], v[2];
        exact_solution(motion, sn_world_time(world), x, v);
        sn_vec3 place = sn_deformable_nodes(world, spring)[1].position;
        sn_vec3 velocity = sn_deformable_velocities(world, spring)[1].velocity;
        double dx = (double)place.x - x[0], dy = (double)place.y - x[1];
        double du = ((double)velocity.x - v[0]) / rate, dv = ((double)velocity.y - v[1]) / rate;
        *error = sqrt(dx * dx + dy * dy + du * du + dv * dv);
    }
    sn_world_destroy(world);
    return status;
}

sn_status bench_order_measure(sn_integrator integrator, bool is_orbit, double *order)
{
    motion motion = is_orbit ? orbit() : oscillation();
    double sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0;
    sn_status status = SN_OK;
    for (int i = 0; i < SIZES && status == SN_OK; ++i) {
        double error = 0.0;
        int steps = step_counts[bench_orders[integrator] - 1][i];
        status = error_after(integrator, &motion, steps, &error);
        double x = log(DURATION / steps), y = log(error);
        sx += x / SIZES;
        sy += y / SIZES;
        sxx += x * x / SIZES;
        sxy += x * y / SIZES;
    }
    *order = (sxy - sx * sy) / (sxx - sx * sx);
    return status;
}
