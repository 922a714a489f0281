// What the page calls, and what its files share: one world, drawn and touched. Plain numbers and pointers
// only, because the caller is JavaScript; it reads arrays where they are. Uses the library by its public
// headers.
//
// Every function that can fail returns an sn_status, and page_error says what went wrong.
#ifndef SINEW_WEB_BRIDGE_H
#define SINEW_WEB_BRIDGE_H

#include "sinew/sinew.h"
#include "sinew_scene/skin.h"

// --- called by the page ------------------------------------------------------------------------------------

// Memory for bytes that the page writes; null if there is none.
void *page_allocate(size_t size);
void page_release(void *memory);

// Makes the world what a snapshot says.
int page_open(const void *snapshot, size_t size);
const char *page_error(void);
// What moves bodies, joints and fields by keyframes, and what happens when: the numbers of a saved state's
// `drive`, after every opening, none for nothing; and those numbers now, with what has happened.
int page_drive(const double *numbers, int count);
const double *page_driven(void);
int page_driven_count(void);
// Where the scene's first camera is now (eye, target) and the light (direction, zero for the usual one;
// strength); null if nothing of it moves.
#define PAGE_LOOK_SIZE 10
const float *page_look(void);
int page_step(float duration);
// The world as a snapshot; valid until the next call. Its size is that of page_saved_size.
const void *page_save(void);
size_t page_saved_size(void);
// The state hash: two words, low first.
const uint32_t *page_hash(void);
double page_time(void);

// Gives the engine a clock: an index of the module's function table, a function without arguments that
// returns seconds.
void page_clock_set(double (*clock)(void));

// What the last step did, PAGE_FIGURE_COUNT floats; see page_figures in session.c.
const float *page_figures(void);

// Settings in force. `which` is a page_setting.
float page_setting_get(int which);
int page_setting_set(int which, float value);

// --- drawn things ------------------------------------------------------------------------------------------

// Counts up when bodies, shapes or deformables came or went: the page builds its scene anew then.
int page_layout(void);
int page_body_count(void);
// 8 floats a body: position, rotation x y z w, and a state: 0 static, 1 asleep, 2 awake.
const float *page_poses(void);
const char *page_body_name(int body);
int page_shape_count(void);
// PAGE_SHAPE_WORDS words a shape, see page_shape; its triangles are in the frame of its body.
const void *page_shapes(void);
const float *page_shape_positions(void);
const float *page_shape_normals(void);
const uint32_t *page_shape_indices(void);

int page_soft_count(void);
// PAGE_SOFT_WORDS words a deformable, see page_soft.
const void *page_softs(void);
const char *page_soft_name(int soft);
// Fills what follows bodies and nodes: poses, skins, ropes. With `heat`, values of vertices and bodies too.
void page_refresh(int heat);
// One float a body, 0 (met) to 1 (wrong by a hundredth of its size, or more).
const float *page_body_heat(void);

// A camera that sees everything: eye, target, up, vertical field of view [rad]: 10 floats.
const float *page_camera(void);

int page_rope_count(void);
// 8 floats a rope, rod or spring: two ends, tension [N], kind (0 rope, 1 rod, 2 spring).
const float *page_ropes(void);

// Lines of the chosen overlays (bits of page_overlay): 8 floats a line: two ends, colour as a number, unused.
int page_lines(int overlays);
const float *page_line_data(void);

// --- the hand ----------------------------------------------------------------------------------------------

// Grabs what the ray meets first; returns 1 if something that moves was caught.
int page_grab(float ox, float oy, float oz, float dx, float dy, float dz);
int page_grab_move(float x, float y, float z);
void page_grab_end(void);
// 12 floats: held (0 or 1), place of the hand, place of the held point, force on it [N], its size, mass of
// what is held together with it [kg].
const float *page_grab_state(void);
// Cuts every rope, joint, strand and sheet between the rays from the eye to two points; returns how many.
int page_cut(const float *eye, const float *from, const float *to);
// A ball of that radius and mass, at a place, with a velocity.
int page_throw(const float *place, const float *velocity, float radius, float mass);
// A cube likewise, at rest.
int page_drop(const float *place, float size, float mass);

// --- shared by the bridge's files
// ----------------------------------------------------------------------------

typedef struct page_shape {
    uint32_t body, type, index, generation; // of its sn_shape
    uint32_t first_vertex, vertex_count, first_index, index_count;
    uint32_t color, sensor;
    float plane[4]; // in the world: normal and offset, of planes
} page_shape;

typedef struct page_soft {
    uint32_t index, generation; // of its sn_deformable
    const sn_vec3 *positions, *normals;
    const uint32_t *indices;
    const float *heat; // one value a vertex
    uint32_t vertex_count, triangle_count;
    uint32_t color, closed;
} page_soft;

typedef enum page_setting {
    PAGE_GRAVITY,    // downwards [m/s²]
    PAGE_SOLVER,     // sn_solver_type
    PAGE_SUB_STEPS,  // 0: left to the world
    PAGE_LONG_RANGE, // 0 or 1
    PAGE_STIFFNESS,  // of deformables, × that of the scene
    PAGE_FRICTION,   // × that of the scene
    PAGE_SLEEP,      // 0 or 1
    PAGE_ITERATIONS, // of the staggered and the position solver
    PAGE_SETTING_COUNT
} page_setting;

enum page_overlay {
    PAGE_CONTACTS = 1,
    PAGE_FORCES = 2,
    PAGE_BOUNDS = 4,
    PAGE_JOINTS = 8,
    PAGE_MASS_CENTERS = 16,
    PAGE_LONG_RANGE_LINKS = 32 // bounds, unions, what is supported
};

extern sn_world *page_world;

// Lists bodies, shapes and deformables anew if they are not those listed.
void page_list(void);
// The bodies listed (the first is the ground) and their number.
const sn_rigid *page_bodies(void);
// Forgets the hand's anchor if the world has it no more.
void page_grab_check(void);
// Another world is there: lets go, and removes the anchors of hands it was saved with.
void page_grab_forget(void);
// Keeps the numbers of the scene that factors multiply; forgets them.
void page_factors_reset(void);

#endif
