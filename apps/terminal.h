// What the other end of a stream can show, colours, and a progress bar. Nothing of it is seen when the
// stream goes to a file or a pipe.
#ifndef SINEW_APPS_TERMINAL_H
#define SINEW_APPS_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

typedef struct terminal {
    FILE *stream;
    bool interactive; // a person looks at it
    bool colors;      // interactive, and neither NO_COLOR nor TERM=dumb forbids them
    bool true_colors; // 24 bits of them, as COLORTERM says
    bool unicode;     // the locale's encoding is UTF-8
    int width;        // columns; 80 where nobody knows
} terminal;

terminal terminal_of(FILE *stream);

typedef enum terminal_style {
    STYLE_PLAIN,
    STYLE_BOLD,
    STYLE_DIM,
    STYLE_RED,
    STYLE_GREEN,
    STYLE_YELLOW,
    STYLE_CYAN
} terminal_style;

// What to write to switch to a style; empty where there are no colours. STYLE_PLAIN ends all others.
const char *terminal_code(const terminal *terminal, terminal_style style);

// Seconds on a clock that never goes back.
double clock_seconds(void);

// A bar with a text behind it on one line of a terminal, redrawn at most ten times a second.
typedef struct progress {
    terminal terminal;
    bool visible; // the stream is a terminal whose cursor can go back
    bool drawn;
    double last_drawn; // [s], by clock_seconds
} progress;

progress progress_begin(FILE *stream);
// Whether it is time to draw again; never if nobody looks, and then without asking the clock.
bool progress_is_due(const progress *progress);
// `fraction` is clamped to 0…1. The text is cut to the line, for which it must be ASCII.
void progress_draw(progress *progress, double fraction, const char *text);
// Wipes the line, so that what follows begins on a clean one.
void progress_end(progress *progress);

#endif
