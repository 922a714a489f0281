// A jelly is picked with a ray, as by a mouse, lifted on a soft anchor, swung and let go.
#include "example.h"

static sn_deformable add_jelly(sn_world *world)
{
    sn_mesh *mesh = NULL;
    must(NULL, sn_mesh_box((sn_vec3){0.3f, 0.3f, 0.3f}, 5, 5, 5, &mesh));
    sn_deformable_def def = sn_deformable_def_default();
    def.mesh = mesh;
    def.name = "jelly";
    def.pose.position = sn_v(0.0f, 0.16f, 0.0f);
    def.density = 300.0f;                          // kg/m³
    def.model = sn_model_corotational(2e4f, 0.4f); // Young's modulus [Pa], Poisson's ratio
    sn_deformable jelly;
    must(world, sn_deformable_add(world, &def, &jelly));
    sn_mesh_destroy(mesh);
    return jelly;
}

// The button goes down: whatever the ray hits first hangs on a soft anchor.
static sn_anchor pick(sn_world *world, sn_vec3 eye, sn_vec3 towards)
{
    sn_anchor_def def = sn_anchor_def_default();
    sn_hit hit;
    must(world, sn_world_pick(world, eye, towards, sn_query_filter_default(), &def.b, &hit));
    def.a = sn_point_world(hit.point);
    def.compliance = 1e-3f; // m/N
    def.damping = 20.0f;    // N s/m
    def.max_force = 500.0f; // N; the jelly weighs 80 N
    sn_anchor anchor;
    must(world, sn_anchor_add(world, &def, &anchor));
    printf("picked at (%.2f, %.2f, %.2f)\n", (double)hit.point.x, (double)hit.point.y, (double)hit.point.z);
    return anchor;
}

int main(void)
{
    const float step = 1.0f / 60.0f;
    sn_world *world = world_with_floor();
    sn_deformable jelly = add_jelly(world);
    sn_anchor mouse = pick(world, sn_v(0.0f, 1.0f, 2.0f), sn_v(0.1f, -2.0f, -4.0f));
    film film = film_begin(world, "pick_and_throw.recording");
    for (int frame = 0; frame < 90; ++frame) { // the mouse moves up, then fast to the right
        float rise = sn_min((float)frame / 60.0f, 1.0f), swing = sn_max((float)frame - 70.0f, 0.0f) / 10.0f;
        sn_point place = sn_point_world(sn_v(swing, 0.3f + rise, 0.15f));
        must(world, sn_anchor_point_set(world, mouse, 0, &place));
        film_step(&film, step);
    }
    printf("the mouse pulls with %.0f N\n", (double)sn_length(sn_anchor_force(world, mouse)));
    must(world, sn_anchor_remove(world, mouse)); // the button goes up
    for (int frame = 0; frame < 120; ++frame) {
        film_step(&film, step);
    }
    film_end(&film);
    sn_deformable_measure now = sn_deformable_measure_now(world, jelly);
    printf("two seconds later it is at x = %.2f m, strained by %.0f %%\n", (double)now.center.x,
           (double)now.largest_strain * 100.0);
    sn_world_destroy(world);
}
