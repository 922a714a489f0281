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

int list_joints(const sn_world *world, sn_constraint *out, int capacity)
{
    int count = sn_world_constraints(world, out, capacity), kept = 0;
    for (int i = 0; i < count && i < capacity; ++i) {
        if (!sn_constraint_is_anchor(world, out[i])) {
            out[kept++] = out[i];
        }
    }
    return kept;
}

description describe_joint(const sn_world *world, sn_constraint constraint)
{
    const char *name = sn_constraint_name(world, constraint);
    if (name[0] != '\0') {
        return say("%s", name);
    }
    sn_constraint_common common = sn_constraint_definition(world, constraint);
    description a = describe_point(world, &common.a), b = describe_point(world, &common.b);
    const char *kind = sn_constraint_is_anchor(world, constraint)
                           ? "anchor"
                           : sn_constraint_kind_name(sn_constraint_get_kind(world, constraint));
    return say("%s of %.*s and %.*s", kind, SN_MAX_NAME, a.text, SN_MAX_NAME, b.text);
}

description describe_count(int count, const char *one, const char *many)
{
    return say("%d %s", count, count == 1 ? one : many);
}
