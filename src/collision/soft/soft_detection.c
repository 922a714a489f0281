// Detection of the contacts of deformables, phase after phase, and what becomes of the contacts: those of the
// same features in the last step hand over their impulses and sides, those of sleeping things are kept.
// Tested by tests/world/deformables/test_soft_redetection.c.
#include "collision/soft/soft_detection.h"

#include "collision/soft/soft_phases.h"

#include <string.h>

static bool list_previous(const sn_soft_search *search, sn_contact_table *previous)
{
    const sn_soft_contact_list *contacts = &search->detector->contacts;
    int first = search->detector->asleep_count;
    if (!sn_contact_table_make(previous, search->scene->arena, contacts->data, contacts->count - first)) {
        return false;
    }
    for (int i = first; i < contacts->count; ++i) {
        (void)sn_contact_table_add(previous, i);
    }
    return true;
}

// --- contacts of this step ---------------------------------------------------------------------------------

static bool may_be_repeated(const sn_soft_scene *scene, const sn_soft_contact_data *contact)
{
    return contact->body >= 0 && contact->key.piece != 0 &&
           scene->shapes[contact->key.other].type == SN_SURFACE;
}

// Corners and edges of surface shapes are found by every triangle they belong to: the first contact stays.
// False without memory.
static bool drop_repeated(const sn_soft_scene *scene, sn_soft_contact_list *found, int first)
{
    int count = 0, kept = first;
    for (int i = first; i < found->count; ++i) {
        count += may_be_repeated(scene, &found->data[i]) ? 1 : 0;
    }
    sn_contact_table table;
    if (count == 0) {
        return true;
    }
    if (!sn_contact_table_make(&table, scene->arena, found->data, count)) {
        return false;
    }
    for (int i = first; i < found->count; ++i) {
        found->data[kept] = found->data[i];
        kept += !may_be_repeated(scene, &found->data[kept]) || sn_contact_table_add(&table, kept) ? 1 : 0;
    }
    found->count = kept;
    return true;
}

// Whether both sides of a contact of the last step exist and sleep. Nothing has moved, so it holds when they
// wake.
static bool sleeps(const sn_soft_scene *scene, const sn_soft_contact_data *contact)
{
    const sn_soft_key *key = &contact->key;
    if (!sn_soft_key_is_current(key, scene->deformable_ids, scene->shape_ids) ||
        !scene->colliders[key->deformable].sleeps) {
        return false;
    }
    return contact->body >= 0 ? scene->bodies[contact->body].awake_index < 0
                              : scene->colliders[sn_soft_key_other(key)].sleeps;
}

// Contacts that are known to sleep come first. Both lists have had the first of them since the last step.
// False without memory.
static bool begin_with_asleep(sn_soft_detector *detector)
{
    int asleep = detector->asleep_count, shared = detector->shared_count;
    shared = shared < asleep ? shared : asleep;
    if (!sn_array_reserve(&detector->found, asleep)) {
        return false;
    }
    if (asleep > shared) {
        memcpy(detector->found.data + shared, detector->contacts.data + shared,
               (size_t)(asleep - shared) * sizeof *detector->found.data);
    }
    detector->found.count = asleep;
    return true;
}

// Puts contacts of the last step that sleep now after those that did, before those that were found. False
// without memory.
static bool keep_sleeping(const sn_soft_scene *scene, sn_soft_detector *detector)
{
    const sn_soft_contact_list *contacts = &detector->contacts;
    sn_soft_contact_list *found = &detector->found;
    int first = detector->asleep_count, more = 0, place = first;
    for (int i = first; i < contacts->count; ++i) {
        more += sleeps(scene, &contacts->data[i]) ? 1 : 0;
    }
    if (!sn_array_reserve(found, found->count + more)) {
        return false;
    }
    if (more > 0) {
        memmove(found->data + first + more, found->data + first,
                (size_t)(found->count - first) * sizeof *found->data);
    }
    for (int i = first; i < contacts->count && place < first + more; ++i) {
        if (sleeps(scene, &contacts->data[i])) {
            found->data[place] = contacts->data[i];
            found->data[place++].approach = 0.0f;
        }
    }
    found->count += more;
    detector->shared_count = first;
    detector->asleep_count = first + more;
    return true;
}

void sn_soft_undo(sn_soft_detector *detector)
{
    if (detector->is_replaced) {
        sn_soft_contact_list before = detector->found;
        detector->found = detector->contacts;
        detector->contacts = before;
        detector->is_replaced = false;
        detector->asleep_count = detector->shared_count = 0;
    }
}

bool sn_soft_detect(const sn_soft_scene *scene, sn_soft_detector *detector)
{
    sn_soft_search search = {.scene = scene, .detector = detector};
    sn_contact_table previous;
    sn_soft_contact_list *found = &detector->found;
    detector->is_replaced = detector->is_fast = false;
    detector->left_out = 0;
    detector->near.count = 0;
    int face_count = 0;
    for (int i = 0; i < scene->collider_count; ++i) {
        sn_soft_surface *surface = scene->colliders[i].surface;
        if (surface != NULL) {
            memset(surface->suspects.data, 0, (size_t)surface->face_count);
            face_count += surface->face_count;
            surface->knows_near = true;
        }
    }
    // As many as there are faces seldom meet; room for them beforehand, lest a first touch need memory.
    if ((scene->notes_near && !sn_array_reserve(&detector->near, face_count)) ||
        !sn_soft_find_motion(&search)) {
        return false;
    }
    // Contacts between deformables that are fast will be detected again halfway.
    detector->is_fast = detector->is_fast && scene->may_be_halved;
    search.lists_between = !detector->is_fast;
    int first = detector->asleep_count;
    if (!sn_soft_shorten(&search, detector->is_fast ? 0.5f : 1.0f) || !sn_soft_find_pairs(&search) ||
        !sn_soft_find_feature_pairs(&search) || !list_previous(&search, &previous) ||
        !begin_with_asleep(detector) || !sn_soft_find_contacts(&search, &previous, found) ||
        !drop_repeated(scene, found, first) || !sn_soft_merge(&search, found, first) ||
        !keep_sleeping(scene, detector)) {
        return false;
    }
    detector->has_whole_bounds = search.displacements_between == search.displacements;
    sn_soft_contact_list before = detector->contacts;
    detector->contacts = detector->found;
    detector->found = before;
    detector->is_replaced = true;
    return true;
}

// --- again, halfway through a step -------------------------------------------------------------------------

static void drop_pairs_with_shapes(sn_soft_detector *detector)
{
    int kept = 0;
    for (int i = 0; i < detector->pairs.count; ++i) {
        if (detector->pairs.data[i].other >= 0) {
            detector->pairs.data[kept++] = detector->pairs.data[i];
        }
    }
    detector->pairs.count = kept;
}

// Impulses of the step so far go on with the same features.
static void hand_over_totals(const sn_contact_table *previous, sn_soft_contact_data *contact)
{
    const sn_soft_contact_data *before = sn_contact_table_find(previous, &contact->key);
    if (before != NULL) {
        contact->total_normal = before->total_normal;
        contact->total_friction = before->total_friction;
    }
}

bool sn_soft_redetect(const sn_soft_scene *scene, sn_soft_detector *detector, int reserved)
{
    sn_soft_search search = {.scene = scene, .detector = detector};
    sn_contact_table previous;
    for (int i = 0; i < scene->collider_count; ++i) {
        const sn_soft_collider *collider = &scene->colliders[i];
        if (collider->surface != NULL) {
            sn_soft_surface_suspect(collider->surface, scene->nodes->states.data + collider->first_node);
            collider->surface->knows_near = false;
        }
    }
    if (!sn_soft_find_motion(&search) || !sn_soft_shorten(&search, 1.0f)) {
        return false;
    }
    detector->has_whole_bounds = false;
    drop_pairs_with_shapes(detector);
    if (!sn_soft_find_feature_pairs(&search) || !list_previous(&search, &previous) ||
        !sn_array_resize(&detector->redetected, reserved) ||
        !sn_soft_find_contacts(&search, &previous, &detector->redetected) ||
        !sn_soft_merge(&search, &detector->redetected, reserved)) {
        return false;
    }
    for (int i = reserved; i < detector->redetected.count; ++i) {
        hand_over_totals(&previous, &detector->redetected.data[i]);
    }
    return true;
}

size_t sn_soft_detector_bytes(const sn_soft_detector *detector)
{
    int contacts = detector->contacts.capacity + detector->found.capacity + detector->redetected.capacity;
    size_t bytes = (size_t)contacts * sizeof *detector->contacts.data +
                   (size_t)detector->pairs.capacity * sizeof *detector->pairs.data +
                   (size_t)detector->feature_pairs.capacity * sizeof *detector->feature_pairs.data +
                   (size_t)detector->near.capacity * sizeof *detector->near.data;
    for (int i = 0; i < detector->lists.count; ++i) {
        const sn_verlet_between *list = &detector->lists.data[i];
        bytes += (size_t)list->pairs.capacity * sizeof *list->pairs.data +
                 (size_t)list->faces.capacity * sizeof *list->faces.data;
    }
    return bytes;
}

void sn_soft_detector_release(sn_soft_detector *detector)
{
    sn_array_release(&detector->contacts);
    sn_array_release(&detector->found);
    sn_array_release(&detector->redetected);
    sn_array_release(&detector->pairs);
    sn_array_release(&detector->feature_pairs);
    sn_array_release(&detector->near);
    sn_array_release(&detector->shapes);
    for (int i = 0; i < detector->lists.count; ++i) {
        sn_array_release(&detector->lists.data[i].pairs);
        sn_array_release(&detector->lists.data[i].faces);
    }
    sn_array_release(&detector->lists);
}
