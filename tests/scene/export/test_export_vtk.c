// The VTK files, read back byte by byte: every array where the XML says, as long as it says, with the values
// of the world.
#include "scene/export_kit.h"

static const sn_vec3 gravity = {0.0f, -9.81f, 0.0f};

static const char *after(const char *text, const char *mark)
{
    const char *found = strstr(text, mark);
    assert_non_null(found);
    return found + strlen(mark);
}

static int attribute(const char *text, const char *name)
{
    char mark[64];
    snprintf(mark, sizeof mark, "%s=\"", name);
    return atoi(after(text, mark));
}

// An array of the raw part: its bytes, after a check of the length that stands before them.
static const char *array_of(const export_file *file, const char *type, const char *name, int components,
                            int tuples, int value_size)
{
    char mark[160];
    snprintf(mark, sizeof mark,
             "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"appended\" offset=\"",
             type, name, components);
    size_t offset = strtoull(after(file->bytes, mark), NULL, 10);
    const char *raw = after(file->bytes, "<AppendedData encoding=\"raw\">\n_");
    size_t bytes = (size_t)components * (size_t)tuples * (size_t)value_size;
    assert_true(raw + offset + 8 + bytes <= file->bytes + file->size);
    assert_int_equal(read_u32(raw + offset), bytes);
    assert_int_equal(read_u32(raw + offset + 4), 0);
    return raw + offset + 8;
}

typedef struct vtk_frame {
    export_file file;
    int points, polygons;
    const char *positions, *normals, *body, *speed, *color, *connectivity, *offsets;
} vtk_frame;

static vtk_frame frame_read(const char *folder, const char *name)
{
    vtk_frame f = {.file = file_read(folder, name)};
    f.points = attribute(f.file.bytes, "NumberOfPoints");
    f.polygons = attribute(f.file.bytes, "NumberOfPolys");
    f.positions = array_of(&f.file, "Float32", "points", 3, f.points, 4);
    f.normals = array_of(&f.file, "Float32", "normals", 3, f.points, 4);
    f.body = array_of(&f.file, "Int32", "body", 1, f.polygons, 4);
    f.speed = array_of(&f.file, "Float32", "speed", 1, f.polygons, 4);
    f.color = array_of(&f.file, "UInt8", "color", 3, f.polygons, 1);
    f.connectivity = array_of(&f.file, "Int32", "connectivity", 1, 3 * f.polygons, 4);
    f.offsets = array_of(&f.file, "Int32", "offsets", 1, f.polygons, 4);
    return f;
}

// The middle of the box around all triangles of a body, and one of its cells.
static sn_vec3 middle_of(const vtk_frame *f, uint32_t body, int *cell)
{
    sn_bounds bounds = {{1e9f, 1e9f, 1e9f}, {-1e9f, -1e9f, -1e9f}};
    *cell = -1;
    for (int i = 0; i < f->polygons; ++i) {
        if (read_u32(f->body + 4 * i) == body) {
            *cell = i;
            for (int k = 0; k < 3; ++k) {
                uint32_t corner = read_u32(f->connectivity + 4 * (3 * i + k));
                sn_vec3 p = read_vec3(f->positions + 12 * (size_t)corner);
                bounds = sn_bounds_union(bounds, (sn_bounds){p, p});
            }
        }
    }
    assert_true(*cell >= 0);
    return sn_scale(sn_add(bounds.lower, bounds.upper), 0.5f);
}

static void test_arrays_follow_each_other_and_fill_the_file(void **state)
{
    (void)state;
    export_folder folder = folder_make();
    export_world w = export_world_make(gravity);
    sn_export *writer = begin(&w, SN_EXPORT_VTK, folder.path);
    frame(writer);
    end(writer);
    vtk_frame f = frame_read(folder.path, "run_0000.vtp");
    assert_ptr_equal(f.normals, f.positions + 12 * f.points + 8);
    assert_ptr_equal(f.body, f.normals + 12 * f.points + 8);
    assert_ptr_equal(f.speed, f.body + 4 * f.polygons + 8);
    assert_ptr_equal(f.color, f.speed + 4 * f.polygons + 8);
    assert_ptr_equal(f.connectivity, f.color + 3 * f.polygons + 8);
    assert_ptr_equal(f.offsets, f.connectivity + 12 * f.polygons + 8);
    const char *tail = "\n</AppendedData>\n</VTKFile>\n";
    assert_int_equal(f.file.size, (size_t)(f.offsets + 4 * f.polygons - f.file.bytes) + strlen(tail));
    assert_string_equal(f.offsets + 4 * f.polygons, tail);
    assert_non_null(strstr(f.file.bytes, "byte_order=\"LittleEndian\" header_type=\"UInt64\""));
    free(f.file.bytes);
    export_world_destroy(&w);
    folder_remove(folder.path);
}

static void test_corners_name_points_and_normals_have_unit_length(void **state)
{
    (void)state;
    export_folder folder = folder_make();
    export_world w = export_world_make(gravity);
    sn_export *writer = begin(&w, SN_EXPORT_VTK, folder.path);
    step(&w, 30);
    frame(writer);
    end(writer);
    vtk_frame f = frame_read(folder.path, "run_0000.vtp");
    assert_int_equal(f.polygons, 2 + 3 * 12 + 32 * 2 + 32 * 14 * 2);
    for (int i = 0; i < 3 * f.polygons; ++i) {
        assert_true(read_u32(f.connectivity + 4 * i) < (uint32_t)f.points);
    }
    for (int i = 0; i < f.polygons; ++i) {
        assert_int_equal(read_u32(f.offsets + 4 * i), 3 * (i + 1));
    }
    for (int i = 0; i < f.points; ++i) {
        assert_float_equal(sn_length(read_vec3(f.normals + 12 * i)), 1.0f, 1e-5f);
    }
    free(f.file.bytes);
    export_world_destroy(&w);
    folder_remove(folder.path);
}

static void test_body_is_where_the_world_had_it_at_that_frame(void **state)
{
    (void)state;
    export_folder folder = folder_make();
    export_world w = export_world_make(gravity);
    sn_export *writer = begin(&w, SN_EXPORT_VTK, folder.path);
    sn_vec3 positions[4];
    float speeds[4];
    for (int i = 0; i < 4; ++i) {
        positions[i] = sn_rigid_position(w.world, w.ball);
        speeds[i] = sn_length(sn_rigid_linear_velocity(w.world, w.ball));
        frame(writer);
        step(&w, 5);
    }
    sn_shape shape;
    sn_rigid_shapes(w.world, w.ball, &shape, 1);
    sn_color color = sn_scene_shape_color(w.scene, shape);
    end(writer);
    for (int i = 0; i < 4; ++i) {
        char name[32];
        snprintf(name, sizeof name, "run_%04d.vtp", i);
        vtk_frame f = frame_read(folder.path, name);
        int cell;
        sn_vec3 middle = middle_of(&f, w.ball.index, &cell);
        assert_true(sn_distance_between(middle, positions[i]) < 1e-5f);
        assert_true(read_f32(f.speed + 4 * cell) == speeds[i]);
        for (int k = 0; k < 3; ++k) {
            assert_int_equal((unsigned char)f.color[3 * cell + k], color >> (16 - 8 * k) & 255);
        }
        free(f.file.bytes);
    }
    assert_true(positions[3].y < positions[0].y - 0.2f);
    export_world_destroy(&w);
    folder_remove(folder.path);
}

static void test_collection_gives_every_frame_its_time(void **state)
{
    (void)state;
    export_folder folder = folder_make();
    export_world w = export_world_make(gravity);
    sn_export *writer = NULL;
    assert_int_equal(sn_export_begin(w.scene, SN_EXPORT_VTK, folder.path, "a \"b\" & c", &writer), SN_OK);
    for (int i = 0; i < 3; ++i) {
        frame(writer);
        step(&w, 6);
    }
    end(writer);
    const char *collections[] = {"a \"b\" & c.pvd", "a \"b\" & c_contacts.pvd"};
    const char *suffixes[] = {"", "_contacts"};
    for (int k = 0; k < 2; ++k) {
        export_file file = file_read(folder.path, collections[k]);
        assert_int_equal(count_of(file.bytes, "<DataSet "), 3);
        const char *at = file.bytes;
        for (int i = 0; i < 3; ++i) {
            at = after(at, "timestep=\"");
            assert_float_equal(atof(at), 0.1 * i, 1e-6);
            char expected[64], name[64];
            snprintf(expected, sizeof expected, "file=\"a &quot;b&quot; &amp; c%s_%04d.vtp\"", suffixes[k],
                     i);
            at = after(at, expected);
            snprintf(name, sizeof name, "a \"b\" & c%s_%04d.vtp", suffixes[k], i);
            assert_true(file_exists(folder.path, name));
        }
        free(file.bytes);
    }
    export_world_destroy(&w);
    folder_remove(folder.path);
}

static void test_contacts_carry_the_weight_of_the_boxes(void **state)
{
    (void)state;
    export_folder folder = folder_make();
    export_world w = export_world_make(gravity);
    sn_export *writer = begin(&w, SN_EXPORT_VTK, folder.path);
    frame(writer);
    step(&w, 20);
    frame(writer);
    end(writer);
    export_file none = file_read(folder.path, "run_contacts_0000.vtp");
    assert_int_equal(attribute(none.bytes, "NumberOfPoints"), 0);
    free(none.bytes);
    export_file file = file_read(folder.path, "run_contacts_0001.vtp");
    int count = attribute(file.bytes, "NumberOfPoints");
    assert_int_equal(count, 12);
    assert_int_equal(attribute(file.bytes, "NumberOfVerts"), count);
    const char *positions = array_of(&file, "Float32", "points", 3, count, 4);
    const char *normals = array_of(&file, "Float32", "normal", 3, count, 4);
    const char *impulses = array_of(&file, "Float32", "impulse", 1, count, 4);
    const char *corners = array_of(&file, "Int32", "connectivity", 1, count, 4);
    const char *offsets = array_of(&file, "Int32", "offsets", 1, count, 4);
    double sum = 0.0;
    for (int i = 0; i < count; ++i) {
        assert_float_equal(read_f32(positions + 12 * i + 4), 0.0f, 1e-3f);
        assert_float_equal(sn_abs(read_f32(normals + 12 * i + 4)), 1.0f, 1e-5f);
        assert_int_equal(read_u32(corners + 4 * i), i);
        assert_int_equal(read_u32(offsets + 4 * i), i + 1);
        sum += (double)read_f32(impulses + 4 * i);
    }
    // Three boxes of 1000 kg for a sixtieth of a second.
    assert_float_equal(sum / (3000.0 * 9.81 / 60.0), 1.0, 0.01);
    free(file.bytes);
    export_world_destroy(&w);
    folder_remove(folder.path);
}

// --- deformables -------------------------------------------------------------------------------------------

enum {
    SHEET_NODES = 25,
    BLOCK_NODES = 27,
    STRAND_NODES = 9,
    SHEET_CELLS = 32,
    BLOCK_CELLS = 40,
    STRAND_CELLS = 8
};
enum {
    ALL_NODES = SHEET_NODES + BLOCK_NODES + STRAND_NODES,
    ALL_CELLS = SHEET_CELLS + BLOCK_CELLS + STRAND_CELLS
};

static void test_deformables_are_a_grid_of_their_elements(void **state)
{
    (void)state;
    export_folder folder = folder_make();
    export_world w = export_world_make(gravity);
    export_softs softs = export_softs_add(w.world);
    sn_export *writer = begin(&w, SN_EXPORT_VTK, folder.path);
    frame(writer);
    step(&w, 20);
    frame(writer);
    end(writer);
    export_file file = file_read(folder.path, "run_soft_0001.vtu");
    assert_int_equal(attribute(file.bytes, "NumberOfPoints"), ALL_NODES);
    assert_int_equal(attribute(file.bytes, "NumberOfCells"), ALL_CELLS);
    const char *points = array_of(&file, "Float32", "points", 3, ALL_NODES, 4);
    const char *velocity = array_of(&file, "Float32", "velocity", 3, ALL_NODES, 4);
    const char *fixed = array_of(&file, "UInt8", "fixed", 1, ALL_NODES, 1);
    const sn_node_state *nodes = sn_deformable_nodes(w.world, softs.block);
    const sn_node_velocity *velocities = sn_deformable_velocities(w.world, softs.block);
    for (int i = 0; i < BLOCK_NODES; ++i) {
        sn_vec3 place = read_vec3(points + 12 * (SHEET_NODES + i));
        assert_float_equal(sn_distance_between(place, nodes[i].position), 0.0f, 0.0f);
        sn_vec3 speed = read_vec3(velocity + 12 * (SHEET_NODES + i));
        assert_float_equal(sn_distance_between(speed, velocities[i].velocity), 0.0f, 0.0f);
    }
    for (int i = 0; i < ALL_NODES; ++i) {
        assert_int_equal(fixed[i], i < 5 ? 1 : 0);
    }
    const int corners = 3 * SHEET_CELLS + 4 * BLOCK_CELLS + 2 * STRAND_CELLS;
    const char *connectivity = array_of(&file, "Int32", "connectivity", 1, corners, 4);
    const char *offsets = array_of(&file, "Int32", "offsets", 1, ALL_CELLS, 4);
    const char *types = array_of(&file, "UInt8", "types", 1, ALL_CELLS, 1);
    uint32_t end_before = 0;
    for (int i = 0; i < ALL_CELLS; ++i) {
        int type = (unsigned char)types[i], size = type == 5 ? 3 : type == 10 ? 4 : 2;
        assert_int_equal(type, i < SHEET_CELLS ? 5 : i < SHEET_CELLS + BLOCK_CELLS ? 10 : 3);
        end_before += (uint32_t)size;
        assert_int_equal(read_u32(offsets + 4 * i), end_before);
    }
    for (int i = 0; i < corners; ++i) {
        assert_true(read_u32(connectivity + 4 * i) < ALL_NODES);
    }
    free(file.bytes);
    export_world_destroy(&w);
    folder_remove(folder.path);
}

static void test_elements_of_deformables_know_their_strain(void **state)
{
    (void)state;
    export_folder folder = folder_make();
    export_world w = export_world_make(gravity);
    export_softs softs = export_softs_add(w.world);
    step(&w, 40);
    sn_export *writer = begin(&w, SN_EXPORT_VTK, folder.path);
    frame(writer);
    end(writer);
    export_file file = file_read(folder.path, "run_soft_0000.vtu");
    const char *strain = array_of(&file, "Float32", "strain", 1, ALL_CELLS, 4);
    const char *stress = array_of(&file, "Float32", "von_mises", 1, ALL_CELLS, 4);
    const char *owner = array_of(&file, "Int32", "deformable", 1, ALL_CELLS, 4);
    sn_element_strain known[BLOCK_CELLS];
    assert_int_equal(sn_deformable_strains(w.world, softs.block, known, BLOCK_CELLS), BLOCK_CELLS);
    float largest = 0.0f;
    for (int i = 0; i < BLOCK_CELLS; ++i) {
        assert_int_equal(read_u32(owner + 4 * (SHEET_CELLS + i)), softs.block.index);
        assert_float_equal(read_f32(strain + 4 * (SHEET_CELLS + i)), known[i].principal, 0.0f);
        assert_float_equal(read_f32(stress + 4 * (SHEET_CELLS + i)), known[i].von_mises, 0.0f);
        largest = sn_max(largest, sn_abs(known[i].principal));
    }
    assert_true(largest > 1e-4f);
    free(file.bytes);
    export_world_destroy(&w);
    folder_remove(folder.path);
}

static void test_collection_has_the_grid_of_frames_with_deformables(void **state)
{
    (void)state;
    export_folder folder = folder_make();
    export_world w = export_world_make(gravity);
    export_softs softs = export_softs_add(w.world);
    sn_export *writer = begin(&w, SN_EXPORT_VTK, folder.path);
    frame(writer);
    step(&w, 1);
    assert_int_equal(sn_deformable_remove(w.world, softs.sheet), SN_OK);
    assert_int_equal(sn_deformable_remove(w.world, softs.block), SN_OK);
    assert_int_equal(sn_deformable_remove(w.world, softs.strand), SN_OK);
    frame(writer);
    end(writer);
    export_file file = file_read(folder.path, "run.pvd");
    assert_int_equal(count_of(file.bytes, "<DataSet "), 3);
    assert_int_equal(count_of(file.bytes, "part=\"1\" file=\"run_soft_0000.vtu\""), 1);
    assert_false(file_exists(folder.path, "run_soft_0001.vtu"));
    free(file.bytes);
    export_world_destroy(&w);
    folder_remove(folder.path);
}

static void test_contacts_of_deformables_carry_their_weight(void **state)
{
    (void)state;
    export_folder folder = folder_make();
    export_world w = export_world_make(gravity);
    export_softs softs = export_softs_add(w.world);
    step(&w, 240);
    sn_export *writer = begin(&w, SN_EXPORT_VTK, folder.path);
    frame(writer);
    end(writer);
    export_file file = file_read(folder.path, "run_contacts_0000.vtp");
    int count = attribute(file.bytes, "NumberOfPoints");
    const char *bodies = array_of(&file, "Int32", "bodies", 2, count, 4);
    const char *impulse = array_of(&file, "Float32", "impulse", 1, count, 4);
    const char *normal = array_of(&file, "Float32", "normal", 3, count, 4);
    float sum = 0.0f;
    for (int i = 0; i < count; ++i) {
        if ((int32_t)read_u32(bodies + 8 * i + 4) == -1 - (int32_t)softs.block.index) {
            sum += read_f32(impulse + 4 * i) * read_vec3(normal + 12 * i).y;
        }
    }
    assert_float_equal(sum * 60.0f, 0.5f * 9.81f, 0.25f);
    free(file.bytes);
    export_world_destroy(&w);
    folder_remove(folder.path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arrays_follow_each_other_and_fill_the_file),
        cmocka_unit_test(test_corners_name_points_and_normals_have_unit_length),
        cmocka_unit_test(test_body_is_where_the_world_had_it_at_that_frame),
        cmocka_unit_test(test_collection_gives_every_frame_its_time),
        cmocka_unit_test(test_contacts_carry_the_weight_of_the_boxes),
        cmocka_unit_test(test_deformables_are_a_grid_of_their_elements),
        cmocka_unit_test(test_elements_of_deformables_know_their_strain),
        cmocka_unit_test(test_collection_has_the_grid_of_frames_with_deformables),
        cmocka_unit_test(test_contacts_of_deformables_carry_their_weight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
