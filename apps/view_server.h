// The HTTP server of `sinew view`: the built page, and one scene beside it. Answers this machine only, and
// gives out nothing but files of the page's folder and the scene as the page wants it.
#ifndef SINEW_APPS_VIEW_SERVER_H
#define SINEW_APPS_VIEW_SERVER_H

#include "apps/live_scene.h"

typedef struct view_server view_server;

// Serves on 127.0.0.1 at `port`, 0 for any that is free. `page` is the folder of the built page. Null, with a
// message on stderr, if that cannot be. The scene is used by the server's own thread until it stops.
view_server *view_server_start(const char *page, live_scene *live, int port);
int view_server_port(const view_server *server);
void view_server_stop(view_server *server);

#endif
