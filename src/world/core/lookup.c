// From ids to things, and the names of things in messages.
#include "base/allocate.h"
#include "world/core/world.h"

#include <string.h>

// Ids count from one, so that all zeros is no id.
static bool exists(const sn_world *world, const sn_id_pool *pool, uint32_t index, uint16_t generation,
                   uint16_t tag)
{
    return index > 0 && index <= (uint32_t)INT32_MAX && tag == world->tag &&
           sn_id_pool_holds(pool, (int)(index - 1), generation);
}

// −1 with a message for an id that names nothing.
static int find(const sn_world *world, const sn_id_pool *pool, uint32_t index, uint16_t generation,
                uint16_t tag, const char *what)
{
    if (exists(world, pool, index, generation, tag)) {
        return (int)(index - 1);
    }
    (void)sn_fail(world->error, SN_ERROR_ID,
                  "%s id (index %u, generation %u, world %u) is %s, expected one that exists", what,
                  (unsigned)index, (unsigned)generation, (unsigned)tag,
                  index == 0          ? "zero"
                  : tag != world->tag ? "of another world"
                                      : "stale");
    return -1;
}

// Of a type of things: from an id to the thing, whether an id is valid, and from an index to an id.
#define LOOKUP(ID, WHAT, DATA, FUNCTION, ARRAY, POOL)                                                        \
    DATA *FUNCTION(const sn_world *world, ID id)                                                             \
    {                                                                                                        \
        if (world == NULL) {                                                                                 \
            (void)sn_fail(NULL, SN_ERROR_NULL, "%s: world is null", WHAT);                                   \
            return NULL;                                                                                     \
        }                                                                                                    \
        int i = find(world, &world->POOL, id.index, id.generation, id.world, WHAT);                          \
        return i < 0 ? NULL : &world->ARRAY.data[i];                                                         \
    }                                                                                                        \
    bool ID##_is_valid(const sn_world *world, ID id)                                                         \
    {                                                                                                        \
        return world != NULL && exists(world, &world->POOL, id.index, id.generation, id.world);              \
    }                                                                                                        \
    ID ID##_id(const sn_world *world, int index)                                                             \
    {                                                                                                        \
        return (ID){(uint32_t)index + 1, world->POOL.generation.data[index], world->tag};                    \
    }

LOOKUP(sn_rigid, "rigid", sn_body, sn_world_body, bodies, body_ids)
LOOKUP(sn_shape, "shape", sn_shape_data, sn_world_shape, shapes, shape_ids)
LOOKUP(sn_constraint, "constraint", sn_constraint_data, sn_world_constraint, constraints, constraint_ids)
LOOKUP(sn_deformable, "deformable", sn_deformable_data, sn_world_deformable, deformables, deformable_ids)

// A function that lists the ids of all things of a type, from an index on.
#define LIST(FUNCTION, ID, FIRST, POOL)                                                                      \
    int FUNCTION(const sn_world *world, ID *out, int capacity)                                               \
    {                                                                                                        \
        int count = 0;                                                                                       \
        for (int i = FIRST; world != NULL && i < world->POOL.generation.count; ++i) {                        \
            if (sn_id_pool_in_use(&world->POOL, i) && ++count <= capacity && out != NULL) {                  \
                out[count - 1] = ID##_id(world, i);                                                          \
            }                                                                                                \
        }                                                                                                    \
        return count;                                                                                        \
    }

LIST(sn_world_rigids, sn_rigid, SN_GROUND + 1, body_ids)
LIST(sn_world_constraints, sn_constraint, 0, constraint_ids)
LIST(sn_world_deformables, sn_deformable, 0, deformable_ids)

int sn_body_index(const sn_world *world, const sn_body *body)
{
    return (int)(body - world->bodies.data);
}

// --- labels --------------------------------------------------------------------------------------

// A label while it is made. Not by printf, which is slower: one is made for every shape and constraint that
// is added, in case something is wrong with it.
typedef struct label_writer {
    sn_label label;
    size_t length;
} label_writer;

// At most `most` bytes of the text, and no more than fit.
static void append(label_writer *writer, const char *text, size_t most)
{
    size_t room = sizeof writer->label.text - 1 - writer->length;
    most = most < room ? most : room;
    for (size_t i = 0; i < most && text[i] != '\0'; ++i) {
        writer->label.text[writer->length++] = text[i];
    }
}

static void append_number(label_writer *writer, int number)
{
    char digits[12] = {0};
    int first = (int)sizeof digits - 1;
    do {
        digits[--first] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    append(writer, &digits[first], sizeof digits);
}

sn_label sn_label_make(const char *kind, const char *name, int index)
{
    label_writer writer = {.length = 0};
    append(&writer, kind, SIZE_MAX);
    if (name != NULL && name[0] != '\0') {
        append(&writer, " '", SIZE_MAX);
        append(&writer, name, SN_MAX_NAME);
        append(&writer, "'", SIZE_MAX);
    } else if (index >= 0) {
        append(&writer, " ", SIZE_MAX);
        append_number(&writer, index);
    }
    return writer.label;
}

sn_label sn_label_part(const char *part, const sn_label *owner)
{
    label_writer writer = {.length = 0};
    append(&writer, part, SIZE_MAX);
    append(&writer, " of ", SIZE_MAX);
    append(&writer, owner->text, SIZE_MAX);
    return writer.label;
}

sn_label sn_body_label(const sn_world *world, int index)
{
    return sn_label_make("rigid", world->bodies.data[index].name, index);
}

sn_label sn_constraint_label(const sn_world *world, int index)
{
    const sn_constraint_data *constraint = &world->constraints.data[index];
    return sn_label_make(sn_kinds[constraint->kind]->name, constraint->name, index);
}

const char *sn_shape_type_name(sn_shape_type type)
{
    static const char *const names[] = {
        [SN_SPHERE] = "sphere", [SN_CAPSULE] = "capsule", [SN_BOX] = "box",          [SN_HULL] = "hull",
        [SN_PLANE] = "plane",   [SN_SURFACE] = "surface", [SN_COMPOUND] = "compound"};
    return names[type];
}

sn_label sn_shape_label(const sn_world *world, int index)
{
    const sn_shape_data *shape = &world->shapes.data[index];
    sn_label body = sn_body_label(world, shape->body);
    sn_label part = sn_label_make(sn_shape_type_name(shape->type), NULL, index);
    return sn_label_part(part.text, &body);
}

sn_label sn_deformable_label(const sn_world *world, int index)
{
    return sn_label_make("deformable", world->deformables.data[index].name, index);
}

// --- checks --------------------------------------------------------------------------------------

sn_status sn_world_check_open(const sn_world *world, const char *function)
{
    if (world == NULL) {
        return sn_fail(NULL, SN_ERROR_NULL, "%s: world is null", function);
    }
    if (world->locked) {
        return sn_fail(world->error, SN_ERROR_LOCKED, "%s: the world is inside a step or a callback",
                       function);
    }
    return SN_OK;
}

// --- names ---------------------------------------------------------------------------------------

sn_status sn_name_copy(char *target, const char *name, sn_error *error, const char *object)
{
    memset(target, 0, SN_MAX_NAME + 1);
    if (name == NULL) {
        return SN_OK;
    }
    size_t length = 0;
    while (length <= SN_MAX_NAME && name[length] != '\0') {
        ++length;
    }
    if (length > SN_MAX_NAME) {
        return sn_fail(error, SN_ERROR_NAME, "%s: name '%.40s…' is too long, expected at most %d bytes",
                       object, name, SN_MAX_NAME);
    }
    memcpy(target, name, length);
    return SN_OK;
}

bool sn_name_set(char **name, const char *text)
{
    if (strcmp(*name != NULL ? *name : "", text) == 0) {
        return true;
    }
    char *fresh = NULL;
    if (text[0] != '\0') {
        size_t size = strlen(text) + 1;
        fresh = sn_allocate(size);
        if (fresh == NULL) {
            return false;
        }
        memcpy(fresh, text, size);
    }
    sn_name_release(name);
    *name = fresh;
    return true;
}

void sn_name_release(char **name)
{
    if (*name != NULL) {
        sn_release(*name, strlen(*name) + 1);
    }
    *name = NULL;
}
