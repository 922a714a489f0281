// `sinew schema`: the format of scene files, for editors and for people.
#include "apps/command.h"
#include "sinew_scene/scene.h"

#include <stdlib.h>

typedef struct schema_options {
    bool markdown;
} schema_options;

static const option table[] = {{"markdown", 0, OPTION_FLAG, offsetof(schema_options, markdown), NULL,
                                "the reference page instead: every field, unit and default", 0, 0, NULL},
                               {0}};

static int execute(int count, char **arguments)
{
    schema_options options = {0};
    if (options_read(&command_schema.line, count, arguments, &options) < 0) {
        return EXIT_USAGE;
    }
    char *text = options.markdown ? sn_scene_reference() : sn_scene_schema();
    if (text == NULL) {
        return command_fail("schema", EXIT_FAILED, "no memory");
    }
    fputs(text, stdout);
    free(text);
    return EXIT_FINE;
}

const command command_schema = {
    .name = "schema",
    .summary = "print the format of scene files",
    .help =
        "Prints the JSON Schema of scene files, by which editors complete and check them, or a page that\n"
        "explains every field. Both are made from the tables by which scenes are read.\n",
    .run = execute,
    .line = {"", 0, 0, table},
    .examples = "  sinew schema > scene.schema.json\n"
                "  sinew schema --markdown > format.md\n"};
