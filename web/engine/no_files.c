// A page has no files.
#include "scene/sources.h"

// A scene around a world of one's own came from no file.
void sn_sources_release(sn_sources *sources)
{
    (void)sources;
}
