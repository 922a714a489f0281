// The cloth.
#include "bench/shared/row_cloth.h"

sn_status bench_row_cloth(int cells, const sn_world_def *settings, sn_world **world, sn_deformable *cloth)
{
    sn_mesh *mesh = NULL;
    float size = 0.04f * (float)cells;
    sn_status status = sn_mesh_grid(size, size, cells, cells, SN_GRID_ALTERNATING, &mesh);
    if (status == SN_OK) {
        status = sn_world_create(settings, world);
    }
    if (status == SN_OK) {
        sn_deformable_def def = sn_deformable_def_default();
        def.mesh = mesh;
        def.density = 0.2f;
        def.inextensible.on = true;
        def.collide = false;
        def.angular_velocity = sn_v(0.0f, 0.0f, 1.0f);
        status = sn_deformable_add(*world, &def, cloth);
    }
    sn_mesh_destroy(mesh);
    return status;
}
