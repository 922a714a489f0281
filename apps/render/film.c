// Films: an mp4, gif or webp that ffmpeg makes of the raw pictures it is sent, or a folder of numbered PNG
// files. ffmpeg is started without a shell. It gets pictures through a socket rather than a pipe, as writing
// to a socket whose reader is gone can be told to fail instead of ending the process; what it has to say goes
// to a nameless file.
#include "apps/render/film.h"

#include "scene/message.h"
#include "scene/replacement.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define LARGEST_SIDE 16384
#define LARGEST_RATE 1000.0

extern char **environ;

struct film {
    char *path;
    int width, height;
    bool is_folder;
    int picture_count;
    // Of ffmpeg:
    sn_replacement replacement;
    pid_t process;  // 0 once it has ended
    int socket;     // −1 once closed
    FILE *messages; // what it says
    uint8_t *row;   // one row, of even length
};

static void release(film *film)
{
    if (film->socket >= 0) {
        close(film->socket);
    }
    if (film->messages != NULL) {
        fclose(film->messages);
    }
    sn_replacement_drop(&film->replacement);
    free(film->row);
    free(film->path);
    free(film);
}

// --- folders -----------------------------------------------------------------------------------------------

// Makes a folder with all those above it.
static bool make_folder(const char *path)
{
    char *part = malloc(strlen(path) + 1);
    bool made = part != NULL;
    for (size_t i = 1; made && i <= strlen(path); ++i) {
        if (path[i] == '/' || path[i] == '\0') {
            memcpy(part, path, i);
            part[i] = '\0';
            made = mkdir(part, 0777) == 0 || errno == EEXIST;
        }
    }
    int reason = errno;
    struct stat found;
    if (part == NULL) {
        sn_scene_fail(SN_ERROR_MEMORY, "%s: no memory to make the folder", path);
    } else if (!made) {
        sn_scene_fail(SN_ERROR_FILE, "%s: the folder cannot be made: %s", path, strerror(reason));
    } else if (stat(path, &found) != 0 || !S_ISDIR(found.st_mode)) {
        sn_scene_fail(SN_ERROR_FILE, "%s: is a file, expected a folder for pictures", path);
        made = false;
    }
    free(part);
    return made;
}

static bool add_to_folder(film *film, const uint8_t *pixels)
{
    size_t size = strlen(film->path) + 32;
    char *path = malloc(size);
    if (path == NULL) {
        sn_scene_fail(SN_ERROR_MEMORY, "%s: no memory for the name of a picture", film->path);
        return false;
    }
    bool ends_in_slash = film->path[strlen(film->path) - 1] == '/';
    snprintf(path, size, "%s%s%05d.png", film->path, ends_in_slash ? "" : "/", film->picture_count);
    bool written = picture_write_png(path, film->width, film->height, pixels);
    free(path);
    return written;
}

// --- ffmpeg ------------------------------------------------------------------------------------------------

// The end of what ffmpeg said, on one line.
static void last_words(film *film, char *text, size_t capacity)
{
    long size = fseek(film->messages, 0, SEEK_END) == 0 ? ftell(film->messages) : 0;
    long start = size > (long)capacity - 1 ? size - (long)capacity + 1 : 0;
    size_t count = 0;
    if (fseek(film->messages, start, SEEK_SET) == 0) {
        count = fread(text, 1, capacity - 1, film->messages);
    }
    while (count > 0 && (text[count - 1] == '\n' || text[count - 1] == ' ')) {
        --count;
    }
    text[count] = '\0';
    for (size_t i = 0; i < count; ++i) {
        text[i] = text[i] == '\n' || text[i] == '\r' ? ' ' : text[i];
    }
}

// Waits for ffmpeg to end. False if it failed: the message has its last words.
static bool finish_process(film *film)
{
    close(film->socket);
    film->socket = -1;
    int status = 0;
    pid_t waited = 0;
    do {
        waited = waitpid(film->process, &status, 0);
    } while (waited < 0 && errno == EINTR);
    film->process = 0;
    if (waited > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0) {
        return true;
    }
    char words[1024];
    last_words(film, words, sizeof words);
    sn_scene_fail(SN_ERROR_FILE, "%s: ffmpeg could not write the film: %s", film->path,
                  words[0] != '\0' ? words : "it ended without a word");
    return false;
}

static bool ends_in(const char *text, const char *end)
{
    size_t length = strlen(text), end_length = strlen(end);
    return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

// How ffmpeg packs a film, by the ending of its name.
typedef struct film_format {
    const char *ending;
    char *arguments[20]; // null after the last
} film_format;

static const film_format formats[] = {
    // Colours as players expect them of a film of this kind.
    {".mp4",
     {"-vf", "scale=out_color_matrix=bt709:out_range=tv,format=yuv420p", "-colorspace", "bt709",
      "-color_primaries", "bt709", "-color_trc", "bt709", "-c:v", "libx264", "-preset", "medium", "-crf",
      "18", "-movflags", "+faststart", "-f", "mp4"}},
    // A palette of the film's own.
    {".gif",
     {"-vf", "split[a][b];[a]palettegen[p];[b][p]paletteuse=dither=sierra2_4a", "-loop", "0", "-f", "gif"}},
    {".webp", {"-c:v", "libwebp_anim", "-quality", "85", "-loop", "0", "-f", "webp"}}};

static const film_format *format_of(const char *path)
{
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; ++i) {
        if (ends_in(path, formats[i].ending)) {
            return &formats[i];
        }
    }
    return NULL;
}

// Starts ffmpeg with `input` as its standard input; the error number if that fails.
static int spawn(film *film, int input, double frames_per_second)
{
    char size[32], rate[32], output[4096 + 96];
    snprintf(size, sizeof size, "%dx%d", film->width + film->width % 2, film->height + film->height % 2);
    snprintf(rate, sizeof rate, "%ld/1000", lround(1000.0 * frames_per_second));
    snprintf(output, sizeof output, "file:%s", film->replacement.beside);
    char *arguments[40] = {
        "ffmpeg", "-hide_banner", "-loglevel", "error",      "-y", "-f", "rawvideo", "-pixel_format",
        "rgb24",  "-video_size",  size,        "-framerate", rate, "-i", "pipe:0",   "-an"};
    int count = 16;
    for (char *const *own = format_of(film->path)->arguments; *own != NULL; ++own) {
        arguments[count++] = *own;
    }
    arguments[count] = output;
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);
    if (error != 0) {
        return error;
    }
    error = posix_spawn_file_actions_adddup2(&actions, input, 0);
    error = error != 0 ? error : posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    error = error != 0 ? error : posix_spawn_file_actions_adddup2(&actions, fileno(film->messages), 2);
    error = error != 0 ? error : posix_spawnp(&film->process, "ffmpeg", &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

static bool start_process(film *film, double frames_per_second)
{
    int ends[2], file = -1;
    int unwritable = sn_replacement_begin(&film->replacement, film->path, &file);
    if (unwritable != 0) {
        sn_scene_fail(SN_ERROR_FILE, "%s: cannot be written: %s", film->path, strerror(unwritable));
        return false;
    }
    close(file);
    film->messages = tmpfile();
    film->row = malloc(3 * ((size_t)film->width + 1));
    if (film->messages == NULL || film->row == NULL || socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) {
        sn_scene_fail(SN_ERROR_FILE, "%s: ffmpeg cannot be started: %s", film->path, strerror(errno));
        return false;
    }
    film->socket = ends[0];
    // Were ffmpeg to inherit our end, it would wait for ever for the last picture.
    int error =
        fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0 && fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0 ? 0 : errno;
    error = error != 0 ? error : spawn(film, ends[1], frames_per_second);
    close(ends[1]);
    if (error != 0) {
        film->process = 0;
        sn_scene_fail(SN_ERROR_FILE, "%s: ffmpeg, which films need, cannot be started: %s", film->path,
                      strerror(error));
    }
    return error == 0;
}

static bool send_bytes(film *film, const uint8_t *bytes, size_t size)
{
    while (size > 0) {
        ssize_t sent = send(film->socket, bytes, size, MSG_NOSIGNAL);
        if (sent < 0 && errno != EINTR) {
            return false;
        }
        bytes += sent > 0 ? sent : 0;
        size -= sent > 0 ? (size_t)sent : 0;
    }
    return true;
}

// Sizes must be even, so the last column and the last row may be sent twice.
static bool send_picture(film *film, const uint8_t *pixels)
{
    size_t width = (size_t)film->width, height = (size_t)film->height;
    size_t padded = 3 * (width + width % 2);
    for (size_t y = 0; y < height + height % 2; ++y) {
        size_t from = y < height ? y : height - 1;
        memcpy(film->row, pixels + 3 * width * from, 3 * width);
        memcpy(film->row + padded - 3, pixels + 3 * width * from + 3 * (width - 1), 3);
        if (!send_bytes(film, film->row, padded)) {
            return false;
        }
    }
    return true;
}

// --- films -------------------------------------------------------------------------------------------------

static bool is_existing_folder(const char *path)
{
    struct stat found;
    return stat(path, &found) == 0 && S_ISDIR(found.st_mode);
}

static bool check_film(const char *path, int width, int height, double frames_per_second)
{
    if (path == NULL || path[0] == '\0') {
        sn_scene_fail(SN_ERROR_NULL, "film_open: no path given");
        return false;
    }
    if (width < 1 || height < 1 || width > LARGEST_SIDE || height > LARGEST_SIDE) {
        sn_scene_fail(SN_ERROR_RANGE, "%s: the film is %d × %d pixels, expected 1…%d each", path, width,
                      height, LARGEST_SIDE);
        return false;
    }
    if (!(frames_per_second >= 0.001 && frames_per_second <= LARGEST_RATE)) {
        sn_scene_fail(SN_ERROR_RANGE, "%s: frames per second is %g, expected 0.001…%g", path,
                      frames_per_second, LARGEST_RATE);
        return false;
    }
    bool folder = ends_in(path, "/") || is_existing_folder(path);
    if (!folder && format_of(path) == NULL) {
        sn_scene_fail(SN_ERROR_NAME,
                      "%s: expected a name ending in .mp4, .gif or .webp, or a folder (ending in /)", path);
        return false;
    }
    if (!folder && strlen(path) > 4000) {
        sn_scene_fail(SN_ERROR_NAME, "the name of the film is %zu bytes long, expected at most 4000",
                      strlen(path));
        return false;
    }
    return true;
}

film *film_open(const char *path, int width, int height, double frames_per_second)
{
    if (!check_film(path, width, height, frames_per_second)) {
        return NULL;
    }
    film *opened = calloc(1, sizeof *opened);
    char *copy = malloc(strlen(path) + 1);
    if (opened == NULL || copy == NULL) {
        free(opened);
        free(copy);
        sn_scene_fail(SN_ERROR_MEMORY, "%s: no memory for a film", path);
        return NULL;
    }
    memcpy(copy, path, strlen(path) + 1);
    *opened = (film){.path = copy, .width = width, .height = height, .socket = -1};
    opened->is_folder = ends_in(path, "/") || is_existing_folder(path);
    bool started = opened->is_folder ? make_folder(path) : start_process(opened, frames_per_second);
    if (!started) {
        release(opened);
        return NULL;
    }
    return opened;
}

bool film_add(film *film, const uint8_t *pixels)
{
    if (film == NULL || pixels == NULL) {
        sn_scene_fail(SN_ERROR_NULL, "film_add: film or pixels is null");
        return false;
    }
    bool added = false;
    if (film->is_folder) {
        added = add_to_folder(film, pixels);
    } else if (film->process == 0) {
        sn_scene_fail(SN_ERROR_FILE, "%s: ffmpeg ended before the film did", film->path);
    } else {
        added = send_picture(film, pixels);
        if (!added && finish_process(film)) {
            sn_scene_fail(SN_ERROR_FILE, "%s: ffmpeg ended before the film did", film->path);
        }
    }
    film->picture_count += added;
    return added;
}

bool film_close(film *film)
{
    if (film == NULL) {
        sn_scene_fail(SN_ERROR_NULL, "film_close: film is null");
        return false;
    }
    bool complete = film->is_folder;
    if (!film->is_folder && film->process != 0) {
        complete = finish_process(film);
        if (complete && film->picture_count == 0) {
            sn_scene_fail(SN_ERROR_FILE, "%s: the film has no pictures", film->path);
            complete = false;
        }
        int error = complete ? sn_replacement_keep(&film->replacement) : 0;
        if (error != 0) {
            sn_scene_fail(SN_ERROR_FILE, "%s: cannot be written: %s", film->path, strerror(error));
            complete = false;
        }
    }
    release(film);
    return complete;
}

void film_drop(film *film)
{
    if (film->process != 0) {
        finish_process(film);
    }
    release(film);
}
