// GLSL sources of what is done once for every pixel: light, background, occlusion.
#include "apps/render/shader_sources.h"

// Sources are written as the code they are; the preprocessor takes out the comments and makes them strings.
#define GLSL(...) #__VA_ARGS__ "\n"

// clang-format off

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

// Light on bodies: what surfaces told of themselves, seen in the studio.
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
    vec4 surface = texelFetch(colors, texel, 0);
    vec3 color = to_light(surface.rgb);
    vec4 turn = texelFetch(normals, texel, 0);
    vec3 normal = normalize(2.0 * turn.xyz - 1.0);
    // How far light creeps around, how glossy it is, how much light comes through: bodies, cloth, jelly.
    vec3 looks = turn.w > 0.8 ? vec3(0.0, 1.0, 0.0) : turn.w > 0.5 ? vec3(0.15, 0.2, 0.12) : vec3(0.3, 1.5, 0.5);
    vec3 place = ray * texelFetch(depths, texel, 0).r;
    vec3 to_eye = -normalize(ray);
    float open = textureLod(occlusion, where, 0.0).r;
    float turned = dot(normal, key);
    float straight = max(turned, 0.0);
    float part = lit_part(place, normal, turned);
    float reaching = min(straight * 5.0, 1.0) * part;
    float around = max((turned + looks.x) / (1.0 + looks.x), 0.0) - straight;
    float lit = straight * part;
    float towards = max(dot(normal, to_eye), 0.0);
    float grazing = 1.0 - towards;
    float fresnel = looks.y * (0.04 + 0.5 * grazing * grazing * grazing * grazing * grazing);

    vec3 diffuse = (ambient_light(normal, zenith) + 0.10 * towards) * open + key_light * (lit + max(around, 0.0));
    // What came a long way through has more of the colour; it leaves where the surface bends away.
    vec3 deep = color * inversesqrt(dot(color, color) + 0.01);
    diffuse += looks.z * deep * (0.25 + grazing * grazing) * (sky_light * open + 0.5 * key_light * reaching);
    float highlight = max(dot(normal, normalize(key + to_eye)), 0.0);
    highlight *= highlight;
    highlight *= highlight;
    highlight *= highlight;
    highlight *= highlight;
    highlight *= highlight;
    vec3 mirrored = mix(floor_light, sky_light, smoothstep(-0.2, 0.6, dot(reflect(-to_eye, normal), zenith)));
    // A thin line where another body begins keeps equal ones apart.
    ivec2 last = textureSize(colors, 0) - 1;
    float beside = texelFetch(colors, min(texel + ivec2(1, 0), last), 0).a;
    float above = texelFetch(colors, min(texel + ivec2(0, 1), last), 0).a;
    bool differs = (beside > 0.0 && beside != surface.a) || (above > 0.0 && above != surface.a);
    diffuse *= differs ? 0.72 : 1.0;
    vec3 light = color * diffuse * (1.0 - fresnel) + fresnel * (mirrored * open + key_light * lit * highlight * 5.0);
    pixel = expose(light, where);
}
);

// Light on the near side of what lets it through, like glass that is coloured: clearest where it is looked at
// straight, a mirror where it bends away.
const char shader_clear_fragment[] = GLSL(
uniform sampler2D colors;
uniform sampler2D normals;
uniform sampler2D depths;
uniform float opacity;
in vec3 ray;
in vec2 where;
layout(location = 0, index = 0) out vec4 pixel;
layout(location = 0, index = 1) out vec4 cover;

void main()
{
    ivec2 texel = ivec2(gl_FragCoord.xy);
    vec3 color = to_light(texelFetch(colors, texel, 0).rgb);
    vec3 normal = normalize(2.0 * texelFetch(normals, texel, 0).xyz - 1.0);
    vec3 place = ray * texelFetch(depths, texel, 0).r;
    vec3 to_eye = -normalize(ray);
    // Normals between corners may look away from an eye that sees the triangle.
    normal = normalize(normal + max(0.05 - dot(normal, to_eye), 0.0) * to_eye);
    float turned = dot(normal, key);
    float part = lit_part(place, normal, turned);
    float around = max((turned + 0.4) / 1.4, 0.0);
    float grazing = 1.0 - max(dot(normal, to_eye), 0.0);
    float fresnel = 0.05 + 0.4 * grazing * grazing * grazing * grazing * grazing;
    vec3 diffuse = ambient_light(normal, zenith) + key_light * mix(0.35, 1.0, part) * around;
    vec3 deep = color * inversesqrt(dot(color, color) + 0.01);
    diffuse += 0.5 * deep * grazing * grazing * sky_light;
    float highlight = pow(max(dot(normal, normalize(key + to_eye)), 0.0), 48.0) * part;
    vec3 mirrored = mix(floor_light, sky_light, smoothstep(-0.2, 0.6, dot(reflect(-to_eye, normal), zenith)));
    // What it mirrors covers what is behind, however clear it is.
    float covered = mix(opacity, 1.0, 0.6 * grazing * grazing * grazing) + fresnel + highlight;
    pixel = expose(color * diffuse * (1.0 - fresnel) + fresnel * mirrored + key_light * highlight, where);
    cover = vec4(clamp(covered, 0.0, 1.0));
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
flat out vec3 ray_start;  // through the lower left corner
flat out vec3 ray_right;  // what a pixel to the right adds, and one up
flat out vec3 ray_up;
flat out vec4 scales;     // reach [m], 1 / reach, pixels that a metre takes 1 m away, largest depth

void main()
{
    vec3 to_right = view_right.w * view_right.xyz;
    vec3 to_top = view_up.w * view_up.xyz;
    vec2 screen = 4.0 * vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1)) - 1.0;
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

const int taps = 4;
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

    // The pixels of a square of 4 × 4 look in sixteen directions and distances, which the smoothing averages.
    // In Bayer's order those of a row or a column are spread, too.
    ivec2 cell = ivec2(gl_FragCoord.xy);
    int mixed = cell.x ^ cell.y;
    float number = float((mixed & 1) << 3 | (cell.y & 1) << 2 | (mixed & 2) | (cell.y >> 1 & 1));
    float t = (number + 0.5) / 8.0 - 1.0;
    float start = fract((7.0 * number + 0.5) / 16.0);
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
        sum += falloff * falloff * falloff * above / (squared + 0.04);
        step_to = golden_turn * step_to;
    }
    pixel = vec4(max(0.2, 1.0 - 3.8 * sum / float(taps)), depth, 0.0, 1.0);
}
);

const char shader_smooth_vertex[] = GLSL(
flat out float sharpness;  // 1 / what is farther apart in depth than this is not mixed [1/m]

void main()
{
    sharpness = 4.0 / up_and_reach.w;
    gl_Position = vec4(4.0 * vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1)) - 1.0, 0.0, 1.0);
}
);

// A mean along a row or a column in which four neighbours in turn count the same, so that of the pattern of
// directions nothing is left. What lies at another depth does not count.
const char shader_smooth_fragment[] = GLSL(
uniform sampler2D occlusion;
uniform ivec2 along;
flat in float sharpness;
out vec4 pixel;

void main()
{
    ivec2 texel = ivec2(gl_FragCoord.xy);
    ivec2 last = textureSize(occlusion, 0) - 1;
    vec2 here = texelFetch(occlusion, texel, 0).rg;
    float sum = here.r;
    float weights = 1.0;
    for (int i = -4; i <= 4; ++i) {
        vec2 other = texelFetch(occlusion, clamp(texel + i * along, ivec2(0), last), 0).rg;
        float weight = (i == 0 ? 0.0 : abs(i) == 4 ? 0.5 : 1.0) * max(1.0 - sharpness * abs(other.g - here.g), 0.0);
        sum += weight * other.r;
        weights += weight;
    }
    pixel = vec4(sum / weights, here.g, 0.0, 1.0);
}
);

// clang-format on
