// How things move under the position solver: on slopes by Coulomb's law, on springs by Newmark's rule, free
// systems by their momenta.
#include "cases.h"
#include "measure.h"
#include "support/position_rig.h"

#include <stdio.h>

void bench_position_slope(bench_report *report, const char *name, const bench_options *options)
{
    const float friction = 0.5f, border = 0.4636476f; // atan 0.5
    double way[2], speed, lift, worst = 0.0, highest = 0.0;
    (void)options;
    slope_slide(SN_POSITION_GAUSS_SEIDEL, 0.995f * border, friction, &way[0], &speed, &lift);
    slope_slide(SN_POSITION_GAUSS_SEIDEL, 1.005f * border, friction, &way[1], &speed, &lift);
    bench_row row = {.name = name, .bar = "angle of friction within 0.5 %", .today = "-"};
    snprintf(row.what, sizeof row.what, "box on a slope 0.5 %% below and above the angle of friction, 1 s");
    snprintf(row.measured, sizeof row.measured, "slides by %.2g and by %.2g m", way[0], way[1]);
    row.verdict = fabs(way[0]) < 1e-3 && way[1] > 2e-3 ? BENCH_PASS : BENCH_MISS;
    bench_report_add(report, &row);
    for (float angle = 0.55f; angle < 1.2f; angle += 0.15f) {
        slope_slide(SN_POSITION_GAUSS_SEIDEL, angle, friction, &way[0], &speed, &lift);
        double expected = 9.81 * (sin((double)angle) - (double)friction * cos((double)angle));
        worst = fmax(worst, fabs(speed / expected - 1.0));
        highest = fmax(highest, lift);
    }
    row.bar = "<= 0.5 %; < 1e-4 m";
    snprintf(row.what, sizeof row.what, "sliding on slopes of 0.55 to 1.15 rad: acceleration, lift-off");
    snprintf(row.measured, sizeof row.measured, "%.4f %%; %.1e m", 100.0 * worst, highest);
    bench_row_value(&row, "acceleration_error", worst);
    bench_row_value(&row, "lift_m", highest);
    row.verdict = worst <= 0.005 && highest < 1e-4 ? BENCH_PASS : BENCH_MISS;
    bench_report_add(report, &row);
}

void bench_position_newmark(bench_report *report, const char *name, const bench_options *options)
{
    (void)options;
    for (int newmark = 1; newmark >= 0; --newmark) {
        double largest, last;
        bench_row row = {.name = name, .bar = newmark ? "within 1 %, no drift" : "", .today = "-"};
        pendulum_swing(newmark, &largest, &last);
        snprintf(row.what, sizeof row.what, "energy of a spring pendulum in 20 s, %s",
                 newmark ? "Newmark (1/4, 1/2)" : "implicit Euler");
        snprintf(row.measured, sizeof row.measured, "off by %.3f %% at most, by %+.3f %% at the end",
                 100.0 * largest, 100.0 * last);
        bench_row_value(&row, "largest", largest);
        row.verdict = !newmark                                 ? BENCH_INFO
                      : largest <= 0.01 && fabs(last) <= 0.005 ? BENCH_PASS
                                                               : BENCH_MISS;
        bench_report_add(report, &row);
    }
}

void bench_position_momentum(bench_report *report, const char *name, const bench_options *options)
{
    static const int paces[3][2] = {{8, 4}, {16, 4}, {8, 20}};
    (void)options;
    for (int i = 0; i < 3; ++i) {
        sn_world_def def = position_def(paces[i][0], paces[i][1]);
        free_drift drift = free_system_drift(&def);
        bench_row row = {.name = name, .bar = "1e-5; 1e-4", .today = "-"};
        snprintf(row.what, sizeof row.what,
                 "free boxes, cloth and jelly in motion, 1 s, %d sub-steps of %d iterations", paces[i][0],
                 paces[i][1]);
        snprintf(row.measured, sizeof row.measured,
                 "momentum %.1e, angular momentum %.1e; %.0f %% of the kinetic energy is left", drift.linear,
                 drift.angular, 100.0 * drift.energy);
        bench_row_value(&row, "linear", drift.linear);
        bench_row_value(&row, "angular", drift.angular);
        row.verdict = drift.linear <= 1e-5 && drift.angular <= 1e-4 ? BENCH_PASS : BENCH_MISS;
        bench_report_add(report, &row);
    }
}
