// Triangles of shapes, made once for all shapes alike. Spheres, capsules, boxes and planes are alike if their
// numbers are; hulls, surfaces and compounds if they are the same object. An object that is gone may have
// left its address to another, which is why a geometry remembers a shape that kept its object alive.
#include "scene/export_parts.h"

#include "scene/message.h"
#include "scene/shared_geometry.h"

#include <string.h>

static const int export_detail = 32; // segments around round shapes

enum { KEY_NUMBERS = 15 }; // with the type and the object they leave no padding

typedef struct geometry_key {
    const void *object; // null for shapes that are numbers only
    int32_t type;
    float numbers[KEY_NUMBERS]; // place in the body, then size
} geometry_key;

enum { KEY_SIZE = 2 * sizeof(geometry_key) + 1 };

static void put_vector(geometry_key *key, int at, sn_vec3 v)
{
    key->numbers[at] = v.x;
    key->numbers[at + 1] = v.y;
    key->numbers[at + 2] = v.z;
}

static void put_place(geometry_key *key, sn_pose pose)
{
    put_vector(key, 0, pose.position);
    key->numbers[3] = pose.rotation.x;
    key->numbers[4] = pose.rotation.y;
    key->numbers[5] = pose.rotation.z;
    key->numbers[6] = pose.rotation.w;
}

static void put_size(geometry_key *key, const sn_world *world, sn_shape shape)
{
    sn_sphere sphere = {0};
    sn_capsule capsule = {0};
    sn_box box = {0};
    sn_plane plane = {0};
    switch ((sn_shape_type)key->type) {
    case SN_SPHERE:
        sphere = sn_shape_sphere(world, shape);
        put_vector(key, 7, sphere.center);
        key->numbers[10] = sphere.radius;
        break;
    case SN_CAPSULE:
        capsule = sn_shape_capsule(world, shape);
        put_vector(key, 7, capsule.a);
        put_vector(key, 10, capsule.b);
        key->numbers[13] = capsule.radius;
        break;
    case SN_BOX:
        box = sn_shape_box(world, shape);
        put_vector(key, 7, box.half_extents);
        break;
    case SN_PLANE:
        plane = sn_shape_plane(world, shape);
        put_vector(key, 7, plane.normal);
        key->numbers[10] = plane.offset;
        break;
    default:
        break;
    }
}

static geometry_key make_key(const sn_world *world, sn_shape shape)
{
    geometry_key key;
    memset(&key, 0, sizeof key);
    key.type = (int32_t)sn_shape_get_type(world, shape);
    key.object = sn_shared_geometry(world, shape);
    put_place(&key, sn_shape_definition(world, shape).offset);
    put_size(&key, world, shape);
    return key;
}

// The key as text, for the dictionary: its bytes in hexadecimal.
static void write_key(const geometry_key *key, char text[KEY_SIZE])
{
    static const char digits[] = "0123456789abcdef";
    const unsigned char *bytes = (const unsigned char *)key;
    for (size_t i = 0; i < sizeof *key; ++i) {
        *text++ = digits[bytes[i] >> 4];
        *text++ = digits[bytes[i] & 15];
    }
    *text = '\0';
}

static int add_geometry(sn_export_store *store, const sn_world *world, sn_shape shape, float plane_size,
                        sn_status *status)
{
    sn_export_geometry geometry = {.owner = shape, .successor = -1};
    *status = sn_shape_triangles(world, shape, export_detail, plane_size, &geometry.triangles);
    if (*status != SN_OK) {
        return -1;
    }
    if (!SN_LIST_PUSH(&store->geometries, geometry)) {
        sn_triangles_release(&geometry.triangles);
        *status = sn_scene_fail(SN_ERROR_MEMORY, "export: no memory for %d geometries",
                                store->geometries.count + 1);
        return -1;
    }
    store->vertex_count += geometry.triangles.vertex_count;
    return store->geometries.count - 1;
}

int sn_export_store_find(sn_export_store *store, const sn_world *world, sn_shape shape, float plane_size,
                         sn_status *status)
{
    *status = SN_OK;
    geometry_key key = make_key(world, shape);
    char text[KEY_SIZE];
    write_key(&key, text);
    int first = sn_names_find(&store->keys, text);
    if (first >= 0) {
        int successor = store->geometries.items[first].successor;
        int latest = successor >= 0 ? successor : first;
        if (key.object == NULL || sn_shape_is_valid(world, store->geometries.items[latest].owner)) {
            return latest;
        }
    }
    int made = add_geometry(store, world, shape, plane_size, status);
    if (made >= 0 && first >= 0) {
        store->geometries.items[first].successor = made;
    } else if (made >= 0 && !sn_names_add(&store->keys, text, made)) {
        *status = sn_scene_fail(SN_ERROR_MEMORY, "export: no memory for %d geometries", made + 1);
        return -1;
    }
    return made;
}

void sn_export_store_empty(sn_export_store *store)
{
    for (int i = 0; i < store->geometries.count; ++i) {
        sn_triangles_release(&store->geometries.items[i].triangles);
    }
    SN_LIST_FREE(&store->geometries);
    sn_names_release(&store->keys);
    store->vertex_count = 0;
}
