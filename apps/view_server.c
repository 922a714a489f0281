// Tested by tests/apps/test_view_server.c.
#include "apps/view_server.h"

#include "apps/command.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <limits.h>
#include <microhttpd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct view_server {
    struct MHD_Daemon *daemon;
    char *page; // the folder, absolute, without links
    live_scene *live;
    int port;
};

typedef enum MHD_Result answer;

// --- answers -----------------------------------------------------------------------------------------------

static answer send_and_release(struct MHD_Connection *connection, unsigned code,
                               struct MHD_Response *response, const char *type)
{
    if (response == NULL) {
        return MHD_NO;
    }
    MHD_add_response_header(response, "Content-Type", type);
    MHD_add_response_header(response, "Cache-Control", "no-cache");
    MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
    MHD_add_response_header(response, "Cross-Origin-Resource-Policy", "same-origin");
    answer sent = MHD_queue_response(connection, code, response);
    MHD_destroy_response(response);
    return sent;
}

static answer send_bytes(struct MHD_Connection *connection, unsigned code, const void *bytes, size_t size,
                         const char *type)
{
    struct MHD_Response *response =
        MHD_create_response_from_buffer(size, (void *)bytes, MHD_RESPMEM_MUST_COPY);
    return send_and_release(connection, code, response, type);
}

static answer send_text(struct MHD_Connection *connection, unsigned code, const char *text)
{
    return send_bytes(connection, code, text, strlen(text), "text/plain; charset=utf-8");
}

static answer send_status(struct MHD_Connection *connection, const live_scene *live)
{
    const char *slash = strrchr(live->path, '/');
    json_t *status =
        json_pack("{s:i, s:s, s:s}", "version", live->version, "name", slash != NULL ? slash + 1 : live->path,
                  "error", live->error != NULL ? live->error : "");
    char *text = status != NULL ? json_dumps(status, JSON_COMPACT) : NULL;
    answer sent = text != NULL ? send_bytes(connection, MHD_HTTP_OK, text, strlen(text), "application/json")
                               : send_text(connection, MHD_HTTP_INTERNAL_SERVER_ERROR, "no memory\n");
    free(text);
    json_decref(status);
    return sent;
}

// --- files of the page -------------------------------------------------------------------------------------

static const char *type_of(const char *path)
{
    static const char *const types[][2] = {{".html", "text/html; charset=utf-8"},
                                           {".js", "text/javascript; charset=utf-8"},
                                           {".css", "text/css; charset=utf-8"},
                                           {".json", "application/json"},
                                           {".wasm", "application/wasm"},
                                           {".svg", "image/svg+xml"},
                                           {".png", "image/png"}};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot != NULL && i < sizeof types / sizeof types[0]; ++i) {
        if (strcmp(dot, types[i][0]) == 0) {
            return types[i][1];
        }
    }
    return "application/octet-stream";
}

// Opens a regular file inside the page's folder, links followed first; −1 for anything else.
static int open_inside(const view_server *server, const char *address, struct stat *about)
{
    char wanted[PATH_MAX], found[PATH_MAX];
    size_t folder = strlen(server->page);
    const char *name = strcmp(address, "/") == 0 ? "/index.html" : address;
    int length = snprintf(wanted, sizeof wanted, "%s%s", server->page, name);
    if (name[0] != '/' || length >= (int)sizeof wanted || realpath(wanted, found) == NULL ||
        strncmp(found, server->page, folder) != 0 || found[folder] != '/') {
        return -1;
    }
    int file = open(found, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (file >= 0 && (fstat(file, about) != 0 || !S_ISREG(about->st_mode))) {
        close(file);
        file = -1;
    }
    return file;
}

static answer send_file(const view_server *server, struct MHD_Connection *connection, const char *address)
{
    struct stat about;
    int file = open_inside(server, address, &about);
    if (file < 0) {
        return send_text(connection, MHD_HTTP_NOT_FOUND, "there is no such file\n");
    }
    struct MHD_Response *response = MHD_create_response_from_fd((uint64_t)about.st_size, file);
    if (response == NULL) {
        close(file);
    }
    return send_and_release(connection, MHD_HTTP_OK, response,
                            type_of(strcmp(address, "/") == 0 ? ".html" : address));
}

// --- requests ----------------------------------------------------------------------------------------------

// A page elsewhere can make a browser ask this server under a name of its own; only ours are answered.
static bool is_asked_by_name(const view_server *server, struct MHD_Connection *connection)
{
    const char *host = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Host");
    char names[2][32];
    snprintf(names[0], sizeof names[0], "127.0.0.1:%d", server->port);
    snprintf(names[1], sizeof names[1], "localhost:%d", server->port);
    return host != NULL && (strcmp(host, names[0]) == 0 || strcmp(host, names[1]) == 0);
}

static answer handle(void *user, struct MHD_Connection *connection, const char *address, const char *method,
                     const char *version, const char *upload, size_t *upload_size, void **context)
{
    (void)version, (void)upload, (void)upload_size, (void)context;
    view_server *server = user;
    if (strcmp(method, "GET") != 0 && strcmp(method, "HEAD") != 0) {
        return send_text(connection, MHD_HTTP_METHOD_NOT_ALLOWED, "only GET and HEAD\n");
    }
    if (!is_asked_by_name(server, connection)) {
        return send_text(connection, MHD_HTTP_FORBIDDEN, "only as 127.0.0.1 or localhost\n");
    }
    if (strcmp(address, "/view.json") == 0) {
        live_scene_refresh(server->live);
        return send_status(connection, server->live);
    }
    if (strcmp(address, "/view.state") == 0) {
        const live_scene *live = server->live;
        return live->state != NULL ? send_bytes(connection, MHD_HTTP_OK, live->state, live->state_size,
                                                "application/octet-stream")
                                   : send_text(connection, MHD_HTTP_NOT_FOUND, "the scene has mistakes\n");
    }
    return send_file(server, connection, address);
}

// --- start and stop ----------------------------------------------------------------------------------------

static bool listen_at(view_server *server, int port)
{
    struct sockaddr_in place = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    server->daemon =
        MHD_start_daemon(MHD_USE_INTERNAL_POLLING_THREAD, 0, NULL, NULL, handle, server, MHD_OPTION_SOCK_ADDR,
                         (struct sockaddr *)&place, MHD_OPTION_CONNECTION_LIMIT, 64u, MHD_OPTION_END);
    const union MHD_DaemonInfo *info =
        server->daemon != NULL ? MHD_get_daemon_info(server->daemon, MHD_DAEMON_INFO_BIND_PORT) : NULL;
    server->port = info != NULL ? info->port : 0;
    return server->daemon != NULL;
}

view_server *view_server_start(const char *page, live_scene *live, int port)
{
    view_server *server = calloc(1, sizeof *server);
    if (server == NULL) {
        command_fail("view", EXIT_FAILED, "no memory");
        return NULL;
    }
    server->live = live;
    server->page = realpath(page, NULL);
    if (server->page == NULL) {
        command_fail("view", EXIT_FAILED, "%s: %s; `make page` builds the page", page, strerror(errno));
    } else if (!listen_at(server, port)) {
        command_fail("view", EXIT_FAILED, "port %d of 127.0.0.1: %s; try another with --port", port,
                     strerror(errno));
    } else {
        return server;
    }
    free(server->page);
    free(server);
    return NULL;
}

int view_server_port(const view_server *server)
{
    return server->port;
}

void view_server_stop(view_server *server)
{
    MHD_stop_daemon(server->daemon);
    free(server->page);
    free(server);
}
