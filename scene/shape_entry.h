// A shape as scene files describe it: one struct for all types, filled by the tables of shape_fields.c.
#ifndef SN_SCENE_SHAPE_ENTRY_H
#define SN_SCENE_SHAPE_ENTRY_H

#include "scene/reader.h"

typedef struct sn_shape_entry {
    // How it sits and what it is made of.
    sn_vec3 position;
    sn_quat rotation;
    const char *material;
    float density, friction, restitution, rolling_resistance;
    bool has_density, has_friction, has_restitution, has_rolling_resistance, has_color;
    uint32_t color;
    sn_node category, collides_with;
    int group;
    bool hit_events, contact_events, sensor;
    sn_vec3 surface_velocity;
    // What it is.
    const char *name; // of named shapes
    sn_sphere sphere;
    sn_capsule capsule;
    bool has_ends, has_length;
    float length; // of a capsule's axis along y, when its ends are not given
    sn_vec3 size; // of a box
    sn_plane plane;
    float height, radius, top_radius; // of a cylinder
    bool has_top_radius;
    int sides;
    const char *file;
    float scale;
    bool double_sided;
    int max_vertices;
    sn_node points, vertices, triangles, parts;
    const char *shape; // of shared ones
} sn_shape_entry;

extern const sn_object sn_shape_sphere_object, sn_shape_capsule_object, sn_shape_box_object,
    sn_shape_cylinder_object, sn_shape_hull_object, sn_shape_mesh_object, sn_shape_plane_object,
    sn_shape_compound_object, sn_shape_shared_object;

// Makes the geometry of an entry. Shared geometry comes from, and goes to, the reader's cache under the
// node's value.
bool sn_reader_geometry(sn_reader *reader, const sn_node *node, const sn_object *object,
                        const sn_shape_entry *entry, sn_geometry *geometry);

// Adds a shape of that geometry to a body; statuses are those of sn_sphere_add and its like.
sn_status sn_geometry_add(sn_world *world, sn_rigid rigid, const sn_shape_def *def,
                          const sn_geometry *geometry, sn_shape *shape);

// Lists of points and of index triples. Arrays are to be freed; false after a complaint.
bool sn_node_points(const sn_node *node, sn_vec3 **points, int *count);
bool sn_node_triangles(const sn_node *node, int vertex_count, uint32_t **indices, int *count);

#endif
