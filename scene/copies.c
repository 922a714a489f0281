// Repetitions: one entry, many things.
#include "scene/copies.h"

#include "scene/vary.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MAX_COPIES  1000000
#define MAX_REPEATS 4

typedef struct repeat_entry {
    int count;
    sn_vec3 offset, about;
    sn_quat rotation;
    bool closed;
    sn_node vary_node;
    sn_vary vary;
} repeat_entry;

static void defaults(void *target)
{
    ((repeat_entry *)target)->rotation = sn_quat_identity;
}

static const sn_field fields[] = {
    SN_ROW("count", INTEGER, repeat_entry, count, "how many copies", .required = true,
           .range = SN_BETWEEN(1, MAX_COPIES)),
    SN_ROW("offset", VECTOR, repeat_entry, offset, "each copy is moved by this from the one before",
           .unit = "m"),
    SN_ROW("rotation", ROTATION, repeat_entry, rotation, "each copy is turned by this from the one before"),
    SN_ROW("about", VECTOR, repeat_entry, about, "the point it is turned about", .unit = "m"),
    SN_ROW("closed", FLAG, repeat_entry, closed,
           "a ring: the copy before the first is the last, for names that begin with \"previous.\""),
    SN_ROW("vary", NODE, repeat_entry, vary_node, "how copies differ; of several repetitions, by the last",
           .family = &sn_family_vary)};

static const sn_object object = {.name = "repeat",
                                 .text = "Copies of an entry: copy k is turned k times, then moved k "
                                         "times. Copies are named name[0], name[1], …",
                                 .size = sizeof(repeat_entry),
                                 .defaults = defaults,
                                 .fields = fields,
                                 .field_count = SN_COUNT(fields)};
static const sn_object *const objects[] = {&object};
const sn_family sn_family_repeat = {"repeat", "How an entry is copied.", objects, 1};

// The rotation k times over, without the rounding of k products.
static sn_quat rotation_power(sn_quat q, int k)
{
    double x = q.x, y = q.y, z = q.z, w = q.w, sine = sqrt(x * x + y * y + z * z);
    if (sine < 1e-12) {
        return sn_quat_identity;
    }
    double half = atan2(sine, w) * (double)k, s = sin(half) / sine;
    return sn_quat_normalize((sn_quat){(float)(x * s), (float)(y * s), (float)(z * s), (float)cos(half)});
}

static sn_pose copy_pose(const repeat_entry *repeat, int k)
{
    sn_quat rotation = rotation_power(repeat->rotation, k);
    sn_vec3 turned = sn_add(repeat->about, sn_rotate(rotation, sn_neg(repeat->about)));
    return (sn_pose){sn_add_scaled(turned, (float)k, repeat->offset), rotation};
}

// "repeat" of an entry: one object or a list of them, the last counting fastest. Returns their number, −1
// after a complaint.
static int read_repeats(const sn_node *entry, repeat_entry repeats[MAX_REPEATS])
{
    sn_node node = sn_node_get(entry, "repeat");
    if (node.value == NULL) {
        return 0;
    }
    if (!json_is_array(node.value)) {
        return sn_object_read(&node, &object, &repeats[0]) && sn_vary_read(&node, &repeats[0].vary) ? 1 : -1;
    }
    int count = sn_node_count(&node);
    if (count < 1 || count > MAX_REPEATS) {
        sn_node_fail(&node, "%d repetitions are not allowed, expected 1 to %d", count, MAX_REPEATS);
        return -1;
    }
    double copies = 1.0;
    bool good = true;
    for (int i = 0; i < count; ++i) {
        sn_node member = sn_node_at(&node, i);
        good =
            sn_object_read(&member, &object, &repeats[i]) && sn_vary_read(&member, &repeats[i].vary) && good;
        copies *= repeats[i].count;
    }
    if (good && copies > MAX_COPIES) {
        good = sn_node_fail(&node, "%.0f copies are not allowed, expected at most %d", copies, MAX_COPIES);
    }
    return good ? count : -1;
}

static void write_suffix(const int *index, int count, char suffix[SN_SUFFIX])
{
    size_t used = 0;
    for (int i = 0; i < count && used < SN_SUFFIX; ++i) {
        used += (size_t)snprintf(suffix + used, SN_SUFFIX - used, "[%d]", index[i]);
    }
}

static sn_copy make_copy(const repeat_entry *repeats, const int *index, int count)
{
    sn_copy copy = {.pose = sn_pose_identity, .repeated = true};
    for (int i = 0; i < count; ++i) {
        copy.pose = sn_pose_multiply(copy.pose, copy_pose(&repeats[i], index[i]));
    }
    const repeat_entry *last = &repeats[count - 1];
    int before[MAX_REPEATS];
    memcpy(before, index, sizeof before);
    before[count - 1] = index[count - 1] > 0 ? index[count - 1] - 1 : last->count - 1;
    copy.has_previous = index[count - 1] > 0 || (last->closed && last->count > 1);
    write_suffix(index, count, copy.suffix);
    write_suffix(before, count, copy.previous_suffix);
    return copy;
}

// Counts on as an odometer does; false after the last.
static bool next_index(const repeat_entry *repeats, int count, int *index)
{
    int digit = count - 1;
    while (digit >= 0 && ++index[digit] == repeats[digit].count) {
        index[digit--] = 0;
    }
    return digit >= 0;
}

// Visits the copy with an entry of its own, which the reader keeps: geometry is found by the value it came
// from.
static void visit_varied(sn_reader *reader, const sn_scope *scope, const sn_copy *copy, const sn_node *entry,
                         const sn_vary *vary, int number, sn_visit_copy *visit, const void *context)
{
    sn_node varied = *entry;
    varied.value = sn_vary_entry(vary, number, entry);
    if (varied.value == NULL || !SN_LIST_PUSH(&reader->varied, varied.value)) {
        json_decref(varied.value);
        sn_reader_no_memory(reader);
        return;
    }
    visit(reader, scope, copy, &varied, context);
}

void sn_reader_visit_copies(sn_reader *reader, const sn_scope *scope, const sn_node *entry,
                            sn_visit_copy *visit, const void *context)
{
    repeat_entry repeats[MAX_REPEATS];
    int count = read_repeats(entry, repeats);
    if (count == 0) {
        sn_copy only = {.pose = sn_pose_identity};
        visit(reader, scope, &only, entry, context);
        return;
    }
    int index[MAX_REPEATS] = {0}, number = 0, complaining = count < 0 ? 2 : 0;
    bool more = count > 0;
    while (more && complaining < 2 && !sn_mistakes_are_enough(&reader->mistakes)) {
        int said = reader->mistakes.said;
        sn_copy copy = make_copy(repeats, index, count);
        const sn_vary *vary = &repeats[count - 1].vary;
        if (vary->given) {
            visit_varied(reader, scope, &copy, entry, vary, number++, visit, context);
        } else {
            visit(reader, scope, &copy, entry, context);
        }
        complaining += reader->mistakes.said > said;
        more = next_index(repeats, count, index);
    }
    reader->names_are_missing = reader->names_are_missing || more || count < 0;
}
