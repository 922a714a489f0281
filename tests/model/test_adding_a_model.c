// The model of docs/adding-a-model.md, as it is written there: tests/CMakeLists.txt takes it out of the page.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "adding_a_model.h"
#include "support/memory.h"

enum { FIRST = 2, NODES = 3, ALL = FIRST + NODES };

static void test_differences_of_velocity_decay_and_momentum_is_kept(void **state)
{
    (void)state;
    const float inverse_masses[ALL] = {1.0f, 1.0f, 0.5f, 0.25f, 0.0f}; // the last is fixed
    const float speeds[ALL] = {7.0f, 7.0f, 3.0f, -3.0f, 5.0f};
    sn_node_state nodes[ALL] = {{.inverse_mass = 0.0f}};
    sn_node_velocity velocities[ALL] = {{.velocity = {0.0f, 0.0f, 0.0f}}};
    for (int i = 0; i < ALL; ++i) {
        nodes[i].inverse_mass = inverse_masses[i];
        velocities[i].velocity.x = speeds[i];
    }
    sn_model_input input = {.parameters.damping = 100.0f, .first_node = FIRST, .node_count = NODES};
    sn_element_pass pass = {.nodes = nodes, .velocities = velocities, .h = 0.01f};
    void *model = drag_kind.create(&input);
    assert_non_null(model);
    drag_kind.apply(model, &pass, NULL);
    // Masses of 2 and 4 kg: the mean is −1 m/s.
    float left = 1.0f - sn_decay(1.0f);
    assert_float_equal(velocities[FIRST].velocity.x, -1.0f + 4.0f * left, 1.0e-6f);
    assert_float_equal(velocities[FIRST + 1].velocity.x, -1.0f - 2.0f * left, 1.0e-6f);
    assert_true(velocities[ALL - 1].velocity.x == 5.0f);
    assert_true(velocities[0].velocity.x == 7.0f);
    drag_kind.destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_differences_of_velocity_decay_and_momentum_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
