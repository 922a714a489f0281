// The tower in Bullet: discrete dynamics world, dynamic bounds tree, sequential impulses, all as they come.
#include "bullet_tower.h"

#include <btBulletDynamicsCommon.h>
#include <cmath>
#include <deque>
#include <memory>

// Members are destroyed from the last to the first, so the world goes before what it points at.
struct bullet_tower {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btStaticPlaneShape floor_shape{btVector3(0, 1, 0), 0};
    btBoxShape brick_shape;
    std::deque<btRigidBody> bodies; // the floor first
    btDiscreteDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};

    explicit bullet_tower(const btVector3 &half_extents) : brick_shape(half_extents)
    {
    }
};

namespace
{

btRigidBody &add_body(bullet_tower &tower, btCollisionShape &shape, const btTransform &pose, btScalar mass,
                      float friction)
{
    btVector3 inertia(0, 0, 0);
    if (mass > 0) {
        shape.calculateLocalInertia(mass, inertia);
    }
    btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, &shape, inertia);
    info.m_startWorldTransform = pose;
    // Bullet multiplies the two coefficients of a pair.
    info.m_friction = std::sqrt(friction);
    btRigidBody &body = tower.bodies.emplace_back(info);
    body.setActivationState(DISABLE_DEACTIVATION);
    tower.world.addRigidBody(&body);
    return body;
}

} // namespace

extern "C" int bullet_version(void)
{
    return btGetVersion();
}

extern "C" bullet_tower *bullet_tower_create(const bullet_brick *bricks, int count,
                                             const float half_extents[3], float density, float friction)
{
    btVector3 half(half_extents[0], half_extents[1], half_extents[2]);
    auto tower = std::make_unique<bullet_tower>(half);
    tower->world.setGravity(btVector3(0, btScalar(-9.81), 0));
    add_body(*tower, tower->floor_shape, btTransform::getIdentity(), 0, friction);
    btScalar mass = 8 * half.x() * half.y() * half.z() * density;
    for (int i = 0; i < count; ++i) {
        const float *p = bricks[i].position, *q = bricks[i].rotation;
        btTransform pose(btQuaternion(q[0], q[1], q[2], q[3]), btVector3(p[0], p[1], p[2]));
        add_body(*tower, tower->brick_shape, pose, mass, friction);
    }
    return tower.release();
}

extern "C" void bullet_tower_destroy(bullet_tower *tower)
{
    if (tower == nullptr) {
        return;
    }
    for (btRigidBody &body : tower->bodies) {
        tower->world.removeRigidBody(&body);
    }
    delete tower;
}

// No internal sub-steps: the step is taken as it is.
extern "C" void bullet_tower_step(bullet_tower *tower, float duration)
{
    tower->world.stepSimulation(duration, 0);
}

extern "C" void bullet_tower_position(const bullet_tower *tower, int brick, float position[3])
{
    const btVector3 &center = tower->bodies[static_cast<std::size_t>(brick) + 1].getCenterOfMassPosition();
    position[0] = center.x();
    position[1] = center.y();
    position[2] = center.z();
}
