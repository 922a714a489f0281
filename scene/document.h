// A JSON file in memory: its text, for telling where things are, and its values.
#ifndef SN_SCENE_DOCUMENT_H
#define SN_SCENE_DOCUMENT_H

#include "scene/sources.h"

#include <jansson.h>

typedef struct sn_document {
    char *path; // as given, for messages
    char *text;
    size_t size;
    json_t *root;
    sn_sources *sources; // where the files it names may lie; null: anywhere
} sn_document;

// Parses a copy of the text. SN_ERROR_FORMAT with file, line and column if it is not JSON.
sn_status sn_document_parse(const char *text, size_t size, const char *path, sn_document *document);
void sn_document_release(sn_document *document);

// `name` as seen from the folder of `path`: itself if it is absolute. To be freed; null without memory.
char *sn_path_beside(const char *path, const char *name);

#endif
