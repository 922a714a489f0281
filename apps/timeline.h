// Which step a frame shows. Steps are never cut or stretched to fit frames: a frame shows the nearest whole
// step, so that films and exports keep real time and the run is the same whatever is looked at.
#ifndef SINEW_APPS_TIMELINE_H
#define SINEW_APPS_TIMELINE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct timeline {
    double step_length; // [s]
    double frames_per_second;
} timeline;

// The rate nearest to 30 frames a second at which every frame is a whole number of steps, so that nothing
// judders; 30 for steps longer than that.
double timeline_usual_rate(double step_length);
// Whole steps nearest to a duration [s].
uint64_t timeline_steps(double seconds, double step_length);
// Steps before frame `frame`, the first of which is 0 and shows the start.
uint64_t timeline_frame_step(const timeline *timeline, uint64_t frame);
// Frames of a run of so many steps.
uint64_t timeline_frame_count(const timeline *timeline, uint64_t steps);

// Says on stderr, once before a run, if steps do not fit into frames.
void timeline_note(const timeline *timeline, const char *command);

#endif
