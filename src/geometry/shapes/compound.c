// Compounds: a list of convex parts, each with its convex view made ready and its bounds, in one block of
// memory shared by reference count.
#include "geometry/shapes/compound.h"
#include "base/allocate.h"
#include "geometry/shapes/check.h"
#include <stdio.h>

#define MAX_PARTS 4096

static sn_status check_parts(const sn_solid *parts, int count)
{
    sn_status status = SN_OK;
    for (int i = 0; !status && i < count; ++i) {
        char object[32];
        snprintf(object, sizeof object, "part %d of compound", i);
        status = sn_check_solid(&parts[i], NULL, object);
    }
    return status;
}

static void fill_part(sn_compound_part_data *part, const sn_solid *solid)
{
    part->solid = *solid;
    part->solid.pose.rotation = sn_quat_normalize(solid->pose.rotation);
    sn_convex convex = sn_convex_solid(&part->storage, &part->solid);
    part->bounds = sn_convex_bounds(&convex, part->solid.pose);
    if (solid->type == SN_HULL) {
        sn_hull_retain(solid->hull);
    }
}

sn_status sn_compound_create(const sn_solid *parts, int count, sn_compound **out)
{
    if (!parts || !out) {
        return sn_fail(NULL, SN_ERROR_NULL, "compound: %s is null", parts ? "compound" : "parts");
    }
    if (count < 1 || count > MAX_PARTS) {
        return sn_fail(NULL, SN_ERROR_RANGE, "compound: count is %d, expected >= 1 and <= %d", count,
                       MAX_PARTS);
    }
    sn_status status = check_parts(parts, count);
    if (status) {
        return status;
    }
    size_t bytes = sizeof(sn_compound) + (size_t)count * sizeof(sn_compound_part_data);
    sn_compound *compound = sn_allocate_zero(1, bytes);
    if (!compound) {
        return sn_fail(NULL, SN_ERROR_MEMORY, "compound: no memory for %d parts", count);
    }
    compound->reference_count = 1;
    compound->part_count = count;
    compound->parts = (sn_compound_part_data *)(void *)(compound + 1);
    compound->bytes = bytes;
    for (int i = 0; i < count; ++i) {
        fill_part(&compound->parts[i], &parts[i]);
        sn_bounds bounds = compound->parts[i].bounds;
        compound->bounds = i == 0 ? bounds : sn_bounds_union(compound->bounds, bounds);
    }
    *out = compound;
    return SN_OK;
}

void sn_compound_retain(const sn_compound *compound)
{
    ((sn_compound *)compound)->reference_count++;
}

void sn_compound_destroy(sn_compound *compound)
{
    if (!compound || --compound->reference_count > 0) {
        return;
    }
    for (int i = 0; i < compound->part_count; ++i) {
        if (compound->parts[i].solid.type == SN_HULL) {
            sn_hull_destroy((sn_hull *)compound->parts[i].solid.hull);
        }
    }
    sn_release(compound, compound->bytes);
}

int sn_compound_part_count(const sn_compound *compound)
{
    return compound ? compound->part_count : 0;
}

sn_solid sn_compound_part(const sn_compound *compound, int part)
{
    if (!compound || part < 0 || part >= compound->part_count) {
        return (sn_solid){0};
    }
    return compound->parts[part].solid;
}

sn_convex sn_compound_convex(const sn_compound *compound, int part)
{
    const sn_compound_part_data *data = &compound->parts[part];
    return sn_convex_stored(&data->storage, &data->solid);
}
