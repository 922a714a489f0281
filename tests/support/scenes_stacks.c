// Things that should stand still: stacks, the tower, the pyramid. Bodies touch without overlap at the start,
// so that all motion seen later is the solver's.
#include "support/scene_builder.h"
#include "support/scenes.h"

static const float default_density = 1000.0f;

static void add_cube(scene_builder *builder, float x, float y, float density)
{
    scene_box(builder, scene_at(x, y, 0.0f), sn_v(0.5f, 0.5f, 0.5f), density);
}

sn_status scene_build_box_stack(sn_world *world)
{
    scene_builder builder = {world, SN_OK};
    scene_floor(&builder);
    for (int i = 0; i < 20; ++i) {
        add_cube(&builder, 0.0f, 0.5f + (float)i, default_density);
    }
    return builder.status;
}

sn_status scene_build_heavy_stack(sn_world *world)
{
    scene_builder builder = {world, SN_OK};
    scene_floor(&builder);
    for (int i = 0; i < 10; ++i) {
        bool is_top = i == 9;
        add_cube(&builder, 0.0f, 0.5f + (float)i, is_top ? 100.0f * default_density : default_density);
    }
    return builder.status;
}

// Neighbours lean against nothing: each box lies on two, 10 cm from the next.
sn_status scene_build_pyramid(sn_world *world)
{
    const int base = 20;
    const float spacing = 1.1f;
    scene_builder builder = {world, SN_OK};
    scene_floor(&builder);
    for (int row = 0; row < base; ++row) {
        for (int i = 0; i < base - row; ++i) {
            float x = spacing * ((float)i - 0.5f * (float)(base - 1 - row));
            add_cube(&builder, x, 0.5f + (float)row, default_density);
        }
    }
    return builder.status;
}

// --- the tower ---------------------------------------------------------------------------------------------

static const float brick_length = 0.5f, brick_depth = 0.25f, brick_gap = 0.01f;

// Body axes of a brick: x outwards, y up, z along the ring.
sn_vec3 test_tower_half_extents(void)
{
    return sn_v(0.5f * brick_depth, 0.5f * TEST_TOWER_BRICK_HEIGHT, 0.5f * brick_length);
}

sn_pose test_tower_brick(int index)
{
    int layer = index / TEST_TOWER_RING;
    int place = index % TEST_TOWER_RING;
    // Half the angle of a brick. The inner face, seen from the axis, must leave half the gap at either end.
    float half_angle = SN_PI / (float)TEST_TOWER_RING;
    float inner_radius = (0.5f * brick_gap + 0.5f * brick_length * sn_cos(half_angle)) / sn_sin(half_angle);
    float radius = inner_radius + 0.5f * brick_depth;
    float angle = half_angle * (float)(2 * place + layer % 2);
    float height = TEST_TOWER_BRICK_HEIGHT * (0.5f + (float)layer);
    sn_pose pose = {{radius * sn_cos(angle), height, -radius * sn_sin(angle)},
                    sn_quat_axis_angle(sn_v(0.0f, 1.0f, 0.0f), angle)};
    return pose;
}

sn_status scene_build_tower(sn_world *world)
{
    scene_builder builder = {world, SN_OK};
    scene_floor(&builder);
    for (int i = 0; i < TEST_TOWER_BRICKS; ++i) {
        scene_box(&builder, test_tower_brick(i), test_tower_half_extents(), default_density);
    }
    return builder.status;
}
