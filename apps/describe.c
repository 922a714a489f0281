// Names come from scene files, so what a terminal would obey instead of show is replaced.
#include "apps/describe.h"

#include <stdarg.h>
#include <stdio.h>

#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
static description
say(const char *format, ...)
{
    description d;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(d.text, sizeof d.text, format, arguments);
    va_end(arguments);
    for (char *c = d.text; *c != '\0'; ++c) {
        *c = (unsigned char)*c < ' ' || *c == 0x7f ? '?' : *c;
    }
    return d;
}

static bool same_body(sn_rigid a, sn_rigid b)
{
    return a.index == b.index && a.generation == b.generation && a.world == b.world;
}

description describe_body(const sn_world *world, sn_rigid rigid)
{
    const char *name = sn_rigid_name(world, rigid);
    if (same_body(rigid, sn_world_ground(world))) {
        return say("ground");
    }
    return name[0] != '\0' ? say("%s", name) : say("body #%u", rigid.index);
}

description describe_joint(const sn_world *world, sn_constraint constraint)
{
    const char *name = sn_constraint_name(world, constraint);
    if (name[0] != '\0') {
        return say("%s", name);
    }
    description a = describe_body(world, sn_constraint_body_a(world, constraint));
    description b = describe_body(world, sn_constraint_body_b(world, constraint));
    return say("%s of %.*s and %.*s", sn_constraint_kind_name(sn_constraint_get_kind(world, constraint)),
               SN_MAX_NAME, a.text, SN_MAX_NAME, b.text);
}

description describe_deformable(const sn_world *world, sn_deformable deformable)
{
    const char *name = sn_deformable_name(world, deformable);
    return name[0] != '\0' ? say("%s", name) : say("deformable #%u", deformable.index);
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
    sn_anchor_def def = sn_anchor_definition(world, anchor);
    if (def.name != NULL && def.name[0] != '\0') {
        return say("%s", def.name);
    }
    description a = describe_point(world, &def.a), b = describe_point(world, &def.b);
    return say("anchor of %.*s and %.*s", SN_MAX_NAME, a.text, SN_MAX_NAME, b.text);
}

description describe_count(int count, const char *one, const char *many)
{
    return say("%d %s", count, count == 1 ? one : many);
}
