// What `sinew info` tells of scenes and meshes, for people and for programs.
#ifndef SINEW_APPS_INFO_H
#define SINEW_APPS_INFO_H

#include "apps/mesh_measure.h"
#include "apps/survey.h"
#include "apps/terminal.h"

#include <jansson.h>

// info_print.c
void info_scene_print(const terminal *terminal, const char *path, const sn_scene *scene,
                      const survey *survey);
void info_mesh_print(const terminal *terminal, const char *path, const sn_mesh_data *mesh,
                     const mesh_measure *measure);

// info_json.c; null without memory.
json_t *info_scene_json(const char *path, const sn_scene *scene, const survey *survey);
json_t *info_mesh_json(const char *path, const sn_mesh_data *mesh, const mesh_measure *measure);
// The settings of the world that are not the default, under their names in scene files.
json_t *info_settings_json(const sn_scene *scene);

#endif
