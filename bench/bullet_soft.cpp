// Soft bodies in Bullet: btSoftRigidDynamicsWorld, links along all edges, contacts of nodes with the distance
// fields of shapes, position solver only, as its own demos set it up.
#include "bullet_soft.h"

#include <btBulletDynamicsCommon.h>
#include <BulletSoftBody/btSoftBodyHelpers.h>
#include <BulletSoftBody/btSoftBodyRigidBodyCollisionConfiguration.h>
#include <BulletSoftBody/btSoftRigidDynamicsWorld.h>
#include <cmath>
#include <deque>
#include <memory>
#include <vector>

// Members are destroyed from the last to the first, so the world goes before what it points at.
struct bullet_soft {
    btSoftBodyRigidBodyCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::deque<btRigidBody> fixtures; // the floor
    std::deque<btRigidBody> solids;
    std::vector<std::unique_ptr<btSoftBody>> bodies;
    std::vector<std::unique_ptr<btHingeConstraint>> axles;
    btSoftRigidDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};
    int iterations = 5;
};

namespace
{

btVector3 vector_of(const bullet_vector &v)
{
    return btVector3(v.x, v.y, v.z);
}

bullet_vector plain(const btVector3 &v)
{
    return bullet_vector{v.x(), v.y(), v.z()};
}

btCollisionShape *make_shape(const bullet_solid_def &def)
{
    switch (def.kind) {
    case BULLET_BOX:
        return new btBoxShape(vector_of(def.size));
    case BULLET_WHEEL:
        return new btCapsuleShapeZ(def.size.x, 2 * def.size.z);
    case BULLET_SPHERE:
    case BULLET_LUMP:
    default:
        return new btSphereShape(def.size.x);
    }
}

// Bullet multiplies the two coefficients of a pair of solids.
btRigidBody &add_rigid(std::deque<btRigidBody> &list, btCollisionShape &shape, const btVector3 &position,
                       float mass, const btVector3 &inertia, float friction)
{
    btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, &shape, inertia);
    info.m_startWorldTransform = btTransform(btQuaternion::getIdentity(), position);
    info.m_friction = std::sqrt(friction);
    btRigidBody &body = list.emplace_back(info);
    body.setActivationState(DISABLE_DEACTIVATION);
    return body;
}

void fill_body(btSoftBody &body, const bullet_soft_def &def)
{
    btSoftBody::Material &material = *body.m_materials[0];
    material.m_kLST = def.stretch;
    material.m_kAST = def.stretch;
    material.m_kVST = def.stretch;
    for (int i = 0; i < def.edge_count; ++i) {
        body.appendLink(static_cast<int>(def.edges[2 * i]), static_cast<int>(def.edges[2 * i + 1]),
                        &material);
    }
    for (int i = 0; i < def.triangle_count; ++i) {
        const std::uint32_t *t = def.triangles + 3 * i;
        body.appendFace(static_cast<int>(t[0]), static_cast<int>(t[1]), static_cast<int>(t[2]), &material);
    }
    for (int i = 0; i < def.tetrahedron_count; ++i) {
        const std::uint32_t *t = def.tetrahedra + 4 * i;
        body.appendTetra(static_cast<int>(t[0]), static_cast<int>(t[1]), static_cast<int>(t[2]),
                         static_cast<int>(t[3]), &material);
    }
    if (def.bend > 0) {
        btSoftBody::Material &bending = *body.appendMaterial();
        bending.m_kLST = def.bend;
        body.generateBendingConstraints(2, &bending);
    }
}

void tune_body(btSoftBody &body, const bullet_soft_def &def, int iterations)
{
    body.m_cfg.piterations = iterations;
    body.m_cfg.viterations = 0;
    body.m_cfg.kDF = def.friction;
    body.m_cfg.kDP = def.damping;
    body.m_cfg.kCHR = 1;
    body.m_cfg.kKHR = 1;
    body.m_cfg.kSHR = 1;
    body.m_cfg.kVC = def.volume;
    body.m_cfg.kMT = def.pose;
    body.m_cfg.collisions = btSoftBody::fCollision::SDF_RS | btSoftBody::fCollision::VF_SS;
    body.getCollisionShape()->setMargin(def.margin);
    body.setTotalMass(def.mass, false);
    if (def.volume > 0 || def.pose > 0) {
        body.setPose(def.volume > 0, def.pose > 0);
    }
    for (int i = 0; i < def.pin_count; ++i) {
        body.setMass(def.pins[i], 0);
    }
    body.randomizeConstraints();
}

} // namespace

extern "C" bullet_soft *bullet_soft_create(float gravity, int iterations)
{
    auto world = std::make_unique<bullet_soft>();
    btVector3 down(0, gravity, 0);
    world->world.setGravity(down);
    world->world.getSolverInfo().m_numIterations = iterations;
    btSoftBodyWorldInfo &info = world->world.getWorldInfo();
    info.m_gravity = down;
    info.air_density = 0;
    info.water_density = 0;
    // The default of 0.25 m blurs balls by centimetres. Initialize forgets it, so it is set afterwards.
    info.m_sparsesdf.Initialize(1 << 16);
    info.m_sparsesdf.setDefaultVoxelsz(btScalar(0.05));
    info.m_sparsesdf.Reset();
    world->iterations = iterations;
    return world.release();
}

extern "C" void bullet_soft_destroy(bullet_soft *world)
{
    if (world == nullptr) {
        return;
    }
    for (auto &axle : world->axles) {
        world->world.removeConstraint(axle.get());
    }
    for (auto &body : world->bodies) {
        world->world.removeSoftBody(body.get());
    }
    for (btRigidBody &solid : world->solids) {
        world->world.removeRigidBody(&solid);
    }
    for (btRigidBody &fixture : world->fixtures) {
        world->world.removeRigidBody(&fixture);
    }
    delete world;
}

extern "C" void bullet_soft_add_floor(bullet_soft *world, float friction)
{
    auto &shape = world->shapes.emplace_back(new btStaticPlaneShape(btVector3(0, 1, 0), 0));
    world->world.addRigidBody(
        &add_rigid(world->fixtures, *shape, btVector3(0, 0, 0), 0, btVector3(0, 0, 0), friction));
}

extern "C" bool bullet_soft_add(bullet_soft *world, const bullet_soft_def *def)
{
    std::vector<btVector3> nodes;
    for (int i = 0; i < def->node_count; ++i) {
        nodes.push_back(vector_of(def->nodes[i]));
    }
    std::vector<btScalar> masses(nodes.size(), btScalar(0.03));
    auto body = std::make_unique<btSoftBody>(&world->world.getWorldInfo(), def->node_count, nodes.data(),
                                             masses.data());
    fill_body(*body, *def);
    tune_body(*body, *def, world->iterations);
    world->world.addSoftBody(body.get());
    world->bodies.push_back(std::move(body));
    return true;
}

extern "C" void bullet_soft_add_solid(bullet_soft *world, const bullet_solid_def *def)
{
    auto &shape = world->shapes.emplace_back(make_shape(*def));
    btVector3 inertia(0, 0, 0);
    if (def->mass > 0) {
        shape->calculateLocalInertia(def->mass, inertia);
    }
    if (def->kind == BULLET_WHEEL) { // weighs as a disc does
        btScalar axial = btScalar(0.5) * def->mass * def->size.x * def->size.x;
        inertia = btVector3(axial / 2, axial / 2, axial);
    }
    btRigidBody &solid =
        add_rigid(world->solids, *shape, vector_of(def->position), def->mass, inertia, def->friction);
    solid.setLinearVelocity(vector_of(def->velocity));
    if (def->kind == BULLET_LUMP) {
        world->world.addRigidBody(&solid, 0, 0);
    } else {
        world->world.addRigidBody(&solid);
    }
    if (def->kind == BULLET_WHEEL) {
        auto &axle =
            world->axles.emplace_back(new btHingeConstraint(solid, btVector3(0, 0, 0), btVector3(0, 0, 1)));
        world->world.addConstraint(axle.get());
    }
}

extern "C" void bullet_soft_tie(bullet_soft *world, int body, int node, int solid)
{
    world->bodies[static_cast<std::size_t>(body)]->appendAnchor(
        node, &world->solids[static_cast<std::size_t>(solid)], true);
}

extern "C" void bullet_soft_step(bullet_soft *world, float duration)
{
    world->world.stepSimulation(duration, 0);
}

extern "C" void bullet_soft_read(const bullet_soft *world, int body, bullet_vector *positions,
                                 bullet_vector *velocities, float *masses)
{
    const btSoftBody::tNodeArray &nodes = world->bodies[static_cast<std::size_t>(body)]->m_nodes;
    for (int i = 0; i < nodes.size(); ++i) {
        positions[i] = plain(nodes[i].m_x);
        velocities[i] = plain(nodes[i].m_v);
        masses[i] = nodes[i].m_im > 0 ? 1 / nodes[i].m_im : 0;
    }
}

extern "C" bullet_solid_state bullet_soft_read_solid(const bullet_soft *world, int solid)
{
    const btRigidBody &body = world->solids[static_cast<std::size_t>(solid)];
    btQuaternion q = body.getOrientation();
    return bullet_solid_state{plain(body.getCenterOfMassPosition()),
                              plain(body.getLinearVelocity()),
                              plain(body.getAngularVelocity()),
                              {q.x(), q.y(), q.z(), q.w()}};
}
