// `sinew view`: what its server gives out and what it does not, and scenes that change while it runs.
#include "apps/capture.h"
#include "apps/view_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#include <cmocka.h>

static const char good_scene[] = "{\"sinew\": 1, \"title\": \"A ball\", \"bodies\": "
                                 "[{\"shape\": {\"type\": \"sphere\", \"radius\": 0.5}}]}\n";
static const char bad_scene[] =
    "{\"sinew\": 1, \"bodies\": [{\"shape\": {\"type\": \"sphere\", \"radius\": -1}}]}\n";

// A page of one file beside a secret, and a server.
typedef struct view_fixture {
    char *folder;
    char page[256], scene[256];
    live_scene live;
    view_server *server;
} view_fixture;

static int set_up(void **state)
{
    view_fixture *all = calloc(1, sizeof *all);
    all->folder = capture_folder();
    snprintf(all->page, sizeof all->page, "%s/page", all->folder);
    snprintf(all->scene, sizeof all->scene, "%s/scene.json", all->folder);
    mkdir(all->page, 0700);
    capture_file(all->folder, "secret.txt", "a secret");
    capture_file(all->folder, "page/index.html", "<p>the page</p>");
    capture_file(all->folder, "page/engine.wasm", "wasm");
    char secret[512], link[512];
    snprintf(secret, sizeof secret, "%s/secret.txt", all->folder);
    snprintf(link, sizeof link, "%s/link.txt", all->page);
    assert_int_equal(symlink(secret, link), 0);
    capture_file(all->folder, "scene.json", good_scene);
    all->live.path = all->scene;
    live_scene_refresh(&all->live);
    all->server = view_server_start(all->page, &all->live, 0);
    *state = all;
    return all->server != NULL ? 0 : -1;
}

static int tear_down(void **state)
{
    view_fixture *all = *state;
    view_server_stop(all->server);
    live_scene_release(&all->live);
    capture_remove(all->folder);
    free(all);
    return 0;
}

// Sends a request as it is, and returns the whole answer, or "" if nobody answers at that address.
static const char *ask(uint32_t address, int port, const char *request)
{
    static char text[65536];
    struct sockaddr_in place = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    place.sin_addr.s_addr = htonl(address);
    int handle = socket(AF_INET, SOCK_STREAM, 0);
    size_t used = 0;
    if (connect(handle, (struct sockaddr *)&place, sizeof place) == 0) {
        ssize_t got = write(handle, request, strlen(request));
        while (got > 0 && used + 1 < sizeof text) {
            got = read(handle, text + used, sizeof text - 1 - used);
            used += got > 0 ? (size_t)got : 0;
        }
    }
    close(handle);
    text[used] = '\0';
    return text;
}

static const char *get(const view_fixture *all, const char *path)
{
    char request[1024];
    int port = view_server_port(all->server);
    snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nConnection: close\r\n\r\n",
             path, port);
    return ask(INADDR_LOOPBACK, port, request);
}

static void test_gives_out_the_page_and_the_compiled_scene(void **state)
{
    const view_fixture *all = *state;
    assert_says(get(all, "/"), "<p>the page</p>");
    assert_says(get(all, "/?view"), "text/html");
    assert_says(get(all, "/engine.wasm"), "application/wasm");
    assert_says(get(all, "/view.json"), "{\"version\":1,\"name\":\"scene.json\",\"error\":\"\"}");
    assert_says(get(all, "/view.state"), "SINEWST1");
}

static void test_gives_out_nothing_outside_the_page(void **state)
{
    const view_fixture *all = *state;
    static const char *const paths[] = {"/../secret.txt",
                                        "/%2e%2e/secret.txt",
                                        "/..%2fsecret.txt",
                                        "/x/../../secret.txt",
                                        "//etc/passwd",
                                        "/link.txt",
                                        "/../scene.json",
                                        "/.",
                                        "/..",
                                        "/index.html/..",
                                        "/missing",
                                        "secret.txt"};
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; ++i) {
        const char *answer = get(all, paths[i]);
        assert_null(strstr(answer, "200 OK"));
        assert_null(strstr(answer, "secret"));
        assert_null(strstr(answer, "root:"));
    }
}

static void test_answers_reading_requests_under_its_own_name_only(void **state)
{
    const view_fixture *all = *state;
    int port = view_server_port(all->server);
    assert_says(ask(INADDR_LOOPBACK, port,
                    "POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"),
                " 405 ");
    assert_says(
        ask(INADDR_LOOPBACK, port, "GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"),
        " 403 ");
    // Bound to 127.0.0.1: another address of this machine gets no answer.
    assert_string_equal(
        ask(0x7f000002u, port, "GET / HTTP/1.1\r\nHost: 127.0.0.2\r\nConnection: close\r\n\r\n"), "");
}

static void test_a_changed_scene_is_loaded_again(void **state)
{
    const view_fixture *all = *state;
    capture_file(all->folder, "scene.json", bad_scene);
    const char *answer = get(all, "/view.json");
    assert_says(answer, "\"version\":2");
    assert_says(answer, "bodies[0].shape.radius: -1");
    // What was right before can still be seen.
    assert_says(get(all, "/view.state"), "SINEWST1");
    capture_file(all->folder, "scene.json", good_scene);
    assert_says(get(all, "/view.json"), "{\"version\":3,\"name\":\"scene.json\",\"error\":\"\"}");
    assert_says(get(all, "/view.json"), "\"version\":3");
}

static void test_bad_lines_are_told(void **state)
{
    (void)state;
    const bad_line lines[] = {
        {"view", EXIT_USAGE, "SCENE"},
        {"view /nowhere/scene.json", EXIT_FAILED, "/nowhere/scene.json|cannot be read"},
        {"view " SOURCE_FOLDER "/scenes/stack.json --page /nowhere", EXIT_FAILED, "/nowhere|make page"},
        {"view " SOURCE_FOLDER "/scenes/stack.json --port 70000", EXIT_USAGE, "port|70000|65535"}};
    assert_int_equal(capture_bad_lines(lines, 4, ""), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_gives_out_the_page_and_the_compiled_scene, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_gives_out_nothing_outside_the_page, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_answers_reading_requests_under_its_own_name_only, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_a_changed_scene_is_loaded_again, set_up, tear_down),
        cmocka_unit_test(test_bad_lines_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
