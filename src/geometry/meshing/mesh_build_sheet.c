// Strands and sheets: line, strip, grid, tube.
#include "geometry/meshing/mesh_build.h"
#include "geometry/shapes/check.h"

// The i-th of `cells` + 1 places from −½ to ½ of a length; symmetric to the last bit.
static float place(float length, int i, int cells)
{
    return length * ((float)(2 * i - cells) / (float)(2 * cells));
}

sn_status sn_mesh_line(float length, int edges, sn_mesh **mesh)
{
    static const char *const object = "line mesh";
    sn_mesh_parts parts = {0};
    sn_status status = sn_check_size(length, NULL, object, "length");
    status = status ? status : sn_mesh_check_cells(edges, 1, object, "edges");
    status =
        status ? status
               : sn_mesh_parts_reserve(&parts, (sn_mesh_counts){.nodes = (double)edges + 1.0, .edges = edges},
                                       object, mesh);
    if (!status) {
        for (int i = 0; i <= edges; ++i) {
            sn_mesh_add_node(&parts, sn_v(place(length, i, edges), 0.0f, 0.0f));
        }
        for (int i = 0; i < edges; ++i) {
            sn_mesh_add_edge(&parts, i, i + 1);
        }
        status = sn_mesh_parts_create(&parts, mesh);
    }
    sn_mesh_parts_release(&parts);
    return status;
}

// --- grid --------------------------------------------------------------------------------------------------

static void add_grid_cells(sn_mesh_parts *parts, int columns, int rows, sn_grid_pattern pattern)
{
    int first_crossing = (columns + 1) * (rows + 1);
    for (int j = 0; j < rows; ++j) {
        for (int i = 0; i < columns; ++i) {
            int a = j * (columns + 1) + i, b = a + 1, c = b + columns + 1, d = a + columns + 1;
            if (pattern == SN_GRID_CROSSED) {
                int middle = first_crossing + j * columns + i;
                sn_mesh_add_triangle(parts, a, b, middle);
                sn_mesh_add_triangle(parts, b, c, middle);
                sn_mesh_add_triangle(parts, c, d, middle);
                sn_mesh_add_triangle(parts, d, a, middle);
            } else {
                bool forward = pattern == SN_GRID_ALTERNATING ? (i + j) % 2 == 0 : pattern == SN_GRID_FORWARD;
                sn_mesh_add_square(parts, a, b, c, d, forward);
            }
        }
    }
}

static void add_grid_nodes(sn_mesh_parts *parts, float width, float height, int columns, int rows,
                           bool crossed)
{
    for (int j = 0; j <= rows; ++j) {
        for (int i = 0; i <= columns; ++i) {
            sn_mesh_add_node(parts, sn_v(place(width, i, columns), place(height, j, rows), 0.0f));
        }
    }
    for (int j = 0; crossed && j < rows; ++j) {
        for (int i = 0; i < columns; ++i) {
            float x = place(width, i, columns), right = place(width, i + 1, columns);
            float y = place(height, j, rows), above = place(height, j + 1, rows);
            sn_mesh_add_node(parts, sn_v(0.5f * (x + right), 0.5f * (y + above), 0.0f));
        }
    }
}

static sn_status make_grid(float size_x, float size_y, int columns, int rows, sn_grid_pattern pattern,
                           const char *object, sn_mesh **mesh)
{
    bool crossed = pattern == SN_GRID_CROSSED;
    double cells = (double)columns * rows;
    sn_mesh_counts counts = {.nodes =
                                 ((double)columns + 1.0) * ((double)rows + 1.0) + (crossed ? cells : 0.0),
                             .triangles = (crossed ? 4.0 : 2.0) * cells};
    sn_mesh_parts parts = {0};
    sn_status status = sn_mesh_parts_reserve(&parts, counts, object, mesh);
    if (!status) {
        add_grid_nodes(&parts, size_x, size_y, columns, rows, crossed);
        add_grid_cells(&parts, columns, rows, pattern);
        status = sn_mesh_parts_create(&parts, mesh);
    }
    sn_mesh_parts_release(&parts);
    return status;
}

sn_status sn_mesh_grid(float width, float height, int columns, int rows, sn_grid_pattern pattern,
                       sn_mesh **mesh)
{
    static const char *const object = "grid mesh";
    sn_status status = sn_check_size(width, NULL, object, "width");
    status = status ? status : sn_check_size(height, NULL, object, "height");
    status = status ? status : sn_mesh_check_cells(columns, 1, object, "columns");
    status = status ? status : sn_mesh_check_cells(rows, 1, object, "rows");
    if (!status && (unsigned)pattern > SN_GRID_CROSSED) {
        status = sn_fail(NULL, SN_ERROR_RANGE, "%s: pattern is %d, expected one of sn_grid_pattern", object,
                         (int)pattern);
    }
    return status ? status : make_grid(width, height, columns, rows, pattern, object, mesh);
}

sn_status sn_mesh_strip(float length, float width, int cells, sn_mesh **mesh)
{
    static const char *const object = "strip mesh";
    sn_status status = sn_check_size(length, NULL, object, "length");
    status = status ? status : sn_check_size(width, NULL, object, "width");
    status = status ? status : sn_mesh_check_cells(cells, 1, object, "cells");
    return status ? status : make_grid(length, width, cells, 1, SN_GRID_ALTERNATING, object, mesh);
}

// --- tube --------------------------------------------------------------------------------------------------

static void add_tube(sn_mesh_parts *parts, float radius, float height, int sides, int rows)
{
    for (int j = 0; j <= rows; ++j) {
        for (int i = 0; i < sides; ++i) {
            float angle = 2.0f * SN_PI * (float)i / (float)sides;
            sn_mesh_add_node(parts,
                             sn_v(radius * sn_cos(angle), place(height, j, rows), radius * sn_sin(angle)));
        }
    }
    for (int j = 0; j < rows; ++j) {
        for (int i = 0; i < sides; ++i) {
            int a = j * sides + i, b = j * sides + (i + 1) % sides;
            sn_mesh_add_square(parts, a, a + sides, b + sides, b, (i + j) % 2 == 0);
        }
    }
}

sn_status sn_mesh_tube(float radius, float height, int sides, int rows, sn_mesh **mesh)
{
    static const char *const object = "tube mesh";
    sn_mesh_parts parts = {0};
    sn_status status = sn_check_size(radius, NULL, object, "radius");
    status = status ? status : sn_check_size(height, NULL, object, "height");
    status = status ? status : sn_mesh_check_cells(sides, 3, object, "sides");
    status = status ? status : sn_mesh_check_cells(rows, 1, object, "rows");
    if (!status) {
        sn_mesh_counts counts = {.nodes = sides * ((double)rows + 1.0), .triangles = 2.0 * sides * rows};
        status = sn_mesh_parts_reserve(&parts, counts, object, mesh);
    }
    if (!status) {
        add_tube(&parts, radius, height, sides, rows);
        status = sn_mesh_parts_create(&parts, mesh);
    }
    sn_mesh_parts_release(&parts);
    return status;
}
