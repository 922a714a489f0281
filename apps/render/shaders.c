// Puts programs together from pieces of source and connects them with textures and shared numbers.
#include "apps/render/shaders.h"

#include "apps/render/shader_sources.h"
#include "scene/message.h"

#include <epoxy/gl.h>
#include <string.h>

// The pieces of a program's two stages.
typedef struct shader_recipe {
    const char *name;
    const char *vertex[5], *fragment[8];
} shader_recipe;

static const shader_recipe recipes[SHADER_COUNT] = {
    [SHADER_SHADOW] = {"shadow", {shader_shadow_vertex}, {shader_nothing_fragment}},
    [SHADER_SURFACE] = {"surface", {shader_frame_block, shader_solid_vertex}, {shader_surface_fragment}},
    [SHADER_BOX] = {"box", {shader_frame_block, shader_box_vertex}, {shader_box_fragment}},
    [SHADER_SKIN] = {"skin", {shader_frame_block, shader_skin_vertex}, {shader_skin_fragment}},
    [SHADER_GROUND_DEPTH] = {"ground depth",
                             {shader_frame_block, shader_ground_depth_vertex},
                             {shader_ground_depth_fragment}},
    [SHADER_OCCLUSION] = {"occlusion",
                          {shader_frame_block, shader_occlusion_vertex},
                          {shader_occlusion_fragment}},
    [SHADER_SMOOTH] = {"smooth", {shader_frame_block, shader_smooth_vertex}, {shader_smooth_fragment}},
    [SHADER_SOLID] = {"solid",
                      {shader_frame_block, shader_studio, shader_give, shader_screen_vertex},
                      {shader_take, shader_tone, shader_studio, shader_backdrop, shader_shadow_spot,
                       shader_lit_part, shader_solid_fragment}},
    [SHADER_GROUND] = {"ground",
                       {shader_frame_block, shader_studio, shader_give, shader_ground_vertex},
                       {shader_take, shader_tone, shader_studio, shader_backdrop, shader_shadow_spot,
                        shader_lit_part, shader_open_part, shader_ground_fragment}},
    [SHADER_OPEN_GROUND] = {"open ground",
                            {shader_frame_block, shader_studio, shader_give, shader_ground_vertex},
                            {shader_take, shader_tone, shader_studio, shader_backdrop, shader_nothing_near,
                             shader_ground_fragment}},
    [SHADER_FAR_SIDE] = {"far side",
                         {shader_frame_block, shader_studio, shader_give, shader_far_side_vertex},
                         {shader_take, shader_tone, shader_studio, shader_backdrop, shader_shadow_spot,
                          shader_far_side_fragment}},
    [SHADER_CLEAR] = {"clear",
                      {shader_frame_block, shader_studio, shader_give, shader_screen_vertex},
                      {shader_take, shader_tone, shader_studio, shader_backdrop, shader_shadow_spot,
                       shader_lit_part, shader_clear_fragment}},
    [SHADER_BACKDROP] = {"backdrop",
                         {shader_frame_block, shader_studio, shader_give, shader_screen_vertex},
                         {shader_take, shader_tone, shader_backdrop, shader_backdrop_fragment}},
    [SHADER_LINE] = {"line", {shader_frame_block, shader_line_vertex}, {shader_line_fragment}},
    [SHADER_FLAT] = {"flat", {shader_frame_block, shader_flat_vertex}, {shader_flat_fragment}},
};

static unsigned compile(const char *name, GLenum stage, const char *const *pieces, int capacity)
{
    const char *sources[9] = {"#version 330 core\n"};
    int count = 1;
    for (int i = 0; i < capacity && pieces[i] != NULL; ++i) {
        sources[count++] = pieces[i];
    }
    unsigned shader = glCreateShader(stage);
    glShaderSource(shader, count, sources, NULL);
    glCompileShader(shader);
    GLint compiled = GL_FALSE;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
    if (!compiled) {
        char log[2048] = "";
        glGetShaderInfoLog(shader, sizeof log, NULL, log);
        sn_scene_fail(SN_ERROR_KIND, "the %s stage of the program \"%s\" does not compile: %s",
                      stage == GL_VERTEX_SHADER ? "vertex" : "fragment", name, log);
        glDeleteShader(shader);
        return 0;
    }
    return shader;
}

static bool link_program(const char *name, unsigned program)
{
    GLint linked = GL_FALSE;
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &linked);
    if (!linked) {
        char log[2048] = "";
        glGetProgramInfoLog(program, sizeof log, NULL, log);
        sn_scene_fail(SN_ERROR_KIND, "the program \"%s\" does not link: %s", name, log);
    }
    return linked;
}

// Textures and the block of shared numbers are found under the same names in every program.
static void connect(unsigned program)
{
    static const struct {
        const char *name;
        int slot;
    } textures[] = {{"shadow_map", TEXTURE_SHADOW}, {"shadow_depths", TEXTURE_SHADOW_DEPTH},
                    {"colors", TEXTURE_COLOR},      {"normals", TEXTURE_NORMAL},
                    {"depths", TEXTURE_DEPTH},      {"occlusion", TEXTURE_OCCLUSION},
                    {"glyphs", TEXTURE_GLYPHS}};
    glUseProgram(program);
    for (size_t i = 0; i < sizeof textures / sizeof *textures; ++i) {
        GLint place = glGetUniformLocation(program, textures[i].name);
        if (place >= 0) {
            glUniform1i(place, textures[i].slot);
        }
    }
    GLuint block = glGetUniformBlockIndex(program, "frame");
    if (block != GL_INVALID_INDEX) {
        glUniformBlockBinding(program, block, 0);
    }
}

static unsigned build(const shader_recipe *recipe)
{
    unsigned vertex = compile(recipe->name, GL_VERTEX_SHADER, recipe->vertex, 5);
    unsigned fragment = vertex != 0 ? compile(recipe->name, GL_FRAGMENT_SHADER, recipe->fragment, 8) : 0;
    unsigned program = 0;
    if (fragment != 0) {
        program = glCreateProgram();
        glAttachShader(program, vertex);
        glAttachShader(program, fragment);
        if (link_program(recipe->name, program)) {
            connect(program);
        } else {
            glDeleteProgram(program);
            program = 0;
        }
    }
    glDeleteShader(vertex);
    glDeleteShader(fragment);
    return program;
}

bool shaders_create(shader_set *shaders)
{
    memset(shaders, 0, sizeof *shaders);
    for (int i = 0; i < SHADER_COUNT; ++i) {
        shaders->programs[i] = build(&recipes[i]);
        if (shaders->programs[i] == 0) {
            shaders_destroy(shaders);
            return false;
        }
    }
    glGenBuffers(1, &shaders->frame_buffer);
    glBindBuffer(GL_UNIFORM_BUFFER, shaders->frame_buffer);
    glBufferData(GL_UNIFORM_BUFFER, sizeof(shader_frame), NULL, GL_STREAM_DRAW);
    return true;
}

void shaders_destroy(shader_set *shaders)
{
    for (int i = 0; i < SHADER_COUNT; ++i) {
        glDeleteProgram(shaders->programs[i]);
    }
    glDeleteBuffers(1, &shaders->frame_buffer);
    memset(shaders, 0, sizeof *shaders);
}

void shaders_set_frame(const shader_set *shaders, const shader_frame *frame)
{
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, shaders->frame_buffer);
    glBufferData(GL_UNIFORM_BUFFER, sizeof *frame, frame, GL_STREAM_DRAW);
}
