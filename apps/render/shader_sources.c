#include "apps/render/shader_sources.h"

// Sources are written as the code they are; the preprocessor takes out the comments and makes them strings.
#define GLSL(...) #__VA_ARGS__ "\n"

// clang-format off

// --- shared ------------------------------------------------------------------------------------------------

const char shader_frame_block[] = GLSL(
layout(std140) uniform frame {
    mat4 view_clip;
    vec4 view_right;
    vec4 view_up;
    vec4 view_forward;
    vec4 view_size;
    vec4 up_and_reach;
    vec4 light_and_bias;
    vec4 shadow_rows[3];
    vec4 shadow_scales;
};
);

// Numbers that are the same for all pixels come to them as flat values of a triangle: software spends several
// times as much on reading a uniform for every pixel.
const char shader_give[] = GLSL(
flat out vec3 zenith;
flat out vec3 key;
flat out vec4 shadow_x;
flat out vec4 shadow_y;
flat out vec4 shadow_z;
flat out vec4 shadow_size;
flat out vec3 horizon;
flat out vec3 top;
flat out vec3 bottom;

void give_frame()
{
    zenith = up_and_reach.xyz;
    key = light_and_bias.xyz;
    shadow_x = shadow_rows[0];
    shadow_y = shadow_rows[1];
    shadow_z = shadow_rows[2];
    shadow_size = vec4(shadow_scales.xyz, light_and_bias.w);
    horizon = studio_floor * (ambient_light(zenith, zenith) + key_light * max(dot(key, zenith), 0.0));
    top = horizon * vec3(0.42, 0.49, 0.58);
    bottom = horizon * vec3(0.62, 0.64, 0.68);
}
);

const char shader_take[] = GLSL(
flat in vec3 zenith;
flat in vec3 key;
flat in vec4 shadow_x;
flat in vec4 shadow_y;
flat in vec4 shadow_z;
flat in vec4 shadow_size;
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
const vec3 key_light = vec3(1.62, 1.50, 1.32);
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
    // Where edges are looked for, brightness is all that counts.
    return vec4(color, dot(color, vec3(0.299, 0.587, 0.114)));
}
);

const char shader_lit_part[] = GLSL(
uniform sampler2DShadow shadow_map;
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

// Part of the key light that reaches a place whose surface faces `normal`.
float lit_part(vec3 place, vec3 normal, float facing)
{
    // Starting off the surface, the further the more it is turned away, keeps it from shading itself.
    float slant = sqrt(max(1.0 - facing * facing, 0.0));
    vec3 start = place + normal * (shadow_size.w * (0.6 + 1.6 * slant));
    vec3 spot = vec3(dot(shadow_x.xyz, start) + shadow_x.w, dot(shadow_y.xyz, start) + shadow_y.w,
                     dot(shadow_z.xyz, start) + shadow_z.w);
    vec2 edge = abs(spot.xy - 0.5);
    bool inside = max(edge.x, edge.y) < 0.49 && facing > 0.0;

    // What lies deeper than the map reaches is behind everything in it.
    float reference = min(spot.z, 1.0);

    // Loops end early where no pixel of a group needs them; plain conditions would not save their work.
    // Each pixel looks in other directions (Jimenez's noise; a half circle by the tangent of half the angle).
    float t = 2.0 * fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715)))) - 1.0;
    vec2 first = vec2(1.0 - t * t, 2.0 * t) / (1.0 + t * t);
    vec2 step_to = most_blur * shadow_size.z * first;
    float blockers = 0.0;
    float depth_sum = 0.0;
    int searches = inside ? search_taps : 0;
    for (int i = 0; i < searches; ++i) {
        float depth = textureLod(shadow_depths, spot.xy + step_to * sqrt(float(i) / float(search_taps)), 0.0).r;
        float blocks = step(depth, reference - 0.0005);
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
        lit += textureLod(shadow_map, vec3(spot.xy + step_to * sqrt((float(i) + 0.5) * part), reference), 0.0);
        step_to = golden_turn * step_to;
    }
    // Few looks call the rim of the full shadow full already, so the half shadow ends there softly.
    return mixed ? smoothstep(0.12, 1.0, lit * part) : (blockers > 0.0 ? 0.0 : 1.0);
}
);

// --- bodies ------------------------------------------------------------------------------------------------

const char shader_shadow_vertex[] = GLSL(
layout(location = 0) in vec3 corner;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 row_0;
layout(location = 3) in vec4 row_1;
layout(location = 4) in vec4 row_2;
layout(location = 5) in vec4 size;
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

const char shader_solid_vertex[] = GLSL(
layout(location = 0) in vec3 corner;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 row_0;
layout(location = 3) in vec4 row_1;
layout(location = 4) in vec4 row_2;
layout(location = 5) in vec4 size;
layout(location = 6) in vec4 color;
out vec3 facing;
out float depth;
flat out vec3 albedo;

void main()
{
    vec4 local = vec4(size.xyz * corner + size.w * normal, 1.0);
    gl_Position = view_clip * vec4(dot(row_0, local), dot(row_1, local), dot(row_2, local), 1.0);
    facing = vec3(dot(row_0.xyz, normal), dot(row_1.xyz, normal), dot(row_2.xyz, normal));
    depth = gl_Position.w;
    albedo = color.rgb;
}
);

// Boxes have six flat faces; their edges are rounded by bending normals, which costs no triangles.
const char shader_box_vertex[] = GLSL(
layout(location = 0) in vec3 corner;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 row_0;
layout(location = 3) in vec4 row_1;
layout(location = 4) in vec4 row_2;
layout(location = 5) in vec4 size;
layout(location = 6) in vec4 color;
out vec3 local;
out float depth;
flat out vec3 turn_0;
flat out vec3 turn_1;
flat out vec3 turn_2;
flat out vec4 box;     // half extents, and how far from an edge it is round
flat out vec3 face;
flat out vec3 albedo;

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
    albedo = color.rgb;
}
);

const char shader_box_fragment[] = GLSL(
in vec3 local;
in float depth;
flat in vec3 turn_0;
flat in vec3 turn_1;
flat in vec3 turn_2;
flat in vec4 box;
flat in vec3 face;
flat in vec3 albedo;
layout(location = 0) out vec4 color_out;
layout(location = 1) out vec4 normal_out;
layout(location = 2) out vec4 depth_out;

void main()
{
    vec3 past = clamp((abs(local) - box.xyz) / box.w + 1.0, 0.0, 1.0);
    vec3 bent = normalize(mix(sign(local) * past, face, abs(face)));
    vec3 normal = vec3(dot(turn_0, bent), dot(turn_1, bent), dot(turn_2, bent));
    color_out = vec4(albedo, 1.0);
    normal_out = vec4(0.5 + 0.5 * normal, 1.0);
    depth_out = vec4(depth);
}
);

const char shader_surface_fragment[] = GLSL(
in vec3 facing;
in float depth;
flat in vec3 albedo;
layout(location = 0) out vec4 color_out;
layout(location = 1) out vec4 normal_out;
layout(location = 2) out vec4 depth_out;

void main()
{
    // Surfaces have two sides.
    vec3 normal = gl_FrontFacing ? facing : -facing;
    color_out = vec4(albedo, 1.0);
    normal_out = vec4(0.5 + 0.5 * normalize(normal), 1.0);
    depth_out = vec4(depth);
}
);

const char shader_solid_fragment[] = GLSL(
uniform sampler2D colors;
uniform sampler2D normals;
uniform sampler2D depths;
uniform sampler2D occlusion;
in vec3 ray;
in vec2 where;
out vec4 pixel;

void main()
{
    ivec2 texel = ivec2(gl_FragCoord.xy);
    vec3 color = to_light(texelFetch(colors, texel, 0).rgb);
    vec3 normal = normalize(2.0 * texelFetch(normals, texel, 0).xyz - 1.0);
    vec3 place = ray * texelFetch(depths, texel, 0).r;
    vec3 to_eye = -normalize(ray);
    float open = textureLod(occlusion, where, 0.0).r;
    float turned = dot(normal, key);
    float lit = max(turned, 0.0) * lit_part(place, normal, turned);
    float towards = max(dot(normal, to_eye), 0.0);
    float grazing = 1.0 - towards;
    float fresnel = 0.04 + 0.5 * grazing * grazing * grazing * grazing * grazing;

    vec3 diffuse = (ambient_light(normal, zenith) + 0.10 * towards) * open + key_light * lit;
    float highlight = max(dot(normal, normalize(key + to_eye)), 0.0);
    highlight *= highlight;
    highlight *= highlight;
    highlight *= highlight;
    highlight *= highlight;
    highlight *= highlight;
    vec3 mirrored = mix(floor_light, sky_light, smoothstep(-0.2, 0.6, dot(reflect(-to_eye, normal), zenith)));
    vec3 light = color * diffuse * (1.0 - fresnel) + fresnel * (mirrored * open + key_light * lit * highlight * 5.0);
    pixel = expose(light, where);
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
out float depth;
flat out vec3 normal;

void main()
{
    gl_Position = view_clip * vec4(center + reach * (corner.x * along + corner.y * across), 1.0);
    depth = gl_Position.w;
    normal = plane.xyz;
}
);

const char shader_ground_depth_fragment[] = GLSL(
in float depth;
flat in vec3 normal;
layout(location = 1) out vec4 normal_out;
layout(location = 2) out vec4 depth_out;

void main()
{
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

const char shader_ground_fragment[] = GLSL(
uniform sampler2D occlusion;
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
    vec2 strength = smoothstep(drawn + soft, drawn - soft, from_line) * clamp(width / drawn, 0.0, 1.0);
    strength = mix(strength, vec2(width), clamp(change * 2.0 - 1.0, 0.0, 1.0));
    return mix(strength.x, 1.0, strength.y);
}

void main()
{
    vec2 where = gl_FragCoord.xy * pixel_size;
    float open = textureLod(occlusion, where, 0.0).r;
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

// --- whole screen ------------------------------------------------------------------------------------------

const char shader_screen_vertex[] = GLSL(
out vec3 ray;    // through the pixel, 1 m deep
out vec2 where;  // in the picture, 0…1

void main()
{
    give_frame();
    vec2 screen = 4.0 * vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1)) - 1.0;
    ray = view_forward.xyz + screen.x * view_right.w * view_right.xyz + screen.y * view_up.w * view_up.xyz;
    where = 0.5 + 0.5 * screen;
    gl_Position = vec4(screen, 1.0, 1.0);
}
);

const char shader_plain_vertex[] = GLSL(
void main()
{
    gl_Position = vec4(4.0 * vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1)) - 1.0, 0.0, 1.0);
}
);

const char shader_smooth_vertex[] = GLSL(
uniform sampler2D occlusion;
out vec2 where;
flat out vec2 half_texel;

void main()
{
    vec2 screen = 4.0 * vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1)) - 1.0;
    where = 0.5 + 0.5 * screen;
    half_texel = 0.5 / vec2(textureSize(occlusion, 0));
    gl_Position = vec4(screen, 0.0, 1.0);
}
);

const char shader_backdrop_fragment[] = GLSL(
in vec3 ray;
in vec2 where;
out vec4 pixel;

void main()
{
    pixel = expose(backdrop(ray), where);
}
);

// Scalable ambient obscurance (McGuire, Mara, Luebke 2012) at half the size.
const char shader_occlusion_vertex[] = GLSL(
out vec3 ray;
flat out vec3 ray_start;  // through the lower left corner
flat out vec3 ray_right;  // what a pixel to the right adds, and one up
flat out vec3 ray_up;
flat out vec4 scales;     // reach [m], 1 / reach, pixels that a metre takes 1 m away, largest depth

void main()
{
    vec3 to_right = view_right.w * view_right.xyz;
    vec3 to_top = view_up.w * view_up.xyz;
    vec2 screen = 4.0 * vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1)) - 1.0;
    ray = view_forward.xyz + screen.x * to_right + screen.y * to_top;
    ray_start = view_forward.xyz - to_right - to_top;
    ray_right = 2.0 * view_size.z * to_right;
    ray_up = 2.0 * view_size.w * to_top;
    scales = vec4(up_and_reach.w, 1.0 / up_and_reach.w, 0.5 * view_size.y / view_up.w, view_forward.w);
    gl_Position = vec4(screen, 0.0, 1.0);
}
);

const char shader_occlusion_fragment[] = GLSL(
uniform sampler2D depths;
uniform sampler2D normals;
flat in vec3 ray_start;
flat in vec3 ray_right;
flat in vec3 ray_up;
flat in vec4 scales;
out vec4 pixel;

const int taps = 6;
const mat2 golden_turn = mat2(-0.737369, 0.675490, -0.675490, -0.737369);

vec3 ray_through(ivec2 texel)
{
    vec2 middle = vec2(texel) + 0.5;
    return ray_start + middle.x * ray_right + middle.y * ray_up;
}

void main()
{
    ivec2 texel = 2 * ivec2(gl_FragCoord.xy);
    ivec2 last = textureSize(depths, 0) - 1;
    float depth = texelFetch(depths, texel, 0).r;
    vec3 place = ray_through(texel) * depth;
    vec3 normal = 2.0 * texelFetch(normals, texel, 0).xyz - 1.0;
    float pixels = clamp(scales.z * scales.x / depth, 4.0, 80.0);

    // Sixteen turns and distances in a pattern of 4 × 4 pixels, which the smoothing averages.
    float turn = float((texel.x & 6) * 2 + (texel.y & 6) / 2);
    float t = turn * 0.125 - 0.9375;
    float start = fract(turn * 0.618034);
    vec2 step_to = pixels / (1.0 + t * t) * vec2(1.0 - t * t, 2.0 * t);
    float bias = 0.002 * depth;
    float sum = 0.0;
    int count = depth < scales.w ? taps : 0;
    for (int i = 0; i < count; ++i) {
        ivec2 other = clamp(texel + ivec2(step_to * ((float(i) + start) / float(taps))), ivec2(0), last);
        vec3 way = ray_through(other) * texelFetch(depths, other, 0).r - place;
        float squared = dot(way, way) * scales.y * scales.y;
        float falloff = max(1.0 - squared, 0.0);
        float above = max(dot(way, normal) - bias, 0.0) * scales.y;
        sum += falloff * falloff * falloff * above / (squared + 0.01);
        step_to = golden_turn * step_to;
    }
    pixel = vec4(max(0.0, 1.0 - 4.0 * sum / float(taps)));
}
);

const char shader_smooth_fragment[] = GLSL(
uniform sampler2D occlusion;
in vec2 where;
flat in vec2 half_texel;
out vec4 pixel;

// Each of four looks halfway between four texels, so all sixteen turns count the same.
void main()
{
    vec2 middle = where - half_texel;
    vec2 apart = 2.0 * half_texel;
    float sum = textureLod(occlusion, middle + vec2(-apart.x, -apart.y), 0.0).r +
                textureLod(occlusion, middle + vec2(apart.x, -apart.y), 0.0).r +
                textureLod(occlusion, middle + vec2(-apart.x, apart.y), 0.0).r +
                textureLod(occlusion, middle + vec2(apart.x, apart.y), 0.0).r;
    pixel = vec4(0.25 * sum);
}
);

// Lottes's fast approximate anti-aliasing: finds how far an edge runs along its row or column and mixes in the
// neighbour across as much as the edge would cover of the pixel.
const char shader_edges_fragment[] = GLSL(
uniform sampler2D picture;
out vec4 pixel;

float brightness_at(ivec2 texel)
{
    return texelFetch(picture, texel, 0).a;
}

void main()
{
    // The outermost pixels are not drawn, so all neighbours exist.
    ivec2 inner = ivec2(gl_FragCoord.xy);
    ivec2 last = textureSize(picture, 0) - 2;
    vec4 here = texelFetch(picture, inner, 0);
    float middle = here.a;
    float above = brightness_at(inner + ivec2(0, 1));
    float below = brightness_at(inner - ivec2(0, 1));
    float right = brightness_at(inner + ivec2(1, 0));
    float left = brightness_at(inner - ivec2(1, 0));
    float highest = max(middle, max(max(above, below), max(left, right)));
    float lowest = min(middle, min(min(above, below), min(left, right)));
    float range = highest - lowest;
    bool edge = range > max(0.02, highest * 0.06);

    // The direction across the edge, and the steeper side.
    bool level = abs(above + below - 2.0 * middle) >= abs(left + right - 2.0 * middle);
    float plus = level ? above : right;
    float minus = level ? below : left;
    bool up = abs(plus - middle) >= abs(minus - middle);
    ivec2 across = (level ? ivec2(0, 1) : ivec2(1, 0)) * (up ? 1 : -1);
    ivec2 along = level ? ivec2(1, 0) : ivec2(0, 1);
    float other = up ? plus : minus;
    float border = 0.5 * (middle + other);
    float steep = 0.25 * abs(other - middle);

    int reach = edge ? 8 : 0;
    float to_plus = 8.0;
    float to_minus = 8.0;
    float end_plus = 0.0;
    float end_minus = 0.0;
    bool open_plus = true;
    bool open_minus = true;
    for (int i = 1; i <= reach; ++i) {
        ivec2 ahead = clamp(inner + along * i, ivec2(1), last);
        ivec2 behind = clamp(inner - along * i, ivec2(1), last);
        float there = 0.5 * (brightness_at(ahead) + brightness_at(ahead + across)) - border;
        float back = 0.5 * (brightness_at(behind) + brightness_at(behind + across)) - border;
        if (open_plus) {
            end_plus = there;
            to_plus = float(i);
        }
        if (open_minus) {
            end_minus = back;
            to_minus = float(i);
        }
        open_plus = open_plus && abs(there) < steep;
        open_minus = open_minus && abs(back) < steep;
        reach = open_plus || open_minus ? reach : 0;
    }
    float nearer = min(to_plus, to_minus);
    float end = to_plus < to_minus ? end_plus : end_minus;
    // The nearer end must be one where the border goes to this pixel's side.
    bool counts = edge && ((end < 0.0) != (middle < border));
    float part = counts ? 0.5 - nearer / (to_plus + to_minus) : 0.0;
    vec3 neighbour = texelFetch(picture, inner + across, 0).rgb;
    pixel = vec4(mix(here.rgb, neighbour, part), 1.0);
}
);
// clang-format on
