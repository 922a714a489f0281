// Escape sequences are those of ECMA-48, which every terminal of today understands.
#include "apps/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum { DEFAULT_WIDTH = 80, NARROWEST = 20, WIDEST = 1000, NARROWEST_BAR = 10, WIDEST_BAR = 30 };

static const double redraw_interval = 0.1; // [s]

static const char *environment(const char *name)
{
    const char *value = getenv(name);
    return value != NULL ? value : "";
}

static bool encoding_is_unicode(void)
{
    const char *names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (int i = 0; i < 3; ++i) {
        const char *locale = environment(names[i]);
        if (locale[0] != '\0') {
            return strstr(locale, "UTF-8") != NULL || strstr(locale, "utf8") != NULL ||
                   strstr(locale, "utf-8") != NULL || strstr(locale, "UTF8") != NULL;
        }
    }
    return false;
}

static int width_of(int descriptor)
{
    struct winsize size;
    int width = atoi(environment("COLUMNS"));
    if (width <= 0 && ioctl(descriptor, TIOCGWINSZ, &size) == 0) {
        width = size.ws_col;
    }
    if (width <= 0) {
        return DEFAULT_WIDTH;
    }
    return width < NARROWEST ? NARROWEST : width > WIDEST ? WIDEST : width;
}

terminal terminal_of(FILE *stream)
{
    terminal terminal = {.stream = stream};
    const char *depth = environment("COLORTERM");
    terminal.interactive = isatty(fileno(stream)) == 1;
    terminal.colors = terminal.interactive && environment("NO_COLOR")[0] == '\0' &&
                      strcmp(environment("TERM"), "dumb") != 0;
    terminal.true_colors =
        terminal.colors && (strcmp(depth, "truecolor") == 0 || strcmp(depth, "24bit") == 0);
    terminal.unicode = encoding_is_unicode();
    terminal.width = width_of(fileno(stream));
    return terminal;
}

const char *terminal_code(const terminal *terminal, terminal_style style)
{
    static const char *const codes[] = {
        [STYLE_PLAIN] = "\033[0m", [STYLE_BOLD] = "\033[1m",   [STYLE_DIM] = "\033[2m",
        [STYLE_RED] = "\033[31m",  [STYLE_GREEN] = "\033[32m", [STYLE_YELLOW] = "\033[33m",
        [STYLE_CYAN] = "\033[36m"};
    return terminal->colors ? codes[style] : "";
}

double clock_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// --- progress ----------------------------------------------------------------------------------------------

progress progress_begin(FILE *stream)
{
    progress progress = {.terminal = terminal_of(stream), .last_drawn = clock_seconds()};
    progress.visible = progress.terminal.interactive && strcmp(environment("TERM"), "dumb") != 0;
    return progress;
}

bool progress_is_due(const progress *progress)
{
    return progress->visible && clock_seconds() - progress->last_drawn >= redraw_interval;
}

static void draw_bar(const terminal *terminal, int width, double fraction)
{
    int full = (int)(fraction * width + 0.5);
    fputs(terminal_code(terminal, STYLE_CYAN), terminal->stream);
    for (int i = 0; i < width; ++i) {
        if (i == full) {
            fputs(terminal_code(terminal, STYLE_PLAIN), terminal->stream);
            fputs(terminal_code(terminal, STYLE_DIM), terminal->stream);
        }
        fputs(terminal->unicode ? (i < full ? "━" : "─") : (i < full ? "#" : "."), terminal->stream);
    }
    fputs(terminal_code(terminal, STYLE_PLAIN), terminal->stream);
}

void progress_draw(progress *progress, double fraction, const char *text)
{
    if (!progress->visible) {
        return;
    }
    const terminal *terminal = &progress->terminal;
    fraction = fraction > 0.0 ? (fraction < 1.0 ? fraction : 1.0) : 0.0;
    int room = terminal->width - 1;         // a full last column would wrap on some terminals
    int bar = room - (int)strlen(text) - 1; // what the text leaves, within reason
    bar = bar < NARROWEST_BAR ? NARROWEST_BAR : bar > WIDEST_BAR ? WIDEST_BAR : bar;
    fputs("\r", terminal->stream);
    draw_bar(terminal, bar, fraction);
    fprintf(terminal->stream, " %.*s\033[K", room - bar - 1, text);
    fflush(terminal->stream);
    progress->last_drawn = clock_seconds();
    progress->drawn = true;
}

void progress_end(progress *progress)
{
    if (progress->drawn) {
        fputs("\r\033[K", progress->terminal.stream);
        fflush(progress->terminal.stream);
        progress->drawn = false;
    }
}
