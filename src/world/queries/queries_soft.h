// Shared by the queries of deformables: their faces at the present positions of nodes.
#ifndef SN_WORLD_QUERIES_QUERIES_SOFT_H
#define SN_WORLD_QUERIES_QUERIES_SOFT_H

#include "collision/narrow/cast.h"
#include "geometry/shapes/nearest.h"
#include "world/queries/queries.h"

// A deformable's faces: triangles, or edges of a strand.
typedef struct sn_query_faces {
    const sn_node_state *nodes;
    const uint32_t *corners;
    int count, width;
    float radius; // of edges
} sn_query_faces;

static inline sn_query_faces sn_query_faces_of(const sn_world *world, const sn_deformable_data *data)
{
    const sn_mesh *mesh = data->def.mesh;
    bool is_strand = mesh->triangle_count == 0;
    return (sn_query_faces){.nodes = world->nodes.states.data + data->first_node,
                            .corners = is_strand ? mesh->edges : mesh->triangles,
                            .count = is_strand ? mesh->edge_count : mesh->triangle_count,
                            .width = is_strand ? 2 : 3,
                            .radius = is_strand ? 0.5f * data->def.thickness : 0.0f};
}

// Corners of a face as seen from the first one, where float32 is finest; returns that one.
static inline sn_vec3 sn_query_see_face(const sn_query_faces *faces, int face, sn_vec3 corners[3])
{
    const uint32_t *nodes = faces->corners + (size_t)face * (size_t)faces->width;
    sn_vec3 origin = faces->nodes[nodes[0]].position;
    for (int k = 0; k < 3; ++k) {
        corners[k] = sn_sub(faces->nodes[nodes[k < faces->width ? k : faces->width - 1]].position, origin);
    }
    return origin;
}

static inline bool sn_query_sees_deformable(const sn_world *world, int index, sn_query_filter filter)
{
    return sn_id_pool_in_use(&world->deformable_ids, index) &&
           sn_query_sees_filter(filter, world->deformables.data[index].def.filter);
}

// Weights of a face's corners for its point nearest to p, and how far that is.
static inline float sn_query_face_weights(const sn_query_faces *faces, const sn_vec3 corners[3], sn_vec3 p,
                                          float weights[3])
{
    weights[0] = weights[1] = weights[2] = 0.0f;
    return faces->width == 2 ? sn_nearest_on_edge(corners[0], corners[1], p, weights)
                             : sn_nearest_on_triangle(corners, p, weights);
}

// Whether a cast along `translation` hit a face, seen from `origin`, sooner than at `limit`: then that
// becomes the limit and the hit, with the normal on the side it came from. The caller sets the deformable.
static inline bool sn_query_take_hit(const sn_query_faces *faces, int face, sn_vec3 origin,
                                     const sn_vec3 corners[3], const sn_cast_result *cast,
                                     sn_vec3 translation, float *limit, sn_hit *hit)
{
    if (!cast->hit || !(cast->fraction < *limit)) {
        return false;
    }
    bool along = sn_dot(cast->normal, translation) > 0.0f;
    *hit = (sn_hit){.point = sn_add(origin, cast->point),
                    .normal = along ? sn_neg(cast->normal) : cast->normal,
                    .fraction = cast->fraction,
                    .face = face};
    (void)sn_query_face_weights(faces, corners, cast->point, hit->weights);
    *limit = cast->fraction;
    return true;
}

// Whether the segment comes into the box: by the axes of the box and the segment's own across them.
static inline bool sn_query_segment_meets(sn_vec3 origin, sn_vec3 translation, sn_bounds box)
{
    sn_vec3 center = sn_scale(sn_add(box.lower, box.upper), 0.5f), half = sn_sub(box.upper, center);
    sn_vec3 displacement = sn_scale(translation, 0.5f), reach = sn_abs3(displacement);
    sn_vec3 middle = sn_sub(sn_add(origin, displacement), center), apart = sn_abs3(middle);
    if (apart.x > half.x + reach.x || apart.y > half.y + reach.y || apart.z > half.z + reach.z) {
        return false;
    }
    sn_vec3 across = sn_abs3(sn_cross(displacement, middle));
    return across.x <= half.y * reach.z + half.z * reach.y &&
           across.y <= half.x * reach.z + half.z * reach.x && across.z <= half.x * reach.y + half.y * reach.x;
}

#endif
