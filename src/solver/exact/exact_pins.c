// Single nodes on nails, which may move (Gissler 2006, equations 13 to 16; methods C): x⁺ = x_goal, and the
// nail's velocity at the end of the sub-step. As other nailed sets are (exact_sets.c), but planned as such:
// nothing is looked up in a step.
#include "solver/exact/exact.h"

// Pins a thread takes at a time.
enum { PIN_GRAIN = 1024 };

bool sn_exact_pins_begin(sn_exact_stage *stage)
{
    stage->pin_impulses =
        sn_arena_take_zero(stage->solver->arena, (size_t)stage->pin_count, sizeof *stage->pin_impulses);
    return stage->pin_impulses != NULL;
}

static void place_pins(void *context, int begin, int end)
{
    const sn_exact_stage *stage = context;
    const sn_node_solver *nodes = &stage->solver->nodes;
    int done = stage->sub_step + 1, count = stage->solver->settings.sub_steps;
    float part = done == count ? 1.0f : (float)done / (float)count, inverse_h = nodes->pass.inverse_h;
    for (int i = begin; i < end; ++i) {
        const sn_exact_pin *pin = &stage->pins[i];
        sn_node_state *state = &nodes->nodes->states.data[pin->node];
        if (state->inverse_mass == 0.0f) {
            continue;
        }
        sn_vec3 displacement = sn_scale(pin->displacement, part);
        sn_vec3 moved = sn_add(sn_sub(pin->place, nodes->starts[pin->node]), displacement);
        sn_vec3 change = sn_scale(sn_sub(moved, nodes->moved[pin->node]), inverse_h);
        sn_vec3 *velocity = &nodes->nodes->velocities.data[pin->node].velocity;
        *velocity = sn_add(*velocity, change);
        nodes->moved[pin->node] = moved;
        state->position = sn_add(pin->place, displacement);
        stage->pin_impulses[i] = sn_add_scaled(stage->pin_impulses[i], 1.0f / state->inverse_mass, change);
    }
}

static void settle_pins(void *context, int begin, int end)
{
    const sn_exact_stage *stage = context;
    const sn_nodes *nodes = stage->solver->nodes.nodes;
    float inverse_duration = 1.0f / stage->solver->settings.duration;
    for (int i = begin; i < end; ++i) {
        const sn_exact_pin *pin = &stage->pins[i];
        float inverse_mass = nodes->states.data[pin->node].inverse_mass;
        if (inverse_mass == 0.0f) {
            continue;
        }
        sn_vec3 *own = &nodes->velocities.data[pin->node].velocity;
        sn_vec3 velocity = sn_scale(pin->displacement, inverse_duration), change = sn_sub(velocity, *own);
        stage->pin_impulses[i] = sn_add_scaled(stage->pin_impulses[i], 1.0f / inverse_mass, change);
        *own = velocity;
    }
}

void sn_exact_pins_place(sn_exact_stage *stage)
{
    sn_tasks_for(stage->solver->tasks, stage->pin_count, PIN_GRAIN, place_pins, stage);
}

void sn_exact_pins_settle(sn_exact_stage *stage)
{
    sn_tasks_for(stage->solver->tasks, stage->pin_count, PIN_GRAIN, settle_pins, stage);
}

void sn_exact_pins_store(sn_exact_stage *stage)
{
    float inverse_duration = 1.0f / stage->solver->settings.duration;
    for (int i = 0; i < stage->pin_count; ++i) {
        const sn_exact_pin *pin = &stage->pins[i];
        *pin->force = sn_scale(stage->pin_impulses[i], pin->is_b ? inverse_duration : -inverse_duration);
    }
}
