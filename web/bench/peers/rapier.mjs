// Rapier as npm's rapier3d-compat. It has no cloth: small balls joined by ropes take its place.
import R from '@dimforge/rapier3d-compat';
import { BALL, BOX, BOX_TURN, boxPlaces, CLOTH_MASS, clothEdges, clothNodes, SIDE, STEP, WIDTH } from './problems.mjs';

const vector = ([x, y, z]) => ({ x, y, z });

function makeWorld() {
    const world = new R.World({ x: 0, y: -9.81, z: 0 });
    world.timestep = STEP;
    world.createCollider(R.ColliderDesc.cuboid(100, 1, 100).setTranslation(0, -1, 0).setFriction(BOX.friction));
    return world;
}

export async function openRapier() {
    await R.init();
    return {
        name: 'Rapier',
        version: R.version(),
        clothEfforts: [4, 16],
        effort: (iterations) => `${iterations} iterations`,
        cloth(iterations) {
            const world = makeWorld(), nodeRadius = 0.2 * (WIDTH / (SIDE - 1));
            world.integrationParameters.numSolverIterations = iterations;
            world.createCollider(R.ColliderDesc.ball(BALL.radius).setTranslation(...BALL.place).setFriction(BOX.friction));
            const bodies = clothNodes().map((place) => {
                const body = world.createRigidBody(R.RigidBodyDesc.dynamic().setTranslation(...place).lockRotations().setCanSleep(false));
                // Nodes meet the ball and the ground, not each other.
                world.createCollider(R.ColliderDesc.ball(nodeRadius).setMass(CLOTH_MASS / SIDE ** 2).setCollisionGroups(0x00020001), body);
                return body;
            });
            for (const [i, k] of clothEdges()) world.createImpulseJoint(R.JointData.rope(WIDTH / (SIDE - 1), vector([0, 0, 0]), vector([0, 0, 0])), bodies[i], bodies[k], false);
            return {
                step: () => world.step(),
                nodes: () => bodies.map((body) => Object.values(body.translation())),
            };
        },
        boxes() {
            const world = makeWorld(), half = BOX.size / 2, [x, y, z, w] = BOX_TURN;
            const bodies = boxPlaces().map((place) => {
                const body = world.createRigidBody(R.RigidBodyDesc.dynamic().setTranslation(...place).setRotation({ x, y, z, w }).setCanSleep(false));
                world.createCollider(R.ColliderDesc.cuboid(half, half, half).setFriction(BOX.friction).setDensity(BOX.density), body);
                return body;
            });
            return { step: () => world.step(), heights: () => bodies.map((body) => body.translation().y) };
        },
    };
}
