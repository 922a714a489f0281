// Orders of the integrators next to what theory says.
#include "bench/shared/integrator_order.h"
#include "cases.h"
#include "exact_scene.h"
#include "measure.h"
#include "soft_cases.h"

#include <math.h>
#include <stdio.h>

void bench_integrators(bench_report *report, const char *name, const bench_options *options)
{
    (void)options;
    for (int i = 0; i < SN_INTEGRATOR_COUNT; ++i) {
        bench_row row = {
            .name = name, .bar = bench_orders[i] == 1 ? "1 within 0.1" : "2 within 0.1", .today = ""};
        double measured[2];
        snprintf(row.what, sizeof row.what, "%s: order of the error of an oscillator, of an orbit",
                 exact_integrator_words((sn_integrator)i));
        sn_status status = SN_OK;
        for (int k = 0; k < 2 && status == SN_OK; ++k) {
            status = bench_order_measure((sn_integrator)i, k == 1, &measured[k]);
        }
        if (status == SN_OK) {
            snprintf(row.measured, sizeof row.measured, "%.2f, %.2f", measured[0], measured[1]);
            bench_row_value(&row, "oscillator", measured[0]);
            bench_row_value(&row, "orbit", measured[1]);
            bench_row_judge(&row, fabs(measured[0] - bench_orders[i]) <= 0.1 &&
                                      fabs(measured[1] - bench_orders[i]) <= 0.1);
        } else {
            bench_row_fail(&row, NULL, status);
        }
        bench_report_add(report, &row);
    }
}
