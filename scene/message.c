// The last message, one buffer a thread: long enough for a list of mistakes, cut off at its end.
#include "scene/message.h"

#include "sinew_scene/scene.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define MESSAGE_CAPACITY 16384

static _Thread_local char message[MESSAGE_CAPACITY];

const char *sn_scene_error(void)
{
    return message;
}

sn_status sn_scene_fail(sn_status status, const char *format, ...)
{
    // The arguments may point into the old message, so it is replaced only when the new one is complete.
    char text[MESSAGE_CAPACITY];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    memcpy(message, text, strlen(text) + 1);
    return status;
}
