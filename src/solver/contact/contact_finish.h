// The end of a sub-step of contacts: what bounces, references that follow, sums. Part of contact_kernel.h,
// which includes it after the rows it shares. Tested by tests/solver/contact/test_contact_kernel.c.

// Lanes of a point that were hit faster than the threshold.
SN_INLINE sn_i8 contact_was_hit(const sn_contact_pass *pass, const sn_contact_lane_point *point)
{
    return (sn_load(&point->approach) < sn_f8_set(-pass->restitution_threshold)) &
           (sn_load(&point->peak) > sn_f8_set(0.0f));
}

// Points that were hit leave with `restitution` times the speed they came with (Newton).
SN_INLINE void bounce_point(const sn_contact_pass *pass, const sn_contact_block *block,
                            sn_contact_lane_point *point, velocities8 *v, sn_vec3x8 normal, sn_f8 restitution)
{
    sn_f8 speed = normal_speed(point, v, normal);
    sn_f8 wanted = -restitution * sn_load(&point->approach);
    sn_f8 old = sn_load(&point->normal_impulse);
    sn_f8 new = sn_f8_max(old + sn_load(&point->normal_mass) * (wanted - speed), sn_f8_set(0.0f));
    sn_i8 bounces = contact_was_hit(pass, point) & (sn_load(&block->restitution) > sn_f8_set(0.0f));
    new = sn_f8_select(bounces, new, old);
    sn_store(&point->normal_impulse, new);
    push_point(block, point, v, normal, new - old);
}

// Removes what a bounce gave beyond e times the impulses that stopped the approach (Poisson): bodies that
// turn fast, or touch in several places, would otherwise leave with more energy than they came with.
SN_INLINE void limit_bounce(const sn_contact_pass *pass, const sn_contact_block *block, const sn_f8 *stopping,
                            velocities8 *v, sn_vec3x8 normal)
{
    sn_f8 zero = sn_f8_set(0.0f), one = sn_f8_set(1.0f), given = zero, stopped = zero;
    for (int i = 0; i < block->point_count; ++i) {
        const sn_contact_lane_point *point = &pass->points[block->first_point + i];
        given = given + (sn_load(&point->normal_impulse) - stopping[i]);
        stopped = stopped + stopping[i];
    }
    sn_f8 most = sn_load(&block->restitution) * stopped;
    sn_i8 too_much = given > most;
    sn_f8 back = sn_f8_select(too_much, one - most / sn_f8_select(too_much, given, one), zero);
    for (int i = 0; i < block->point_count; ++i) {
        sn_contact_lane_point *point = &pass->points[block->first_point + i];
        sn_f8 impulse = sn_load(&point->normal_impulse), excess = back * (impulse - stopping[i]);
        sn_store(&point->normal_impulse, impulse - excess);
        push_point(block, point, v, normal, -excess);
    }
}

// All points of a patch at once, so that a box that falls flat rises flat. Impacts are rare, so the rounds it
// takes do not matter.
SN_INLINE void bounce_points(const sn_contact_pass *pass, sn_contact_block *block, velocities8 *v,
                             sn_vec3x8 normal, sn_f8 restitution)
{
    for (int round = 0; round < 12; ++round) {
        for (int i = 0; i < block->point_count; ++i) {
            int next = round & 1 ? block->point_count - 1 - i : i;
            bounce_point(pass, block, &pass->points[block->first_point + next], v, normal, restitution);
        }
    }
}

// Stops the approach (sweeps may leave the part that leads to touching), then applies restitution.
SN_INLINE void contact_bounce_block(const sn_contact_pass *pass, sn_contact_block *block, sn_vec3x8 normal)
{
    velocities8 v = gather_velocities(pass, block);
    sn_f8 stopping[SN_MANIFOLD_POINTS];
    for (int turn = 0; turn < 2; ++turn) {
        for (int i = 0; i < block->point_count; ++i) {
            stopping[i] = sn_load(&pass->points[block->first_point + i].normal_impulse);
        }
        bounce_points(pass, block, &v, normal, turn == 0 ? sn_f8_set(0.0f) : sn_load(&block->restitution));
    }
    limit_bounce(pass, block, stopping, &v, normal);
    scatter_velocities(pass, block, &v);
}

// References follow the impulses (methods J.3): a soft row sags under a load by what it is short of its
// reference. The points of a patch follow together, because each for itself would take away what holds a body
// upright; their deviations from the mean follow more slowly, because tilting is slower than sinking. A
// reference that is larger than the load would lift it: together they are no larger than what the patch
// carries.
SN_INLINE void contact_settle_block(const sn_contact_pass *pass, sn_contact_block *block, sn_i8 hit)
{
    sn_f8 zero = sn_f8_set(0.0f), one = sn_f8_set(1.0f), acting = zero, missing = zero, carried = zero;
    sn_contact_lane_point *points = &pass->points[block->first_point];
    for (int i = 0; i < block->point_count; ++i) {
        sn_f8 impulse = sn_load(&points[i].normal_impulse);
        sn_i8 acts = (impulse > zero) & ~hit;
        acting = acting + sn_f8_select(acts, one, zero);
        missing = missing + sn_f8_select(acts, impulse - sn_load(&points[i].reference), zero);
        carried = carried + sn_f8_select(acts, impulse, zero);
    }
    sn_f8 mean = missing / sn_f8_max(acting, one), rate = sn_load(&block->settle_rate);
    sn_f8 together = (rate - sn_load(&block->tilt_rate)) * mean, sum = zero;
    for (int i = 0; i < block->point_count; ++i) {
        sn_f8 impulse = sn_load(&points[i].normal_impulse), old = sn_load(&points[i].reference);
        sn_f8 new = sn_f8_max(old + (together + sn_load(&block->tilt_rate) * (impulse - old)), zero);
        new = sn_f8_select((impulse > zero) & ~hit, new, zero);
        sum = sum + new;
        sn_store(&points[i].reference, new);
    }
    sn_i8 lifts = sum > carried;
    sn_f8 part = sn_f8_select(lifts, carried / sn_f8_select(lifts, sum, one), one);
    for (int i = 0; i < block->point_count; ++i) {
        sn_store(&points[i].reference, part * sn_load(&points[i].reference));
    }
}

// Sums up the sub-step. An impact's impulse says nothing about the next sub-step, so it is not kept for warm
// starting.
SN_INLINE void contact_finish_block(const sn_contact_pass *pass, sn_contact_block *block)
{
    sn_f8 zero = sn_f8_set(0.0f);
    sn_i8 hit = {0};
    for (int i = 0; i < block->point_count; ++i) {
        hit |= contact_was_hit(pass, &pass->points[block->first_point + i]);
    }
    if (block->has_restitution && sn_i8_any(hit)) {
        contact_bounce_block(pass, block, sn_load3(block->normal));
    }
    contact_settle_block(pass, block, hit);
    for (int i = 0; i < block->point_count; ++i) {
        sn_contact_lane_point *point = &pass->points[block->first_point + i];
        sn_f8 impulse = sn_load(&point->normal_impulse);
        sn_f8 met = sn_f8_select(sn_load(&point->peak) > zero, -sn_load(&point->approach), zero);
        sn_store(&point->total_normal, sn_load(&point->total_normal) + impulse);
        sn_store(&point->fastest, sn_f8_max(sn_load(&point->fastest), met));
        sn_store(&point->normal_impulse, sn_f8_select(hit, zero, impulse));
    }
    for (int k = 0; k < 2; ++k) {
        sn_f8 impulse = sn_load(&block->tangent_impulse[k]);
        sn_store(&block->total_tangent[k], sn_load(&block->total_tangent[k]) + impulse);
        sn_store(&block->tangent_impulse[k], sn_f8_select(hit, zero, impulse));
    }
    sn_store(&block->twist_impulse, sn_f8_select(hit, zero, sn_load(&block->twist_impulse)));
}
