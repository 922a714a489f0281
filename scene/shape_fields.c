// The tables of shapes.
#include "scene/shape_entry.h"

#include <math.h>

static void defaults(void *target)
{
    sn_shape_entry *entry = target;
    sn_shape_def def = sn_shape_def_default();
    entry->rotation = sn_quat_identity;
    entry->density = def.density;
    entry->friction = def.friction;
    entry->restitution = def.restitution;
    entry->rolling_resistance = def.rolling_resistance;
    entry->contact_events = def.contact_events;
    entry->plane.normal = sn_v(0.0f, 1.0f, 0.0f);
    entry->sides = 24;
    entry->scale = 1.0f;
}

#define ROW(NAME, TYPE, MEMBER, ...) SN_ROW(NAME, TYPE, sn_shape_entry, MEMBER, __VA_ARGS__)

static const char *const category_schema =
    "{\"anyOf\": [{\"type\": \"string\"}, {\"type\": \"array\", \"items\": {\"type\": \"string\"}}]}";

static const sn_field common_fields[] = {
    ROW("position", VECTOR, position, "in the body", .unit = "m"),
    ROW("rotation", ROTATION, rotation, "in the body"),
    ROW("material", TEXT, material, "name of a material; what is given here goes before it"),
    ROW("density", NUMBER, density, "0 adds no mass; default that of the material, or 1000", .unit = "kg/m³",
        .range = SN_BETWEEN(0.0, 1e9), .flag = SN_FLAG_AT(sn_shape_entry, has_density)),
    ROW("friction", NUMBER, friction, "Coulomb's coefficient; default that of the material, or 0.5",
        .range = SN_BETWEEN(0.0, 100.0), .flag = SN_FLAG_AT(sn_shape_entry, has_friction)),
    ROW("restitution", NUMBER, restitution,
        "share of the speed that comes back; default that of the material, or 0",
        .range = SN_BETWEEN(0.0, 1.0), .flag = SN_FLAG_AT(sn_shape_entry, has_restitution)),
    ROW("rolling_resistance", NUMBER, rolling_resistance,
        "lever of the torque against rolling; default that of the material, or 0", .unit = "m",
        .range = SN_NOT_NEGATIVE, .flag = SN_FLAG_AT(sn_shape_entry, has_rolling_resistance)),
    ROW("color", COLOR, color, "goes before that of the body and of the material",
        .flag = SN_FLAG_AT(sn_shape_entry, has_color)),
    ROW("category", NODE, category, "what it is, for filters; default \"default\"",
        .form = "a name of `categories`, or a list of them", .schema = category_schema),
    ROW("collides_with", NODE, collides_with, "what it touches; default everything",
        .form = "a name of `categories`, or a list of them", .schema = category_schema),
    ROW("group", INTEGER, group, "shapes of the same group always (above 0) or never (below 0) touch"),
    ROW("hit_events", FLAG, hit_events, "hard impacts are reported as events"),
    ROW("contact_events", FLAG, contact_events, "contacts that begin and end are reported as events"),
    ROW("sensor", FLAG, sensor, "only reports what overlaps it, by the events of contacts"),
    ROW("surface_velocity", VECTOR, surface_velocity,
        "how fast the surface moves along itself, in the body's axes, as of a conveyor belt", .unit = "m/s"),
    ROW("name", TEXT, name, "in the section `shapes`: what others call it")};

static const sn_object common = {.name = "shape",
                                 .text = "What every shape has.",
                                 .size = sizeof(sn_shape_entry),
                                 .defaults = defaults,
                                 .fields = common_fields,
                                 .field_count = SN_COUNT(common_fields)};

#define SHAPE(IDENTIFIER, NAME, TEXT, FIELDS)                                                                \
    const sn_object sn_shape_##IDENTIFIER##_object = {.name = (NAME),                                        \
                                                      .text = (TEXT),                                        \
                                                      .size = sizeof(sn_shape_entry),                        \
                                                      .tagged = true,                                        \
                                                      .base = &common,                                       \
                                                      .fields = (FIELDS),                                    \
                                                      .field_count = SN_COUNT(FIELDS)}

static const sn_field sphere_fields[] = {
    ROW("radius", NUMBER, sphere.radius, "radius", .unit = "m", .range = SN_ABOVE_ZERO, .required = true),
    ROW("center", VECTOR, sphere.center, "in the shape's frame", .unit = "m")};
SHAPE(sphere, "sphere", "A ball.", sphere_fields);

static const sn_field capsule_fields[] = {
    ROW("radius", NUMBER, capsule.radius, "radius", .unit = "m", .range = SN_ABOVE_ZERO, .required = true),
    ROW("length", NUMBER, length, "of the axis, along y and centred; or give `a` and `b`", .unit = "m",
        .range = SN_ABOVE_ZERO, .flag = SN_FLAG_AT(sn_shape_entry, has_length)),
    ROW("a", VECTOR, capsule.a, "one end of the axis", .unit = "m",
        .flag = SN_FLAG_AT(sn_shape_entry, has_ends)),
    ROW("b", VECTOR, capsule.b, "the other end", .unit = "m", .flag = SN_FLAG_AT(sn_shape_entry, has_ends))};
SHAPE(capsule, "capsule", "A cylinder with round ends.", capsule_fields);

static const sn_field box_fields[] = {
    ROW("size", VECTOR, size, "whole edge lengths", .unit = "m", .range = SN_ABOVE_ZERO, .required = true)};
SHAPE(box, "box", "A box, centred.", box_fields);

static const sn_field cylinder_fields[] = {
    ROW("height", NUMBER, height, "along y, centred", .unit = "m", .range = SN_ABOVE_ZERO, .required = true),
    ROW("radius", NUMBER, radius, "radius at the bottom", .unit = "m", .range = SN_ABOVE_ZERO,
        .required = true),
    ROW("top_radius", NUMBER, top_radius, "default that of the bottom; 0 makes a cone", .unit = "m",
        .range = SN_NOT_NEGATIVE, .flag = SN_FLAG_AT(sn_shape_entry, has_top_radius)),
    ROW("sides", INTEGER, sides, "it is a prism of so many sides", .range = SN_BETWEEN(3, 64))};
SHAPE(cylinder, "cylinder", "A cylinder or cone along y, as a convex hull.", cylinder_fields);

static const char *const points_schema = "{\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/vector\"}}";
static const char *const triangles_schema =
    "{\"type\": \"array\", \"items\": {\"type\": \"array\", \"items\": {\"type\": \"integer\", "
    "\"minimum\": 0}, \"minItems\": 3, \"maxItems\": 3}}";

static const sn_field hull_fields[] = {
    ROW("points", NODE, points, "the points; or give `file`", .form = "a list of [x, y, z]", .unit = "m",
        .schema = points_schema),
    ROW("file", TEXT, file, "a mesh file whose nodes are taken, relative to this one"),
    ROW("scale", NUMBER, scale, "what the points are multiplied with", .range = SN_ABOVE_ZERO),
    ROW("max_vertices", INTEGER, max_vertices, "most corners of the hull; 0 for the limit of 128",
        .range = SN_BETWEEN(0, SN_MAX_HULL_VERTICES))};
SHAPE(hull, "hull", "The convex hull of points.", hull_fields);

static const sn_field mesh_fields[] = {
    ROW("file", TEXT, file, "a mesh file, relative to this one; or give `vertices` and `triangles`"),
    ROW("scale", NUMBER, scale, "what the vertices are multiplied with", .range = SN_ABOVE_ZERO),
    ROW("double_sided", FLAG, double_sided, "collides from both sides"),
    ROW("vertices", NODE, vertices, "the vertices", .form = "a list of [x, y, z]", .unit = "m",
        .schema = points_schema),
    ROW("triangles", NODE, triangles, "counter-clockwise from outside", .form = "a list of [i, j, k]",
        .schema = triangles_schema)};
SHAPE(mesh, "mesh", "A triangle surface, on static and kinematic bodies.", mesh_fields);

static const sn_field plane_fields[] = {
    ROW("normal", VECTOR, plane.normal, "out of the solid side; any length"),
    ROW("offset", NUMBER, plane.offset, "from the origin along the normal", .unit = "m")};
SHAPE(plane, "plane", "All points on one side of a plane, on static bodies.", plane_fields);

static const sn_field compound_fields[] = {ROW("parts", NODE, parts, "the convex parts", .required = true,
                                               .family = &sn_family_solid, .list = true)};
SHAPE(compound, "compound", "Several convex shapes in one.", compound_fields);

static const sn_field shared_fields[] = {
    ROW("shape", TEXT, shape, "name of an entry of the section `shapes`", .required = true)};
SHAPE(shared, "shared", "The geometry of a named shape.", shared_fields);

static const sn_object *const shape_objects[] = {
    &sn_shape_sphere_object,   &sn_shape_capsule_object,  &sn_shape_box_object,
    &sn_shape_cylinder_object, &sn_shape_hull_object,     &sn_shape_mesh_object,
    &sn_shape_plane_object,    &sn_shape_compound_object, &sn_shape_shared_object};
const sn_family sn_family_shape = {"shape", "What a body is made of and collides with.", shape_objects,
                                   SN_COUNT(shape_objects)};

static const sn_object *const solid_objects[] = {&sn_shape_sphere_object, &sn_shape_capsule_object,
                                                 &sn_shape_box_object, &sn_shape_cylinder_object,
                                                 &sn_shape_hull_object};
const sn_family sn_family_solid = {"solid", "A convex part of a compound.", solid_objects,
                                   SN_COUNT(solid_objects)};
