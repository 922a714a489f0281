// Contacts that are solved all at once, on their friction cones: the part of contact_kernel.h that Jacobi's
// methods use (solver/jacobi.c, methods D.3 and D.6). Included there, after the rows it shares.
// Tested by tests/physics/test_position_cone.c.

// One patch for itself, with its parts of the bodies, whose velocities stay what they are: normals and
// sliding together, then twist and rolling. A point that a lane does not have stays without an impulse.
SN_INLINE void contact_project_block(const sn_contact_pass *pass, sn_contact_block *block)
{
    velocities8 v = gather_velocities(pass, block);
    sn_contact_lane_point *points = &pass->points[block->first_point];
    sn_vec3x8 normal = sn_load3(block->normal), tangent = sn_load3(block->tangent);
    sn_vec3x8 bitangent = sn_vec3x8_cross(normal, tangent);
    sn_vec3x8 center_a = sn_load3(block->center_a), center_b = sn_load3(block->center_b);
    sn_vec3x8 slip = contact_relative_velocity(&v, center_a, center_b);
    sn_f8 slips[2] = {sn_vec3x8_dot(slip, tangent) + sn_load(&block->surface_velocity[0]),
                      sn_vec3x8_dot(slip, bitangent) + sn_load(&block->surface_velocity[1])};
    sn_f8 old[2] = {sn_load(&block->tangent_impulse[0]), sn_load(&block->tangent_impulse[1])};
    sn_f8 rub[2] = {old[0], old[1]}, impulses[SN_MANIFOLD_POINTS], residuals[SN_MANIFOLD_POINTS];
    normal_row8 rows[SN_MANIFOLD_POINTS];
    sn_f8 parts = sn_load(&block->parts), size = sn_f8_inverse_positive(sn_load(&block->slip_mass));
    find_normal_rows(pass, block, NULL, normal, rows);
    for (int i = 0; i < block->point_count; ++i) {
        sn_f8 inverse = sn_f8_inverse_positive(rows[i].mass);
        residuals[i] = -normal_change(pass, &points[i], &rows[i], &v, normal) * inverse;
        size = size + inverse;
        impulses[i] = sn_f8_select(rows[i].mass > sn_f8_set(0.0f), sn_load(&points[i].normal_impulse),
                                   sn_f8_set(-SN_FAR_APART));
    }
    sn_step_on_cone(impulses, residuals, block->point_count, rub, slips, sn_load(&block->friction),
                    sn_f8_inverse_positive(size * parts));
    for (int i = 0; i < block->point_count; ++i) {
        set_normal_impulse(block, &points[i], &v, normal, impulses[i], parts);
    }
    sn_store(&block->tangent_impulse[0], rub[0]);
    sn_store(&block->tangent_impulse[1], rub[1]);
    apply_impulse(block, &v, center_a, center_b,
                  sn_vec3x8_add(sn_vec3x8_scale(tangent, (rub[0] - old[0]) * parts),
                                sn_vec3x8_scale(bitangent, (rub[1] - old[1]) * parts)));
    sn_f8 pressure, moment;
    contact_pressure(pass, block, &pressure, &moment);
    solve_twist(block, &v, normal, moment, parts);
    if (block->has_rolling) {
        solve_rolling(block, &v, pressure, parts);
    }
}
