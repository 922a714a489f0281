// GLSL sources of what lies over the picture: lines and points of constant width, panels and text.
#include "apps/render/shader_sources.h"

#define GLSL(...) #__VA_ARGS__ "\n"

// clang-format off

// --- lines -------------------------------------------------------------------------------------------------

const char shader_line_vertex[] = GLSL(
layout(location = 0) in vec3 from;
layout(location = 1) in vec3 to;
layout(location = 2) in vec2 looks;  // width in pixels; how much is seen of it behind other things
layout(location = 3) in vec4 color;
uniform float nearest;
uniform bool behind;
noperspective out vec2 local;        // along and across, in pixels from the first end
flat out vec2 sizes;                 // length and half the width
flat out vec4 ink;

void main()
{
    // A little nearer to the eye, so that lines on a surface are not lost in it.
    vec4 a = view_clip * vec4(0.997 * from, 1.0);
    vec4 b = view_clip * vec4(0.997 * to, 1.0);
    float front = 1.001 * nearest;
    // An end behind the eye is drawn back to where the view begins.
    vec4 first = a.w < front && b.w > a.w ? mix(a, b, (front - a.w) / (b.w - a.w)) : a;
    vec4 last = b.w < front && a.w > b.w ? mix(b, a, (front - b.w) / (a.w - b.w)) : b;
    vec2 half_size = 0.5 * view_size.xy;
    vec2 way = (last.xy / last.w - first.xy / first.w) * half_size;
    float far = length(way);
    vec2 along = far > 1e-4 ? way / far : vec2(1.0, 0.0);
    vec2 across = vec2(-along.y, along.x);

    // Room for the line's edge and the rim around it.
    float room = 0.5 * looks.x + 2.0;
    vec2 corner = 2.0 * vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1)) - 1.0;
    vec4 end = corner.x < 0.0 ? first : last;
    vec2 shift = room * (corner.x * along + corner.y * across) / half_size;
    gl_Position = vec4(end.xy + shift * end.w, end.zw);
    if (a.w < front && b.w < front) {
        gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    }
    local = vec2(corner.x < 0.0 ? -room : far + room, corner.y * room);
    sizes = vec2(far, 0.5 * looks.x);
    ink = vec4(color.rgb, behind ? looks.y : 1.0);
}
);

const char shader_line_fragment[] = GLSL(
noperspective in vec2 local;
flat in vec2 sizes;
flat in vec4 ink;
out vec4 pixel;

void main()
{
    float beyond = max(max(-local.x, local.x - sizes.x), 0.0);
    float distance = length(vec2(beyond, local.y));
    float core = clamp(sizes.y + 0.5 - distance, 0.0, 1.0);
    // A dark rim keeps bright lines readable on a bright background.
    float rim = 0.5 * clamp(sizes.y + 1.5 - distance, 0.0, 1.0);
    pixel = vec4(mix(vec3(0.05), ink.rgb, core), max(core, rim) * ink.a);
}
);

// --- text and panels ---------------------------------------------------------------------------------------

const char shader_flat_vertex[] = GLSL(
layout(location = 0) in vec2 position;  // pixels from the upper left corner
layout(location = 1) in vec2 inside;    // of a panel: pixels from its middle; of a glyph: place in the texture
layout(location = 2) in vec3 panel;     // half width, half height and corner radius; a radius below 0 is a glyph
layout(location = 3) in vec4 color;
out vec2 at;
flat out vec3 shape;
flat out vec4 ink;

void main()
{
    at = inside;
    shape = panel;
    ink = color;
    gl_Position = vec4(2.0 * position.x * view_size.z - 1.0, 1.0 - 2.0 * position.y * view_size.w, 0.0, 1.0);
}
);

const char shader_flat_fragment[] = GLSL(
uniform sampler2D glyphs;
in vec2 at;
flat in vec3 shape;
flat in vec4 ink;
out vec4 pixel;

void main()
{
    vec2 past = abs(at) - shape.xy + shape.z;
    float outside = length(max(past, 0.0)) + min(max(past.x, past.y), 0.0) - shape.z;
    float panel = clamp(0.5 - outside, 0.0, 1.0);
    float cover = shape.z < 0.0 ? textureLod(glyphs, at, 0.0).r : panel;
    pixel = vec4(ink.rgb, ink.a * cover);
}
);
// clang-format on
