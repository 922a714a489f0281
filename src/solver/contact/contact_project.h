// Contacts that are solved all at once, on their friction cones: the part of contact_kernel.h that Jacobi's
// methods use (solver/jacobi.h, methods D.3 and D.6). Included there, after the rows it shares.
// Tested by tests/physics/test_position_cone.c.

// What a normal row asks for in an iteration: minus the speed that would meet it, and γ of its spring.
SN_INLINE sn_f8 wanted_speed(const sn_contact_pass *pass, const sn_contact_block *block,
                             const sn_contact_lane_point *point, sn_f8 *softness)
{
    sn_f8 zero = sn_f8_set(0.0f), inverse_h = sn_f8_set(pass->inverse_h);
    sn_f8 separation = sn_load(&point->before), mass = sn_load(&point->normal_mass);
    sn_i8 apart = contact_is_apart(block, separation, mass, sn_load(&point->reference));
    sn_f8 ratio = sn_load(&block->impulse_scale) / sn_f8_max(sn_load(&block->mass_scale), sn_f8_set(1.0e-6f));
    *softness = sn_f8_select(apart, zero, ratio * sn_f8_inverse_positive(mass));
    sn_f8 bend = sn_f8_max((sn_load(&point->begun) - separation) * inverse_h, sn_f8_set(-pass->push_speed));
    sn_f8 push = sn_f8_min(-sn_load(&block->bias_rate) * separation, sn_f8_set(pass->bias_limit));
    return sn_f8_select(apart, -separation * inverse_h, push) - bend;
}

// Normals and sliding together: a step against their residuals, then onto the friction cone. What slides
// would be lifted off at µ |slip|: De Saxcé's correction takes that from the residuals of normals.
SN_INLINE void project_patch(const sn_contact_pass *pass, sn_contact_block *block, velocities8 *v,
                             sn_vec3x8 normal)
{
    sn_contact_lane_point *points = &pass->points[block->first_point];
    sn_vec3x8 tangent = sn_load3(block->tangent), bitangent = sn_vec3x8_cross(normal, tangent);
    sn_vec3x8 center_a = sn_load3(block->center_a), center_b = sn_load3(block->center_b);
    sn_vec3x8 slip = contact_relative_velocity(v, center_a, center_b);
    sn_f8 slip_1 = sn_vec3x8_dot(slip, tangent) + sn_load(&block->surface_velocity[0]);
    sn_f8 slip_2 = sn_vec3x8_dot(slip, bitangent) + sn_load(&block->surface_velocity[1]);
    sn_f8 friction = sn_load(&block->friction), parts = sn_load(&block->parts);
    sn_f8 lift = friction * sn_f8_sqrt(slip_1 * slip_1 + slip_2 * slip_2);
    sn_f8 old[SN_MANIFOLD_POINTS], new[SN_MANIFOLD_POINTS], residual[SN_MANIFOLD_POINTS];
    sn_f8 size = sn_f8_inverse_positive(sn_load(&block->slip_mass)) * parts;
    for (int i = 0; i < block->point_count; ++i) {
        sn_f8 softness, wanted = wanted_speed(pass, block, &points[i], &softness);
        sn_vec3x8 at = contact_relative_velocity(v, sn_load3(points[i].arm_a), sn_load3(points[i].arm_b));
        old[i] = sn_load(&points[i].normal_impulse);
        residual[i] =
            sn_vec3x8_dot(at, normal) - wanted + lift + softness * (old[i] - sn_load(&points[i].reference));
        size = size + (sn_f8_inverse_positive(sn_load(&points[i].normal_mass)) * parts + softness);
    }
    sn_f8 step = sn_f8_inverse_positive(size);
    for (int i = 0; i < block->point_count; ++i) {
        new[i] = old[i] - step *residual[i];
    }
    sn_f8 old_1 = sn_load(&block->tangent_impulse[0]), old_2 = sn_load(&block->tangent_impulse[1]);
    sn_f8 rub[2] = {old_1 - step * slip_1, old_2 - step * slip_2};
    project_on_cone(new, block->point_count, rub, friction);
    for (int i = 0; i < block->point_count; ++i) {
        sn_store(&points[i].normal_impulse, new[i]);
        sn_store(&points[i].peak, sn_f8_max(sn_load(&points[i].peak), new[i]));
        apply_impulse(block, v, sn_load3(points[i].arm_a), sn_load3(points[i].arm_b),
                      sn_vec3x8_scale(normal, (new[i] - old[i]) * parts));
    }
    sn_store(&block->tangent_impulse[0], rub[0]);
    sn_store(&block->tangent_impulse[1], rub[1]);
    sn_vec3x8 turned = sn_vec3x8_add(sn_vec3x8_scale(tangent, (rub[0] - old_1) * parts),
                                     sn_vec3x8_scale(bitangent, (rub[1] - old_2) * parts));
    apply_impulse(block, v, center_a, center_b, turned);
}

// a += (b − c) part
SN_INLINE void add_part(sn_vec3x8 *a, sn_vec3x8 b, sn_vec3x8 c, sn_f8 part)
{
    *a = sn_vec3x8_add(*a, sn_vec3x8_scale(sn_vec3x8_sub(b, c), part));
}

// One patch for itself, with its parts of the bodies. Bodies get the mean of what patches do to their parts.
SN_INLINE void contact_project_block(const sn_contact_pass *pass, sn_contact_block *block)
{
    velocities8 v, now = gather_velocities(pass, block);
    sn_gather_records(pass->base->linear, block->body_a, &v.linear_a, &v.angular_a);
    sn_gather_records(pass->base->linear, block->body_b, &v.linear_b, &v.angular_b);
    velocities8 base = v;
    sn_vec3x8 normal = sn_load3(block->normal);
    sn_f8 parts = sn_load(&block->parts), pressure, moment;
    project_patch(pass, block, &v, normal);
    contact_pressure(pass, block, &pressure, &moment);
    solve_twist(block, &v, normal, moment, parts);
    if (block->has_rolling) {
        solve_rolling(block, &v, pressure, parts);
    }
    sn_f8 mean = sn_f8_inverse_positive(parts);
    add_part(&now.linear_a, v.linear_a, base.linear_a, mean);
    add_part(&now.angular_a, v.angular_a, base.angular_a, mean);
    add_part(&now.linear_b, v.linear_b, base.linear_b, mean);
    add_part(&now.angular_b, v.angular_b, base.angular_b, mean);
    scatter_velocities(pass, block, &now);
}
