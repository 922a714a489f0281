// Names come from scene files, so what a terminal would obey instead of show is replaced.
#include "apps/describe.h"

#include <stdio.h>
#include <string.h>

static void make_printable(char *text)
{
    for (char *c = text; *c != '\0'; ++c) {
        if ((unsigned char)*c < ' ' || *c == 0x7f) {
            *c = '?';
        }
    }
}

static bool same_body(sn_rigid a, sn_rigid b)
{
    return a.index == b.index && a.generation == b.generation && a.world == b.world;
}

description describe_body(const sn_world *world, sn_rigid rigid)
{
    description d;
    const char *name = sn_rigid_name(world, rigid);
    if (same_body(rigid, sn_world_ground(world))) {
        snprintf(d.text, sizeof d.text, "ground");
    } else if (name[0] != '\0') {
        snprintf(d.text, sizeof d.text, "%s", name);
    } else {
        snprintf(d.text, sizeof d.text, "body #%u", rigid.index);
    }
    make_printable(d.text);
    return d;
}

description describe_joint(const sn_world *world, sn_constraint constraint)
{
    description d;
    const char *name = sn_constraint_name(world, constraint);
    if (name[0] != '\0') {
        snprintf(d.text, sizeof d.text, "%s", name);
    } else {
        description a = describe_body(world, sn_constraint_body_a(world, constraint));
        description b = describe_body(world, sn_constraint_body_b(world, constraint));
        snprintf(d.text, sizeof d.text, "%s of %.*s and %.*s",
                 sn_constraint_kind_name(sn_constraint_get_kind(world, constraint)), SN_MAX_NAME, a.text,
                 SN_MAX_NAME, b.text);
    }
    make_printable(d.text);
    return d;
}

description describe_deformable(const sn_world *world, sn_deformable deformable)
{
    description d;
    const char *name = sn_deformable_name(world, deformable);
    if (name[0] != '\0') {
        snprintf(d.text, sizeof d.text, "%s", name);
    } else {
        snprintf(d.text, sizeof d.text, "deformable #%u", deformable.index);
    }
    make_printable(d.text);
    return d;
}

static description describe_point(const sn_world *world, const sn_point *point)
{
    if (point->type == SN_POINT_NODES || point->type == SN_POINT_SURFACE) {
        return describe_deformable(world, point->deformable);
    }
    return describe_body(world, point->type == SN_POINT_RIGID ? point->rigid : sn_world_ground(world));
}

description describe_anchor(const sn_world *world, sn_anchor anchor)
{
    description d;
    sn_anchor_def def = sn_anchor_definition(world, anchor);
    if (def.name != NULL && def.name[0] != '\0') {
        snprintf(d.text, sizeof d.text, "%s", def.name);
    } else {
        description a = describe_point(world, &def.a), b = describe_point(world, &def.b);
        snprintf(d.text, sizeof d.text, "anchor of %.*s and %.*s", SN_MAX_NAME, a.text, SN_MAX_NAME, b.text);
    }
    make_printable(d.text);
    return d;
}

description describe_count(int count, const char *one, const char *many)
{
    description d;
    snprintf(d.text, sizeof d.text, "%d %s", count, count == 1 ? one : many);
    return d;
}
