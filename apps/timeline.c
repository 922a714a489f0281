// Frames and steps.
#include "apps/timeline.h"

#include "apps/command.h"

#include <math.h>

double timeline_usual_rate(double step_length)
{
    const double wanted = 30.0;
    double steps = floor(1.0 / (wanted * step_length) + 0.5);
    if (steps < 1.0) {
        return wanted;
    }
    // Step lengths are float32: films count thousandths of frames a second.
    return floor(1000.0 / (steps * step_length) + 0.5) / 1000.0;
}

uint64_t timeline_steps(double seconds, double step_length)
{
    double steps = floor(seconds / step_length + 0.5);
    return steps > 0.0 ? (uint64_t)steps : 0;
}

uint64_t timeline_frame_step(const timeline *timeline, uint64_t frame)
{
    return timeline_steps((double)frame / timeline->frames_per_second, timeline->step_length);
}

uint64_t timeline_frame_count(const timeline *timeline, uint64_t steps)
{
    double frames = (double)steps * timeline->step_length * timeline->frames_per_second;
    uint64_t count = (uint64_t)frames;
    // Rounding may have put the last one on either side.
    while (timeline_frame_step(timeline, count) <= steps) {
        ++count;
    }
    while (count > 1 && timeline_frame_step(timeline, count - 1) > steps) {
        --count;
    }
    return count;
}

void timeline_note(const timeline *timeline, const char *command)
{
    double steps_per_frame = 1.0 / (timeline->frames_per_second * timeline->step_length);
    // Step lengths are float32: 1/60 is off by a few parts in 1e8.
    if (fabs(steps_per_frame - floor(steps_per_frame + 0.5)) > 1e-4 || steps_per_frame < 0.5) {
        command_note(command, "a frame at %g frames/s is %.4g steps of %.4g ms: frames show the nearest step",
                     timeline->frames_per_second, steps_per_frame, 1000.0 * timeline->step_length);
    }
}
