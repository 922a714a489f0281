// GLSL sources that programs share: the numbers of a picture, the lights of the studio, the film that records
// them, and the key light's soft shadows.
#include "apps/render/shader_sources.h"

// Sources are written as the code they are; the preprocessor takes out the comments and makes them strings.
#define GLSL(...) #__VA_ARGS__ "\n"

// clang-format off

const char shader_frame_block[] = GLSL(
layout(std140) uniform frame {
    mat4 view_clip;
    vec4 view_right;
    vec4 view_up;
    vec4 view_forward;
    vec4 view_size;
    vec4 up_and_reach;
    vec4 light_and_bias;
    vec4 light_color;
    vec4 shadow_rows[3];
    vec4 shadow_scales;
};
);

// Numbers that are the same for all pixels come to them as flat values of a triangle: software spends several
// times as much on reading a uniform for every pixel.
const char shader_give[] = GLSL(
flat out vec3 zenith;
flat out vec3 key;
flat out vec3 key_light;
flat out vec4 shadow_x;
flat out vec4 shadow_y;
flat out vec4 shadow_z;
flat out vec4 shadow_size;   // texel [m], depth of the map [m], 1 / texels, offset along the normal [m]
flat out float search_bias;  // part of the depth by which a blocker must be nearer to the light
flat out vec3 horizon;
flat out vec3 top;
flat out vec3 bottom;

void give_frame()
{
    zenith = up_and_reach.xyz;
    key = light_and_bias.xyz;
    key_light = light_color.rgb;
    shadow_x = shadow_rows[0];
    shadow_y = shadow_rows[1];
    shadow_z = shadow_rows[2];
    shadow_size = vec4(shadow_scales.xyz, light_and_bias.w);
    search_bias = shadow_scales.w;
    horizon = studio_floor * (ambient_light(zenith, zenith) + key_light * max(dot(key, zenith), 0.0));
    top = horizon * vec3(0.42, 0.49, 0.58);
    bottom = horizon * vec3(0.62, 0.64, 0.68);
}
);

const char shader_take[] = GLSL(
flat in vec3 zenith;
flat in vec3 key;
flat in vec3 key_light;
flat in vec4 shadow_x;
flat in vec4 shadow_y;
flat in vec4 shadow_z;
flat in vec4 shadow_size;
flat in float search_bias;
flat in vec3 horizon;
flat in vec3 top;
flat in vec3 bottom;
);

const char shader_tone[] = GLSL(
// From screen colours to amounts of light; a cubic that stays within 0.3 % of the standard's curve.
vec3 to_light(vec3 color)
{
    return color * (color * (color * 0.305306011 + 0.682171111) + 0.012522878);
}

// The film curve of Hejl and Burgess-Dawson, which ends in screen colours.
vec3 to_screen(vec3 light)
{
    vec3 x = max(light - 0.004, 0.0);
    return (x * (6.2 * x + 0.5)) / (x * (6.2 * x + 1.7) + 0.06);
}
);

const char shader_studio[] = GLSL(
const vec3 sky_light = vec3(0.47, 0.51, 0.57);
const vec3 floor_light = vec3(0.25, 0.235, 0.22);
const vec3 studio_floor = vec3(0.62, 0.635, 0.655);

// What comes from all around: sky above, light thrown back by the floor below.
vec3 ambient_light(vec3 normal, vec3 up)
{
    return mix(floor_light, sky_light, 0.5 + 0.5 * dot(normal, up));
}
);

const char shader_backdrop[] = GLSL(
vec3 backdrop(vec3 ray)
{
    float rise = dot(ray, zenith) * inversesqrt(dot(ray, ray));
    float part = smoothstep(0.0, 0.55, abs(rise));
    return mix(horizon, rise > 0.0 ? top : bottom, part);
}

// Light as it leaves the lens, a little darker towards the corners (`where` is 0…1 across the picture).
vec4 expose(vec3 light, vec2 where)
{
    vec2 from_middle = where - vec2(0.5, 0.52);
    vec3 color = to_screen(light * (1.0 - 0.55 * dot(from_middle, from_middle)));
    // Half a step of the screen's colours up or down, so that slow changes have no bands (Jimenez's noise).
    color += (fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715)))) - 0.5) / 255.0;
    // Where edges are looked for, brightness is all that counts.
    return vec4(color, dot(color, vec3(0.299, 0.587, 0.114)));
}
);

const char shader_shadow_spot[] = GLSL(
uniform sampler2DShadow shadow_map;

// Where in the map the shadows of a place are that faces `normal`. Starting off the surface, the further the
// more it is turned away, keeps it from shading itself.
vec3 shadow_spot(vec3 place, vec3 normal, float facing)
{
    float slant = sqrt(max(1.0 - facing * facing, 0.0));
    vec3 start = place + normal * (shadow_size.w * (0.6 + 1.6 * slant));
    return vec3(dot(shadow_x.xyz, start) + shadow_x.w, dot(shadow_y.xyz, start) + shadow_y.w,
                dot(shadow_z.xyz, start) + shadow_z.w);
}
);

const char shader_lit_part[] = GLSL(
uniform sampler2D shadow_depths;

// How far apart the shadow's maker and the surface are decides how soft it is: a lamp of this width over its
// distance.
const float lamp_width = 0.16;
const int search_taps = 5;
const int few_taps = 5;       // for edges about as sharp as the map
const int shadow_taps = 10;   // for softer ones
const float least_blur = 1.2;
const float most_blur = 10.0;
const mat2 golden_turn = mat2(-0.737369, 0.675490, -0.675490, -0.737369);

// How far from the middle of a disc looks are that are spread evenly over it: about the square root.
float spread(float part)
{
    return part * (2.0 - part);
}

// Part of the key light that reaches a place whose surface faces `normal`.
float lit_part(vec3 place, vec3 normal, float facing)
{
    vec3 spot = shadow_spot(place, normal, facing);
    vec2 edge = abs(spot.xy - 0.5);
    float outside = smoothstep(0.44, 0.49, max(edge.x, edge.y));
    bool inside = outside < 1.0 && facing > 0.0;

    // What lies deeper than the map reaches is behind everything in it.
    float reference = min(spot.z, 1.0);

    // Each pixel looks in other directions (Jimenez's noise; a half circle by the tangent of half the angle).
    float t = 2.0 * fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715)))) - 1.0;
    vec2 first = vec2(1.0 - t * t, 2.0 * t) / (1.0 + t * t);
    vec2 step_to = most_blur * shadow_size.z * first;
    float blockers = 0.0;
    float depth_sum = 0.0;
    // Loops end early where no pixel of a group needs them; plain conditions would not save their work.
    int searches = inside ? search_taps : 0;
    for (int i = 0; i < searches; ++i) {
        float way = spread(float(i) / float(search_taps));
        float depth = textureLod(shadow_depths, spot.xy + way * step_to, 0.0).r;
        float blocks = step(depth, reference - search_bias);
        blockers += blocks;
        depth_sum += blocks * depth;
        step_to = golden_turn * step_to;
    }
    float gap = (spot.z - depth_sum / max(blockers, 1.0)) * shadow_size.y;
    float blur = clamp(0.5 * lamp_width * gap / shadow_size.x, least_blur, most_blur);
    step_to = blur * shadow_size.z * first;
    float lit = 0.0;
    bool mixed = blockers > 0.0 && blockers < float(searches);
    int wanted = blur < 3.0 ? few_taps : shadow_taps;
    float part = 1.0 / float(wanted);
    int taps = mixed ? wanted : 0;
    for (int i = 0; i < taps; ++i) {
        float way = spread((float(i) + 0.5) * part);
        lit += textureLod(shadow_map, vec3(spot.xy + way * step_to, reference), 0.0);
        step_to = golden_turn * step_to;
    }
    // Few looks call the rim of the full shadow full already, so the half shadow ends there softly.
    float reached = mixed ? smoothstep(0.12, 1.0, lit * part) : (blockers > 0.0 ? 0.0 : 1.0);
    // Shadows end softly where the map does.
    return mix(reached, 1.0, outside);
}
);
// clang-format on
