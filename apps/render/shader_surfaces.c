// GLSL sources of what is in the scene: bodies, their shadows and surfaces, and the ground.
#include "apps/render/shader_sources.h"

// Sources are written as the code they are; the preprocessor takes out the comments and makes them strings.
#define GLSL(...) #__VA_ARGS__ "\n"

// clang-format off

// --- what several take in and give out ---------------------------------------------------------------------

// A corner of a mesh, and the body it is drawn for: rows of its pose, its size.
#define INSTANCE GLSL(                  \
layout(location = 0) in vec3 corner;    \
layout(location = 1) in vec3 normal;    \
layout(location = 2) in vec4 row_0;     \
layout(location = 3) in vec4 row_1;     \
layout(location = 4) in vec4 row_2;     \
layout(location = 5) in vec4 size;      \
)

// A corner of a deformable's skin, where it is.
#define SKIN GLSL(                      \
layout(location = 0) in vec3 corner;    \
layout(location = 1) in vec3 normal;    \
layout(location = 6) in vec4 color;     \
layout(location = 7) in float material; \
layout(location = 8) in vec4 grain;     \
)

// What is lit later.
#define BUFFERS GLSL(                        \
layout(location = 0) out vec4 color_out;     \
layout(location = 1) out vec4 normal_out;    \
layout(location = 2) out vec4 depth_out;     \
)

// --- bodies ------------------------------------------------------------------------------------------------

const char shader_shadow_vertex[] = INSTANCE GLSL(
uniform mat4 clip;

void main()
{
    vec4 local = vec4(size.xyz * corner + max(size.w, 0.0) * normal, 1.0);
    gl_Position = clip * vec4(dot(row_0, local), dot(row_1, local), dot(row_2, local), 1.0);
}
);

const char shader_nothing_fragment[] = GLSL(
void main()
{
}
);

const char shader_solid_vertex[] = INSTANCE GLSL(
layout(location = 6) in vec4 color;
out vec3 facing;
out float depth;
flat out vec4 albedo;    // and a number that tells its body from others

void main()
{
    vec4 local = vec4(size.xyz * corner + size.w * normal, 1.0);
    gl_Position = view_clip * vec4(dot(row_0, local), dot(row_1, local), dot(row_2, local), 1.0);
    facing = vec3(dot(row_0.xyz, normal), dot(row_1.xyz, normal), dot(row_2.xyz, normal));
    depth = gl_Position.w;
    albedo = color;
}
);

// Boxes have six flat faces; their edges are rounded by bending normals, which costs no triangles.
const char shader_box_vertex[] = INSTANCE GLSL(
layout(location = 6) in vec4 color;
out vec3 local;
out float depth;
flat out vec3 turn_0;
flat out vec3 turn_1;
flat out vec3 turn_2;
flat out vec4 box;     // half extents, and how far from an edge it is round
flat out vec3 face;
flat out vec4 albedo;

void main()
{
    local = size.xyz * corner;
    vec4 at = vec4(local, 1.0);
    gl_Position = view_clip * vec4(dot(row_0, at), dot(row_1, at), dot(row_2, at), 1.0);
    depth = gl_Position.w;
    turn_0 = row_0.xyz;
    turn_1 = row_1.xyz;
    turn_2 = row_2.xyz;
    box = vec4(size.xyz, -size.w);
    face = normal;
    albedo = color;
}
);

const char shader_box_fragment[] = BUFFERS GLSL(
in vec3 local;
in float depth;
flat in vec3 turn_0;
flat in vec3 turn_1;
flat in vec3 turn_2;
flat in vec4 box;
flat in vec3 face;
flat in vec4 albedo;

void main()
{
    // At least a pixel wide, however far away or slanted, but never much of the face.
    vec3 width = clamp(1.3 * fwidth(local), vec3(box.w), vec3(4.0 * box.w));
    vec3 past = clamp((abs(local) - box.xyz) / width + 1.0, 0.0, 1.0);
    // Where a pixel is much of what is round, its one normal must not stand for all of it.
    past *= 0.4 + 0.6 * box.w / width;
    vec3 bent = normalize(mix(sign(local) * past, face, abs(face)));
    vec3 normal = vec3(dot(turn_0, bent), dot(turn_1, bent), dot(turn_2, bent));
    color_out = albedo;
    normal_out = vec4(0.5 + 0.5 * normal, 1.0);
    depth_out = vec4(depth);
}
);

const char shader_surface_fragment[] = BUFFERS GLSL(
in vec3 facing;
in float depth;
flat in vec4 albedo;

void main()
{
    // Surfaces have two sides.
    vec3 normal = gl_FrontFacing ? facing : -facing;
    color_out = albedo;
    normal_out = vec4(0.5 + 0.5 * normalize(normal), 1.0);
    depth_out = vec4(depth);
}
);

// --- deformables -------------------------------------------------------------------------------------------

const char shader_skin_vertex[] = SKIN GLSL(
out vec3 facing;
out float depth;
out vec3 albedo;
out vec4 threads;
flat out vec2 kind;    // a number that tells it from others; material

void main()
{
    gl_Position = view_clip * vec4(corner, 1.0);
    threads = grain;
    facing = normal;
    depth = gl_Position.w;
    albedo = color.rgb;
    kind = vec2(color.a, material);
}
);

const char shader_skin_fragment[] = BUFFERS GLSL(
in vec3 facing;
in float depth;
in vec3 albedo;
in vec4 threads;
flat in vec2 kind;

// Plain weave: threads go over and under each other in turn. What is finer than pixels is even.
float weave(vec3 right, vec3 up)
{
    // Seen along the axis that the sheet faces most in its rest shape.
    vec3 across = abs(cross(right, up));
    vec3 width = abs(right) + abs(up);
    bool flat_on = across.z >= max(across.x, across.y);
    vec2 at = flat_on ? threads.xy : across.x >= across.y ? threads.yz : threads.zx;
    vec2 change = flat_on ? width.xy : across.x >= across.y ? width.yz : width.zx;
    vec2 cell = floor(at);
    vec2 round = 1.0 - abs(2.0 * (at - cell) - 1.0);
    float top = mod(cell.x + cell.y, 2.0) < 0.5 ? round.x : round.y;
    float seen = clamp(1.6 - 3.0 * max(change.x, change.y), 0.0, 1.0);
    return mix(1.0, 0.80 + 0.34 * top * (2.0 - top) * 0.9, seen);
}

// Three strands that are wound around each other: the cosine of three times the angle, turned along the way.
float twist(float change)
{
    vec2 around = threads.xy * inversesqrt(max(dot(threads.xy, threads.xy), 1e-6));
    float along = 6.2831853 * threads.z;
    float wave = around.x * (4.0 * around.x * around.x - 3.0) * cos(along) -
                 around.y * (3.0 - 4.0 * around.y * around.y) * sin(along);
    float seen = clamp(1.4 - 1.6 * change, 0.0, 1.0);
    return mix(1.0, 0.86 + 0.26 * wave, seen);
}

void main()
{
    vec3 right = dFdx(threads.xyz);
    vec3 up = dFdy(threads.xyz);
    // Loops end early where no pixel of a group needs them; plain conditions would not save their work.
    float shade = 1.0;
    int sheets = threads.w > 0.5 && kind.y < 0.8 ? 1 : 0;
    int strands = threads.w > 0.5 && kind.y > 0.8 ? 1 : 0;
    for (int i = 0; i < sheets; ++i) {
        shade = weave(right, up);
    }
    for (int i = 0; i < strands; ++i) {
        shade = twist(abs(right.z) + abs(up.z));
    }
    color_out = vec4(min(albedo * shade, 1.0), kind.x);
    vec3 normal = gl_FrontFacing ? facing : -facing;
    normal_out = vec4(0.5 + 0.5 * normalize(normal), kind.y);
    depth_out = vec4(depth);
}
);

// The far side of what lets light through, seen through the near one: only its colour, and roughly whether it
// is lit.
const char shader_far_side_vertex[] = SKIN GLSL(
out vec3 place;
out vec3 facing;
out vec3 albedo;
flat out vec3 looks;    // how opaque; one over the size of the picture

void main()
{
    give_frame();
    gl_Position = view_clip * vec4(corner, 1.0);
    place = corner;
    facing = -normal;
    albedo = color.rgb;
    looks = vec3(material, view_size.zw);
}
);

const char shader_far_side_fragment[] = GLSL(
in vec3 place;
in vec3 facing;
in vec3 albedo;
flat in vec3 looks;
layout(location = 0, index = 0) out vec4 pixel;
layout(location = 0, index = 1) out vec4 cover;

void main()
{
    vec3 normal = normalize(facing);
    float turned = dot(normal, key);
    float part = textureLod(shadow_map, shadow_spot(place, normal, turned), 0.0);
    float around = max((turned + 0.4) / 1.4, 0.0);
    vec3 diffuse = ambient_light(normal, zenith) + key_light * mix(0.35, 1.0, part) * around;
    pixel = expose(to_light(albedo) * diffuse, gl_FragCoord.xy * looks.yz);
    cover = vec4(looks.x);
}
);

// --- ground ------------------------------------------------------------------------------------------------

const char shader_ground_depth_vertex[] = GLSL(
layout(location = 0) in vec3 corner;
uniform vec3 center;
uniform vec3 along;
uniform vec3 across;
uniform float reach;
uniform vec4 plane;
invariant gl_Position; // the same as when it is lit
out float depth;
flat out vec3 normal;

void main()
{
    vec2 from_center = reach * corner.xy;
    vec3 place = center + from_center.x * along + from_center.y * across;
    gl_Position = view_clip * vec4(place, 1.0);
    depth = gl_Position.w;
    normal = plane.xyz;
}
);

const char shader_ground_depth_fragment[] = BUFFERS GLSL(
in float depth;
flat in vec3 normal;

void main()
{
    color_out = vec4(0.0);
    normal_out = vec4(0.5 + 0.5 * normal, 1.0);
    depth_out = vec4(depth);
}
);

const char shader_ground_vertex[] = GLSL(
layout(location = 0) in vec3 corner;
uniform vec3 center;
uniform vec3 along;
uniform vec3 across;
uniform float reach;       // half the side of the square that is drawn [m]
uniform vec4 plane;        // normal, height of the eye above
uniform vec4 grid;         // where the center is, in cells; cells in a metre; strength of the lines of cells
uniform vec3 line_looks;   // widths of the lines of one and of ten cells, in those; how dark they are
uniform vec2 fade;         // where the floor begins to fade and where it has [m]
uniform vec3 color;
invariant gl_Position;
out vec3 place;
out vec2 cell;
out vec2 from_center;
flat out vec3 normal;
flat out vec3 albedo;
flat out vec4 looks;       // strength of the lines of cells, of all lines; fade
flat out vec2 widths;
flat out vec2 pixel_size;

void main()
{
    give_frame();
    from_center = reach * corner.xy;
    place = center + from_center.x * along + from_center.y * across;
    cell = grid.xy + from_center * grid.z;
    gl_Position = view_clip * vec4(place, 1.0);
    normal = plane.xyz;
    albedo = color;
    looks = vec4(grid.w, line_looks.z, fade);
    widths = line_looks.xy;
    pixel_size = view_size.zw;
}
);

const char shader_open_part[] = GLSL(
uniform sampler2D occlusion;

float open_part(vec2 where)
{
    return textureLod(occlusion, where, 0.0).r;
}
);

const char shader_nothing_near[] = GLSL(
float open_part(vec2 where)
{
    return 1.0;
}

float lit_part(vec3 place, vec3 normal, float facing)
{
    return 1.0;
}
);

const char shader_ground_fragment[] = GLSL(
in vec3 place;
in vec2 cell;
in vec2 from_center;
flat in vec3 normal;
flat in vec3 albedo;
flat in vec4 looks;
flat in vec2 widths;
flat in vec2 pixel_size;
out vec4 pixel;

// Lines around whole numbers, as wide as they are, thin ones fainter instead of thinner (Golus's grid).
float lines(vec2 at, vec2 change, float width)
{
    vec2 drawn = clamp(vec2(width), change, vec2(0.5));
    vec2 soft = 1.5 * change;
    vec2 from_line = 1.0 - abs(fract(at) * 2.0 - 1.0);
    vec2 strength = 1.0 - smoothstep(drawn - soft, drawn + soft, from_line);
    strength *= clamp(width / drawn, 0.0, 1.0);
    strength = mix(strength, vec2(width), clamp(change * 2.0 - 1.0, 0.0, 1.0));
    return mix(strength.x, 1.0, strength.y);
}

void main()
{
    vec2 where = gl_FragCoord.xy * pixel_size;
    float open = open_part(where);
    float turned = dot(normal, key);
    float lit = max(turned, 0.0) * lit_part(place, normal, turned);
    vec3 light = albedo * (ambient_light(normal, zenith) * open + key_light * lit);
    vec2 change = fwidth(cell);
    float marks = max(lines(cell, change, widths.x) * looks.x, lines(cell * 0.1, change * 0.1, widths.y));
    light *= 1.0 - looks.y * marks;
    light = mix(light, backdrop(place), smoothstep(looks.z, looks.w, length(from_center)));
    pixel = expose(light, where);
}
);
// clang-format on
