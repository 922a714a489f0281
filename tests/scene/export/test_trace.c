// Traces: titles quoted as RFC 4180 says, one row a step, values of the probes or of the whole world.
#include "scene/export_kit.h"
#include "sinew_scene/trace.h"

#include <math.h>

static const sn_vec3 gravity = {0.0f, -9.81f, 0.0f};

// The rows of a trace of numbers; returns how many, each `columns` long.
static int read_rows(const char *text, int columns, double *values, int capacity)
{
    int count = 0;
    const char *at = strchr(text, '\n') + 1;
    while (*at != '\0') {
        assert_true(count < capacity);
        for (int i = 0; i < columns; ++i) {
            char *end;
            values[count * columns + i] = strtod(at, &end);
            assert_true(end != at);
            assert_int_equal(*end, i < columns - 1 ? ',' : '\n');
            at = end + 1;
        }
        ++count;
    }
    return count;
}

static sn_trace *trace_begin(const sn_scene *scene, const export_folder *folder)
{
    char path[128];
    snprintf(path, sizeof path, "%s/trace.csv", folder->path);
    sn_trace *trace = NULL;
    assert_int_equal(sn_trace_begin(scene, path, &trace), SN_OK);
    assert_non_null(trace);
    return trace;
}

static void test_world_without_probes_is_traced_by_energy_momentum_and_contacts(void **state)
{
    (void)state;
    enum { STEPS = 90, COLUMNS = 7 };
    export_folder folder = folder_make();
    export_world w = export_world_make(gravity);
    sn_trace *trace = trace_begin(w.scene, &folder);
    sn_energy energies[STEPS + 1];
    for (int i = 0; i <= STEPS; ++i) {
        energies[i] = sn_world_energy(w.world);
        assert_int_equal(sn_trace_row(trace), SN_OK);
        step(&w, 1);
    }
    assert_int_equal(sn_trace_end(trace), SN_OK);
    export_file file = file_read(folder.path, "trace.csv");
    const char titles[] =
        "time [s],kinetic energy [J],potential energy [J],total energy [J],momentum [kg m/s],"
        "contacts,penetration [m]\n";
    assert_memory_equal(file.bytes, titles, strlen(titles));
    double rows[(STEPS + 2) * COLUMNS];
    assert_int_equal(read_rows(file.bytes, COLUMNS, rows, STEPS + 2), STEPS + 1);
    for (int i = 0; i <= STEPS; ++i) {
        const double *row = rows + i * COLUMNS;
        const sn_energy *e = &energies[i];
        double total = e->kinetic + e->potential;
        assert_float_equal(row[0], i / 60.0, 1e-6);
        assert_float_equal(row[1], e->kinetic, 1e-8 * fabs(e->kinetic));
        assert_float_equal(row[2], e->potential, 1e-8 * fabs(e->potential));
        assert_float_equal(row[3], total, 1e-8 * fabs(total));
        double momentum = sqrt(e->momentum[0] * e->momentum[0] + e->momentum[1] * e->momentum[1] +
                               e->momentum[2] * e->momentum[2]);
        assert_float_equal(row[4], momentum, 1e-8 * momentum + 1e-12);
        assert_true(row[6] >= 0.0 && row[6] < 0.05);
    }
    assert_true(rows[5] == 0.0 && rows[10 * COLUMNS + 5] == 3.0);
    free(file.bytes);
    export_world_destroy(&w);
    folder_remove(folder.path);
}

static void test_probes_are_columns_with_their_names_quoted(void **state)
{
    (void)state;
    const char text[] = "{\"sinew\": 1, \"bodies\": [{\"name\": \"ball\", \"position\": [0, 5, 0],"
                        " \"shape\": {\"type\": \"sphere\", \"radius\": 0.5}}], \"probes\": ["
                        "{\"name\": \"height\", \"body\": \"ball\", \"value\": \"position.y\"},"
                        "{\"name\": \"say \\\"hi\\\", twice\", \"body\": \"ball\", \"value\": \"speed\"},"
                        "{\"value\": \"contacts\"}]}";
    export_folder folder = folder_make();
    sn_scene *scene = NULL;
    sn_status status = sn_scene_parse(text, sizeof text - 1, "test.json", NULL, &scene);
    if (status != SN_OK) {
        fail_msg("%s", sn_scene_error());
    }
    sn_trace *trace = trace_begin(scene, &folder);
    assert_int_equal(sn_trace_row(trace), SN_OK);
    assert_int_equal(sn_world_step(sn_scene_world(scene), 0.125f), SN_OK);
    assert_int_equal(sn_trace_row(trace), SN_OK);
    assert_int_equal(sn_trace_end(trace), SN_OK);
    export_file file = file_read(folder.path, "trace.csv");
    const char titles[] = "time [s],height [m],\"say \"\"hi\"\", twice [m/s]\",contacts\n0,5,0,0\n0.125,";
    assert_memory_equal(file.bytes, titles, strlen(titles));
    double rows[8];
    assert_int_equal(read_rows(file.bytes, 4, rows, 2), 2);
    assert_float_equal(rows[6], 9.81 * 0.125, 1e-5);
    free(file.bytes);
    sn_scene_destroy(scene);
    folder_remove(folder.path);
}

static void test_bad_arguments_and_files_are_told(void **state)
{
    (void)state;
    export_world w = export_world_make(gravity);
    sn_trace *trace = (sn_trace *)&w;
    assert_int_equal(sn_trace_begin(NULL, "/tmp/x", &trace), SN_ERROR_NULL);
    assert_null(trace);
    assert_int_equal(sn_trace_begin(w.scene, NULL, &trace), SN_ERROR_NULL);
    assert_int_equal(sn_trace_begin(w.scene, "/tmp/x", NULL), SN_ERROR_NULL);
    assert_int_equal(sn_trace_begin(w.scene, "/nowhere/trace.csv", &trace), SN_ERROR_FILE);
    assert_null(trace);
    assert_non_null(strstr(sn_scene_error(), "/nowhere/trace.csv"));
    assert_int_equal(sn_trace_begin(w.scene, "/tmp", &trace), SN_ERROR_FILE);
    assert_int_equal(sn_trace_row(NULL), SN_ERROR_NULL);
    assert_int_equal(sn_trace_end(NULL), SN_OK);
    export_world_destroy(&w);
}

static void test_full_disk_is_told(void **state)
{
    (void)state;
    export_world w = export_world_make(gravity);
    sn_trace *trace = NULL;
    assert_int_equal(sn_trace_begin(w.scene, "/dev/full", &trace), SN_OK);
    sn_status status = SN_OK;
    for (int i = 0; i < 10000 && status == SN_OK; ++i) {
        status = sn_trace_row(trace);
    }
    assert_int_equal(status, SN_ERROR_FILE);
    assert_non_null(strstr(sn_scene_error(), "/dev/full: cannot be written"));
    assert_int_equal(sn_trace_end(trace), SN_ERROR_FILE);
    export_world_destroy(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_world_without_probes_is_traced_by_energy_momentum_and_contacts),
        cmocka_unit_test(test_probes_are_columns_with_their_names_quoted),
        cmocka_unit_test(test_bad_arguments_and_files_are_told),
        cmocka_unit_test(test_full_disk_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
