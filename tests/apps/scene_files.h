// Small scenes and meshes for tests of the subcommands.
#ifndef TESTS_APPS_SCENE_FILES_H
#define TESTS_APPS_SCENE_FILES_H

#include "apps/capture.h"

// Ten bricks on a floor.
static const char stack_scene[] =
    "{\"sinew\": 1, \"title\": \"A stack\", \"description\": \"Ten bricks on a floor.\", \"duration\": 0.5,\n"
    " \"world\": {\"sub_steps\": 12},\n"
    " \"bodies\": [\n"
    "  {\"name\": \"floor\", \"type\": \"static\", \"shape\": {\"type\": \"plane\"}},\n"
    "  {\"name\": \"brick\", \"position\": [0, 0.1, 0], \"shape\": {\"type\": \"box\", \"size\": [0.4, 0.2, "
    "0.2]},\n"
    "   \"repeat\": {\"count\": 10, \"offset\": [0, 0.2, 0]}}],\n"
    " \"cameras\": [{\"name\": \"main\", \"eye\": [3, 2, 3], \"target\": [0, 1, 0]}],\n"
    " \"probes\": [{\"name\": \"height\", \"body\": \"brick[3]\", \"value\": \"position.y\"}]}\n";

// A ball on a joint.
static const char pendulum_scene[] = "{\"sinew\": 1, \"title\": \"Pendulum\", \"duration\": 1,\n"
                                     " \"bodies\": [{\"name\": \"bob\", \"position\": [1, 0, 0], \"shape\": "
                                     "{\"type\": \"sphere\", \"radius\": 0.1}}],\n"
                                     " \"joints\": [{\"type\": \"ball\", \"name\": \"pivot\", \"a\": "
                                     "\"ground\", \"b\": \"bob\", \"at\": [0, 0, 0]}]}\n";

// Two mistakes: a negative radius in line 4, column 57, and a misspelt key in line 5, column 6.
static const char bad_scene[] = "{\n"
                                "  \"sinew\": 1,\n"
                                "  \"bodies\": [\n"
                                "    {\"name\": \"a\", \"shape\": {\"type\": \"sphere\", \"radius\": -1}},\n"
                                "    {\"nmae\": \"b\"}\n"
                                "  ]\n"
                                "}\n";

// A unit cube.
static const char cube_obj[] = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
                               "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 3 4 8 7\nf 2 3 7 6\nf 4 1 5 8\n";

// A folder with these scenes, as the state of a group of tests.
static inline int make_scene_folder(void **state)
{
    char *folder = capture_folder();
    capture_file(folder, "stack.json", stack_scene);
    capture_file(folder, "pendulum.json", pendulum_scene);
    capture_file(folder, "bad.json", bad_scene);
    *state = folder;
    return 0;
}

static inline int remove_scene_folder(void **state)
{
    capture_remove(*state);
    return 0;
}

#endif
