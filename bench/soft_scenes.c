// The scenes that deformables are measured by.
#include "soft_scenes.h"

// Bullet's coefficients were searched by hand for steps of 5 ms with 5 iterations: the stiffest that rest.
static const soft_bullet_material bullet_cloth = {.stretch = 1.0f, .bend = 0.3f, .damping = 0.01f};
static const soft_bullet_material bullet_jelly = {.stretch = 0.7f, .pose = 0.02f, .damping = 0.02f};

// --- cloth -------------------------------------------------------------------------------------------------

sn_status soft_scene_add_cloth(soft_scene *scene, float size, float mass, float height)
{
    return soft_scene_add_fine_cloth(scene, 50, size, mass, height);
}

sn_status soft_scene_add_fine_cloth(soft_scene *scene, int cells, float size, float mass, float height)
{
    sn_mesh *mesh = NULL;
    sn_status status = sn_mesh_grid(size, size, cells, cells, SN_GRID_ALTERNATING, &mesh);
    if (status != SN_OK) {
        return status;
    }
    soft_body *cloth = soft_scene_body(scene, mesh, sn_v(0.0f, height, 0.0f), mass);
    cloth->def.pose.rotation = sn_quat_axis_angle(sn_v(1.0f, 0.0f, 0.0f), -0.5f * SN_PI);
    cloth->def.inextensible.on = true;
    cloth->def.inextensible.shear_stiffness = 5.0f;
    cloth->def.inextensible.shear_damping = 0.02f;
    cloth->def.bending.type = SN_BENDING_ISOMETRIC;
    cloth->def.bending.stiffness = 1.0e-4f;
    cloth->def.bending.damping = 0.01f;
    cloth->def.linear_damping = 1.5f;
    cloth->bullet = bullet_cloth;
    return SN_OK;
}

sn_status soft_scene_cloth(soft_scene *scene, bool rolling)
{
    *scene = (soft_scene){.floor = rolling, .floor_friction = 0.5f};
    const float radius = 0.5f;
    soft_scene_solid(scene, SOFT_SPHERE, sn_v(radius, radius, radius), rolling ? 1.0f : 0.0f,
                     sn_v(0.0f, radius, 0.0f));
    sn_status status = soft_scene_add_cloth(scene, 2.0f, 0.8f, 2.0f * radius + 0.05f);
    if (status == SN_OK) {
        scene->bodies[0].def.self_collide = true;
    }
    return status;
}

// --- jellies -----------------------------------------------------------------------------------------------

const char *soft_paradigm_name(soft_paradigm paradigm)
{
    static const char *const names[] = {"springs", "finite elements", "position-based", "shape matching",
                                        "one of each"};
    return names[paradigm];
}

// Stiffnesses under which the bar sinks about as far.
static sn_model model_of(soft_paradigm paradigm)
{
    switch (paradigm) {
    case SOFT_SPRINGS:
        return sn_model_springs(400.0f, 8.0f);
    case SOFT_POSITION_BASED:
        return sn_model_position_based(0.9f, 0.9f);
    case SOFT_SHAPE_MATCHING:
        return sn_model_shape_matching(0.5f, SN_MATCH_LINEAR, 0.5f);
    case SOFT_ELEMENTS:
    case SOFT_MIXED:
    default: {
        sn_model model = sn_model_corotational(5.0e3f, 0.45f);
        model.damping = 0.02f;
        return model;
    }
    }
}

typedef struct jelly_sizes {
    float radius, height, mass, apart;
    float dish_height, dish_half_width, dish_mass;
    sn_vec3 bar; ///< half extents
    float bar_mass, drop;
} jelly_sizes;

static sn_status lay_table(soft_scene *scene, const jelly_sizes *sizes, soft_paradigm paradigm, float speed)
{
    const float gap = 0.005f; // half the thickness
    *scene = (soft_scene){.floor = true, .drop = sizes->drop};
    sn_mesh *mesh = NULL;
    sn_status status = sn_mesh_cylinder(sizes->radius, sizes->height, 3, 10, &mesh);
    if (status != SN_OK) {
        return status;
    }
    float middle = 0.5f * sizes->dish_height, width = sizes->dish_half_width;
    soft_scene_solid(scene, SOFT_BOX, sn_v(width, middle, width), sizes->dish_mass, sn_v(0.0f, middle, 0.0f));
    float top = sizes->dish_height + sizes->height + 2.0f * gap;
    soft_scene_solid(scene, SOFT_BOX, sizes->bar, sizes->bar_mass,
                     sn_v(0.0f, top + sizes->drop + sizes->bar.y, 0.0f))
        ->velocity = sn_v(speed, 0.0f, 0.0f);
    for (int i = 0; i < 4; ++i) {
        sn_vec3 place = {i % 2 == 0 ? -sizes->apart : sizes->apart,
                         sizes->dish_height + gap + 0.5f * sizes->height,
                         i / 2 == 0 ? -sizes->apart : sizes->apart};
        soft_body *jelly = soft_scene_body(scene, mesh, place, sizes->mass);
        jelly->def.model = model_of(paradigm == SOFT_MIXED ? (soft_paradigm)i : paradigm);
        jelly->bullet = bullet_jelly;
    }
    return SN_OK;
}

sn_status soft_scene_jellies(soft_scene *scene, soft_paradigm paradigm, float speed)
{
    const jelly_sizes sizes = {.radius = 0.35f,
                               .height = 0.7f,
                               .mass = 4.3f,
                               .apart = 0.55f,
                               .dish_height = 0.1f,
                               .dish_half_width = 1.2f,
                               .dish_mass = 5.0f,
                               .bar = {1.1f, 0.1f, 1.1f},
                               .bar_mass = 8.0f,
                               .drop = 0.3f};
    return lay_table(scene, &sizes, paradigm, speed);
}

sn_status soft_scene_paper_jellies(soft_scene *scene)
{
    const jelly_sizes sizes = {.radius = 0.15f,
                               .height = 0.2f,
                               .mass = 1.0f,
                               .apart = 0.25f,
                               .dish_height = 0.05f,
                               .dish_half_width = 0.5f,
                               .dish_mass = 1.0f,
                               .bar = {0.45f, 0.03f, 0.45f},
                               .bar_mass = 0.3f,
                               .drop = 0.1f};
    return lay_table(scene, &sizes, SOFT_MIXED, 0.0f);
}
