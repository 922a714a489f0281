// `sinew convert`: scenes and states, mesh formats, surfaces into solids.
#include "apps/capture.h"
#include "apps/scene_files.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static int make_folder(void **state)
{
    char *folder = capture_folder();
    capture_file(folder, "stack.json", stack_scene);
    capture_file(folder, "bad.json", bad_scene);
    capture_file(folder, "cube.obj", cube_obj);
    capture_file(folder, "open.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    *state = folder;
    return 0;
}

// Runs a line that must succeed and returns its output; to be freed.
static char *convert(const char *line, const char *folder)
{
    captured c = capture(line, folder);
    if (c.code != EXIT_FINE) {
        fprintf(stderr, "%s", c.err);
    }
    assert_int_equal(c.code, EXIT_FINE);
    assert_string_equal(c.err, "");
    free(c.err);
    return c.out;
}

// The bytes of a file; to be freed.
static char *bytes_of(const char *folder, const char *name)
{
    char path[4200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *bytes = capture_read(file);
    fclose(file);
    return bytes;
}

static void test_a_scene_becomes_a_state_and_a_scene_again(void **state)
{
    char *said = convert("convert %s/stack.json %s/stack.state", *state);
    assert_says(said, "stack.state: 11 bodies, 0 joints\n");
    free(said);
    free(convert("convert %s/stack.state %s/one.json", *state));
    free(convert("convert %s/one.json %s/two.json", *state));
    char *one = bytes_of(*state, "one.json"), *two = bytes_of(*state, "two.json");
    assert_string_equal(one, two);
    assert_says(one, "brick[9]");
    free(one);
    free(two);
}

static void test_a_scene_and_its_state_run_alike(void **state)
{
    free(convert("convert %s/stack.json %s/stack.state", *state));
    captured from_scene = capture("run %s/stack.json --steps 20 --json", *state);
    captured from_state = capture("run %s/stack.state --steps 20 --json", *state);
    char *one = strstr(from_scene.out, "\"hash\""), *two = strstr(from_state.out, "\"hash\"");
    assert_true(one != NULL && two != NULL && strncmp(one, two, 26) == 0);
    captured_release(&from_scene);
    captured_release(&from_state);
}

static void test_settings_go_into_what_is_written(void **state)
{
    char *said = convert("convert %s/stack.json %s/few.json --set bodies[1].repeat.count=4", *state);
    assert_says(said, "5 bodies");
    free(said);
}

static void test_meshes_change_their_format(void **state)
{
    char *said = convert("convert %s/cube.obj %s/cube.stl", *state);
    assert_says(said, "cube.stl: 8 nodes, 12 triangles, 0 tetrahedra\n  closed, holds 1 m³\n");
    free(said);
    said = convert("convert %s/cube.stl %s/again.OBJ", *state);
    assert_says(said, "8 nodes, 12 triangles");
    free(said);
}

static void test_a_closed_surface_is_filled(void **state)
{
    char *said = convert("convert %s/cube.obj %s/cube.msh --cell 0.1", *state);
    assert_says(said, "cube.obj: 8 nodes, 12 triangles, 0 tetrahedra\n  closed, holds 1 m³\n");
    assert_says(said, "cube.msh: ");
    assert_says(said, "angles between faces ");
    assert_says(said, "of what the surface holds\n");
    int tetrahedra = 0;
    char *count = strstr(strstr(said, "cube.msh: "), "triangles, ");
    assert_true(count != NULL && sscanf(count, "triangles, %d", &tetrahedra) == 1);
    assert_true(tetrahedra > 1000);
    double share = 0.0;
    char *percent = strrchr(said, '\n');
    while (percent > said && percent[-1] != '\n') {
        --percent;
    }
    assert_int_equal(sscanf(percent, " %lf %%", &share), 1);
    assert_true(share > 90.0 && share < 101.0);
    free(said);
    said = convert("info %s/cube.msh", *state);
    assert_says(said, "closed");
    free(said);
    said = convert("convert %s/cube.obj %s/cube.vtk --cells 5", *state);
    assert_says(said, "angles between faces ");
    free(said);
}

static void test_bad_lines_and_files_are_refused(void **state)
{
    capture_file(*state, "points.obj", "v 0 0 0\nv 1 0 0\n");
    static const bad_line lines[] = {
        {"convert %s/cube.obj %s/x.stl --cell 1 --cells 2", EXIT_USAGE,
         "--cell and --cells exclude each other"},
        {"convert %s/cube.obj %s/x.stl --cell 0", EXIT_USAGE, "--cell: '0' is too small"},
        {"convert %s/cube.obj %s/x.stl --cell nan", EXIT_USAGE, "--cell: 'nan' is not a number"},
        {"convert %s/cube.obj %s/x.stl --cells -3", EXIT_USAGE, "--cells: '-3' is too small"},
        {"convert %s/cube.obj %s/x.stl --cells 2.5", EXIT_USAGE, "--cells: '2.5' is not a whole number"},
        {"convert %s/stack.json %s/x.state --cell 1", EXIT_USAGE, "are for meshes"},
        {"convert %s/stack.json %s/x.obj", EXIT_USAGE, "x.obj': a scene becomes|sinew run --out"},
        {"convert %s/cube.obj %s/x.json", EXIT_USAGE, "x.json': a mesh cannot become a scene|.stl"},
        {"convert %s/cube.obj %s/x.nonsense", EXIT_FAILED, "nonsense"},
        {"convert %s/cube.obj %s/no/x.stl", EXIT_FAILED, "no/x.stl: cannot be written"},
        {"convert %s/stack.json %s/no/x.state", EXIT_FAILED, "no/x.state: cannot be written"},
        {"convert %s/stack.json %s", EXIT_FAILED, "cannot be written"},
        {"convert %s/missing.obj %s/x.stl", EXIT_FAILED, "missing.obj"},
        {"convert %s/missing.json %s/x.state", EXIT_FAILED, "missing.json"},
        {"convert %s/bad.json %s/x.state", EXIT_FAILED, "bad.json:4:57"},
        {"convert %s/points.obj %s/x.msh --cell 1", EXIT_FAILED, "points.obj|no triangles"},
        {"convert %s/a %s/b %s/c", EXIT_USAGE, "one argument too many, expected IN OUT"},
    };
    assert_bad_lines(lines, *state);
    assert_false(capture_exists(*state, "x.stl"));
    assert_false(capture_exists(*state, "x.state"));
}

static void test_cells_that_are_too_small_are_told_what_would_do(void **state)
{
    captured c = capture("convert %s/cube.obj %s/tiny.msh --cell 0.00001", *state);
    assert_int_equal(c.code, EXIT_FAILED);
    assert_says(c.err, "cube.obj: ");
    assert_false(capture_exists(*state, "tiny.msh"));
    captured_release(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_scene_becomes_a_state_and_a_scene_again),
        cmocka_unit_test(test_a_scene_and_its_state_run_alike),
        cmocka_unit_test(test_settings_go_into_what_is_written),
        cmocka_unit_test(test_meshes_change_their_format),
        cmocka_unit_test(test_a_closed_surface_is_filled),
        cmocka_unit_test(test_bad_lines_and_files_are_refused),
        cmocka_unit_test(test_cells_that_are_too_small_are_told_what_would_do),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_scene_folder);
}
