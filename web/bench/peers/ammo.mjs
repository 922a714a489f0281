// Bullet as npm's ammojs-typed: its soft bodies, its sequential impulses.
import { createRequire } from 'node:module';
import { BALL, BOX, BOX_TURN, boxPlaces, CLOTH_HEIGHT, CLOTH_MASS, SIDE, STEP, WIDTH } from './problems.mjs';

const require = createRequire(import.meta.url);
const DISABLE_DEACTIVATION = 4;

function makeWorld(A) {
    const configuration = new A.btSoftBodyRigidBodyCollisionConfiguration();
    const world = new A.btSoftRigidDynamicsWorld(new A.btCollisionDispatcher(configuration), new A.btDbvtBroadphase(), new A.btSequentialImpulseConstraintSolver(), configuration, new A.btDefaultSoftBodySolver());
    world.setGravity(new A.btVector3(0, -9.81, 0));
    world.getWorldInfo().set_m_gravity(new A.btVector3(0, -9.81, 0));
    return world;
}

function addBody(A, world, shape, mass, place, turn = [0, 0, 0, 1]) {
    const inertia = new A.btVector3(0, 0, 0), pose = new A.btTransform();
    pose.setIdentity();
    pose.setOrigin(new A.btVector3(...place));
    pose.setRotation(new A.btQuaternion(...turn));
    if (mass > 0) shape.calculateLocalInertia(mass, inertia);
    const body = new A.btRigidBody(new A.btRigidBodyConstructionInfo(mass, new A.btDefaultMotionState(pose), shape, inertia));
    body.setFriction(BOX.friction);
    body.setActivationState(DISABLE_DEACTIVATION);
    world.addRigidBody(body);
    return body;
}

function addGround(A, world) {
    addBody(A, world, new A.btStaticPlaneShape(new A.btVector3(0, 1, 0), 0), 0, [0, 0, 0]);
}

export async function openAmmo() {
    const load = require('ammojs-typed/wasm');
    const A = await (load.default ?? load)();
    return {
        name: 'Bullet (ammo)',
        version: require('ammojs-typed/package.json').version,
        clothEfforts: [10, 40, 100],
        effort: (iterations) => `${iterations} iterations`,
        cloth(iterations) {
            const world = makeWorld(A), half = WIDTH / 2;
            addGround(A, world);
            addBody(A, world, new A.btSphereShape(BALL.radius), 0, BALL.place);
            const corner = (x, z) => new A.btVector3(x, CLOTH_HEIGHT, z);
            const cloth = new A.btSoftBodyHelpers().CreatePatch(world.getWorldInfo(), corner(-half, -half), corner(half, -half), corner(-half, half), corner(half, half), SIDE, SIDE, 0, true);
            cloth.get_m_cfg().set_piterations(iterations);
            cloth.setTotalMass(CLOTH_MASS, false);
            cloth.setActivationState(DISABLE_DEACTIVATION);
            world.addSoftBody(cloth, 1, -1);
            const nodes = cloth.get_m_nodes();
            const read = (i) => {
                const x = nodes.at(i).get_m_x();
                return [x.x(), x.y(), x.z()];
            };
            return { step: () => world.stepSimulation(STEP, 0), nodes: () => Array.from({ length: SIDE * SIDE }, (_, i) => read(i)) };
        },
        boxes() {
            const world = makeWorld(A), half = BOX.size / 2, shape = new A.btBoxShape(new A.btVector3(half, half, half));
            addGround(A, world);
            const bodies = boxPlaces().map((place) => addBody(A, world, shape, BOX.density * BOX.size ** 3, place, BOX_TURN));
            return { step: () => world.stepSimulation(STEP, 0), heights: () => bodies.map((body) => body.getWorldTransform().getOrigin().y()) };
        },
    };
}
