// Friction of a patch within Coulomb's disc, twist and rolling. Zero is added so that no impulse is −0:
// patches that nothing presses are left out, and must be to the bit what they would be otherwise. Part of
// contact_kernel.h, which includes it after the rows it shares. Tested by
// tests/solver/contact/test_contact_kernel.c.

// Bodies are `parts` times as light as they are: 1, unless contacts are solved all at once.
SN_INLINE void solve_twist(sn_contact_block *block, velocities8 *v, sn_vec3x8 normal, sn_f8 pressure_moment,
                           sn_f8 parts)
{
    sn_f8 spin = sn_vec3x8_dot(sn_vec3x8_sub(v->angular_b, v->angular_a), normal);
    sn_f8 limit = sn_load(&block->friction) * pressure_moment;
    sn_f8 old = sn_load(&block->twist_impulse);
    sn_f8 new = old - sn_load(&block->twist_mass) * spin / parts;
    new = sn_f8_max(sn_f8_min(new, limit), -limit) + sn_f8_set(0.0f);
    sn_store(&block->twist_impulse, new);
    apply_turn(block, v, sn_vec3x8_scale(normal, (new - old) * parts));
}

SN_INLINE void solve_sliding(sn_contact_block *block, velocities8 *v, sn_vec3x8 tangent, sn_vec3x8 bitangent,
                             sn_f8 pressure)
{
    sn_vec3x8 arm_a = sn_load3(block->center_a), arm_b = sn_load3(block->center_b);
    sn_vec3x8 slip = contact_relative_velocity(v, arm_a, arm_b);
    sn_f8 slip_1 = sn_vec3x8_dot(slip, tangent), slip_2 = sn_vec3x8_dot(slip, bitangent);
    if (block->has_surface_velocity) {
        slip_1 = slip_1 + sn_load(&block->surface_velocity[0]);
        slip_2 = slip_2 + sn_load(&block->surface_velocity[1]);
    }
    sn_f8 m11 = sn_load(&block->tangent_mass[0]), m12 = sn_load(&block->tangent_mass[1]);
    sn_f8 m22 = sn_load(&block->tangent_mass[2]);
    sn_f8 old_1 = sn_load(&block->tangent_impulse[0]), old_2 = sn_load(&block->tangent_impulse[1]);
    sn_f8 new_1 = old_1 - (m11 * slip_1 + m12 * slip_2);
    sn_f8 new_2 = old_2 - (m12 * slip_1 + m22 * slip_2);
    sn_f8 limit = sn_load(&block->friction) * pressure, one = sn_f8_set(1.0f);
    sn_i8 slides = new_1 * new_1 + new_2 * new_2 > limit * limit;
    // What cannot be held slides, with friction against the slip: a step along it, then shortened to
    // Coulomb's disc. (The step that would stop it is bent by the body's shape; shortening that one would
    // push a long box sideways.)
    sn_f8 step = sn_load(&block->slip_mass);
    new_1 = sn_f8_select(slides, old_1 - step * slip_1, new_1);
    new_2 = sn_f8_select(slides, old_2 - step * slip_2, new_2);
    sn_f8 squared = new_1 * new_1 + new_2 * new_2;
    sn_i8 too_long = squared > limit * limit;
    sn_f8 scale = sn_f8_select(too_long, limit / sn_f8_sqrt(sn_f8_select(too_long, squared, one)), one);
    new_1 = new_1 * scale + sn_f8_set(0.0f);
    new_2 = new_2 * scale + sn_f8_set(0.0f);
    sn_store(&block->tangent_impulse[0], new_1);
    sn_store(&block->tangent_impulse[1], new_2);
    sn_vec3x8 impulse =
        sn_vec3x8_add(sn_vec3x8_scale(tangent, new_1 - old_1), sn_vec3x8_scale(bitangent, new_2 - old_2));
    apply_impulse(block, v, arm_a, arm_b, impulse);
}

// A torque against relative rotation, no larger than rolling resistance × the patch's normal impulse.
SN_INLINE void solve_rolling(sn_contact_block *block, velocities8 *v, sn_f8 pressure, sn_f8 parts)
{
    sn_vec3x8 spin = sn_vec3x8_scale(sn_vec3x8_sub(v->angular_b, v->angular_a), sn_f8_set(1.0f) / parts);
    sn_vec3x8 old = sn_load3(block->rolling_impulse);
    sn_vec3x8 new = sn_vec3x8_sub(old, sn_sym3x8_apply(sn_load_inertia8(block->rolling_mass), spin));
    sn_f8 limit = sn_load(&block->rolling_resistance) * pressure;
    sn_f8 squared = sn_vec3x8_dot(new, new);
    sn_i8 rolls = squared > limit * limit;
    sn_f8 scale = limit / sn_f8_sqrt(sn_f8_select(rolls, squared, sn_f8_set(1.0f)));
    new = sn_vec3x8_scale(new, sn_f8_select(rolls, scale, sn_f8_set(1.0f)));
    new = sn_vec3x8_add(new, (sn_vec3x8){sn_f8_set(0.0f), sn_f8_set(0.0f), sn_f8_set(0.0f)});
    sn_store3(block->rolling_impulse, new);
    apply_turn(block, v, sn_vec3x8_scale(sn_vec3x8_sub(new, old), parts));
}

// Sum of the normal impulses of a patch, and of their levers.
SN_INLINE void contact_pressure(const sn_contact_pass *pass, const sn_contact_block *block, sn_f8 *pressure,
                                sn_f8 *moment)
{
    *pressure = *moment = sn_f8_set(0.0f);
    for (int i = 0; i < block->point_count; ++i) {
        const sn_contact_lane_point *point = &pass->points[block->first_point + i];
        sn_f8 impulse = sn_load(&point->normal_impulse);
        *pressure = *pressure + impulse;
        *moment = *moment + impulse * sn_load(&point->lever);
    }
}

SN_INLINE void solve_frictions(const sn_contact_pass *pass, sn_contact_block *block, velocities8 *v,
                               sn_vec3x8 normal)
{
    sn_vec3x8 tangent = sn_load3(block->tangent), bitangent = sn_vec3x8_cross(normal, tangent);
    sn_f8 pressure, moment, one = sn_f8_set(1.0f);
    contact_pressure(pass, block, &pressure, &moment);
    for (int k = 0; k < 3; ++k) {
        int row = pass->backwards ? 2 - k : k;
        if (row == 0) {
            solve_twist(block, v, normal, moment, one);
        } else if (row == 1) {
            solve_sliding(block, v, tangent, bitangent, pressure);
        } else if (block->has_rolling) {
            solve_rolling(block, v, pressure, one);
        }
    }
}
