// Replays what the fuzzer makes up. Whatever the bytes, nothing may crash, leak or hang. The first byte
// chooses: even, the rest is a recording; odd, the rest are steps behind a sound first state, for no fuzzer
// guesses the checksum of a snapshot.
//
// Built and run by tools/fuzz.sh.
#include "scene/patch.h"
#include "sinew_scene/recording.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_STEPS = 4, END_BYTES = 9 };

typedef struct sound_bytes {
    char *bytes;
    size_t size;
} sound_bytes;

// A recording without a step, and without its end.
static sound_bytes make_sound(void)
{
    static const char text[] =
        "{\"sinew\": 1, \"bodies\": [{\"name\": \"b\", \"shape\": {\"type\": \"sphere\", \"radius\": 1}}]}";
    char path[64];
    sn_scene *scene = NULL;
    sn_recording *recording = NULL;
    sound_bytes sound = {NULL, 0};
    snprintf(path, sizeof path, "/tmp/sinew-fuzz-recording-%ld", (long)getpid());
    if (sn_scene_parse(text, sizeof text - 1, "s.json", NULL, &scene) != SN_OK ||
        sn_recording_begin(scene, path, &recording) != SN_OK || sn_recording_end(recording) != SN_OK) {
        abort();
    }
    FILE *file = fopen(path, "rb");
    fseek(file, 0, SEEK_END);
    sound.size = (size_t)ftell(file) - END_BYTES;
    sound.bytes = malloc(sound.size);
    rewind(file);
    if (fread(sound.bytes, 1, sound.size, file) != sound.size) {
        abort();
    }
    fclose(file);
    unlink(path);
    sn_scene_destroy(scene);
    return sound;
}

static void replay(const char *bytes, size_t size)
{
    sn_scene *scene = NULL;
    if (sn_scene_parse(bytes, size, "x.recording", NULL, &scene) != SN_OK) {
        return;
    }
    for (int i = 0; i < MOST_STEPS; ++i) {
        (void)sn_scene_step(scene, 0.01f);
    }
    sn_scene_destroy(scene);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static sound_bytes sound;
    if (sound.bytes == NULL) {
        sound = make_sound();
    }
    if (size == 0) {
        return 0;
    }
    size_t before = (data[0] & 1) != 0 ? sound.size : 0;
    char *bytes = malloc(before + size);
    memcpy(bytes, sound.bytes, before);
    memcpy(bytes + before, data + 1, size - 1);
    replay(bytes, before + size - 1);
    free(bytes);
    size_t made = 0;
    free(sn_patch_apply(data, size, (const uint8_t *)sound.bytes, sound.size, &made));
    return 0;
}
