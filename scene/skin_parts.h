// The two kinds of skins: surfaces and strands. Known to skin*.c only.
#ifndef SN_SCENE_SKIN_PARTS_H
#define SN_SCENE_SKIN_PARTS_H

#include "scene/list.h"
#include "sinew_scene/skin.h"

// A cross section of a tube.
typedef struct skin_ring {
    uint32_t nodes[4]; // of the curve: it goes from the second to the third
    float share;       // how far along
    float rise;        // of a cap: how far beyond the end, in radii
    float width;       // in radii
    int first_vertex;
    bool begins; // a tube
} skin_ring;

typedef SN_LIST(skin_ring) skin_ring_list;

// An end of a rim: a vertex of the rim beside its boundary edge.
typedef struct skin_rim {
    uint32_t from, to; // vertices of the front, as the triangle beside runs the edge
    uint32_t triangle;
} skin_rim;

typedef SN_LIST(skin_rim) skin_rim_list;

// A sharp edge: its two ends, each on both sides of it. Corners while the skin is planned, vertices then.
typedef struct skin_crease {
    uint32_t start[2], end[2];
} skin_crease;

// A cross-section of a rope: nodes whose middle its tube goes through.
typedef struct skin_station {
    int first, count; // of the plan's members
} skin_station;

struct sn_skin_plan {
    bool strand;
    float offset;     // of surfaces from the nodes, or the radius of tubes [m]
    int smooth_count; // vertices of the mesh's triangles; those of corners follow
    int front_count;  // vertices of both
    int face_count;   // the mesh's triangles; strips of edges, then fans of corners follow
    int strip_count, corner_count;
    SN_LIST(skin_crease) creases;
    SN_LIST(int32_t) rim_of; // vertex of the rim beside each vertex of the front, −1 for none
    skin_rim_list rims;
    int sides, cuts; // of tubes and of their edges
    skin_ring_list rings;
    SN_LIST(skin_station) stations; // of a rope, which its rings name instead of nodes; empty for strands
    SN_LIST(uint32_t) members;      // nodes, station by station
};

// The indices, sources and plan of a mesh with triangles, and of one with edges only. False without memory.
bool sn_skin_plan_surface(sn_skin *skin, const sn_mesh *mesh, bool solid);
bool sn_skin_plan_strand(sn_skin *skin, const sn_mesh *mesh);

// Whether a mesh with triangles is so long and thin that it is a rope.
bool sn_skin_is_rope(const sn_mesh *mesh);
// Its cross-sections, and what its radius adds to half the thickness. False without memory.
bool sn_skin_find_stations(sn_skin *skin, const sn_mesh *mesh);

// Where vertices are in the rest shape.
void sn_skin_rest_surface(sn_skin *skin, const sn_mesh *mesh);
void sn_skin_rest_strand(sn_skin *skin, const sn_mesh *mesh);

void sn_skin_move_surface(sn_skin *skin, const sn_node_state *nodes, sn_vec3 origin);
void sn_skin_move_strand(sn_skin *skin, const sn_node_state *nodes, sn_vec3 origin);

#endif
