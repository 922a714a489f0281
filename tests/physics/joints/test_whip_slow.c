// Long chains of light links, let go from the horizontal, crack like whips: the hardest thing a free chain
// does. Nothing may be lost, and no energy come from nowhere.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/physics.h"

static void crack(int links, float seconds)
{
    sn_world_def def = sn_world_def_default();
    def.sleep = false;
    sn_world *world;
    must(sn_world_create(&def, &world));
    sn_rigid before = sn_world_ground(world);
    for (int i = 0; i < links; ++i) {
        sn_rigid_def link_def = sn_rigid_def_default();
        link_def.position = sn_v(0.2f * (float)(i + 1), 0.0f, 0.0f);
        sn_rigid link;
        must(sn_rigid_add(world, &link_def, &link));
        must(sn_sphere_add(world, link, NULL, (sn_sphere){.radius = 0.05f}, NULL));
        sn_ball_def joint = sn_ball_def_default();
        sn_vec3 place = sn_v(0.2f * (float)i + 0.1f, 0.0f, 0.0f);
        must(sn_constraint_place(world, &joint.common, before, link, place, sn_v(1.0f, 0.0f, 0.0f)));
        must(sn_ball_add(world, &joint, NULL));
        before = link;
    }
    double start = sn_world_energy(world).potential;
    physics_run(world, physics_steps[0], seconds);
    sn_energy end = sn_world_energy(world);
    check_true(sn_world_statistics(world).frozen_count == 0, "no link of %d was lost", links);
    // What a link falls by: the chain's own length, at most.
    double exchanged = end.mass * 9.81 * 0.2 * links;
    check_below((end.kinetic + end.potential - start) / exchanged, 0.01, "energy gained by %d links", links);
    sn_world_destroy(world);
}

static void test_whips_of_100_to_300_links_keep_all_links_and_gain_no_energy_in_15_s(void **state)
{
    (void)state;
    crack(100, 15.0f);
    crack(200, 15.0f);
    crack(300, 15.0f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whips_of_100_to_300_links_keep_all_links_and_gain_no_energy_in_15_s),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
