// Jolt as npm's jolt-physics: XPBD cloth, sequential impulses, one thread.
import { createRequire } from 'node:module';
import initialize from 'jolt-physics/wasm-compat';
import { BALL, BOX, BOX_TURN, boxPlaces, CLOTH_MASS, clothNodes, clothTriangles, SIDE, STEP } from './problems.mjs';

const require = createRequire(import.meta.url);
const FIXED = 0, MOVING = 1; // layers

function makeWorld(J) {
    const settings = new J.JoltSettings(), pairs = new J.ObjectLayerPairFilterTable(2);
    pairs.EnableCollision(FIXED, MOVING);
    pairs.EnableCollision(MOVING, MOVING);
    const layers = new J.BroadPhaseLayerInterfaceTable(2, 2);
    for (const layer of [FIXED, MOVING]) layers.MapObjectToBroadPhaseLayer(layer, new J.BroadPhaseLayer(layer));
    settings.mObjectLayerPairFilter = pairs;
    settings.mBroadPhaseLayerInterface = layers;
    settings.mObjectVsBroadPhaseLayerFilter = new J.ObjectVsBroadPhaseLayerFilterTable(layers, 2, pairs, 2);
    const jolt = new J.JoltInterface(settings);
    jolt.GetPhysicsSystem().SetGravity(new J.Vec3(0, -9.81, 0));
    return { jolt, bodies: jolt.GetPhysicsSystem().GetBodyInterface() };
}

function addBody(J, bodies, shape, place, turn, moves) {
    const settings = new J.BodyCreationSettings(shape, new J.RVec3(...place), new J.Quat(...turn), moves ? J.EMotionType_Dynamic : J.EMotionType_Static, moves ? MOVING : FIXED);
    settings.mFriction = BOX.friction;
    settings.mAllowSleeping = false;
    const body = bodies.CreateBody(settings);
    bodies.AddBody(body.GetID(), moves ? J.EActivation_Activate : J.EActivation_DontActivate);
    return body;
}

function addGround(J, bodies) {
    addBody(J, bodies, new J.BoxShape(new J.Vec3(100, 1, 100), 0.05), [0, -1, 0], [0, 0, 0, 1], false);
}

function clothSettings(J) {
    const settings = new J.SoftBodySharedSettings();
    for (const place of clothNodes()) {
        const vertex = new J.SoftBodySharedSettingsVertex();
        vertex.mPosition = new J.Float3(...place);
        vertex.mInvMass = (SIDE * SIDE) / CLOTH_MASS;
        settings.mVertices.push_back(vertex);
    }
    for (const corners of clothTriangles()) settings.AddFace(new J.SoftBodySharedSettingsFace(...corners, 0));
    const attributes = new J.SoftBodySharedSettingsVertexAttributes();
    attributes.mCompliance = 0;
    attributes.mShearCompliance = 0.2; // 1 / (5 N/m), as in the scene
    attributes.mBendCompliance = 100;
    settings.CreateConstraints(attributes, 1, J.SoftBodySharedSettings_EBendType_Distance);
    settings.Optimize();
    return settings;
}

export async function openJolt() {
    const J = await initialize();
    return {
        name: 'Jolt',
        version: require('../node_modules/jolt-physics/package.json').version,
        clothEfforts: [5, 10, 20, 28, 40],
        effort: (iterations) => `${iterations} iterations`,
        cloth(iterations) {
            const { jolt, bodies } = makeWorld(J);
            addGround(J, bodies);
            addBody(J, bodies, new J.SphereShape(BALL.radius), BALL.place, [0, 0, 0, 1], false);
            const settings = new J.SoftBodyCreationSettings(clothSettings(J), new J.RVec3(0, 0, 0), new J.Quat(0, 0, 0, 1), MOVING);
            settings.mNumIterations = iterations;
            settings.mUpdatePosition = false;
            settings.mFriction = BOX.friction;
            settings.mAllowSleeping = false;
            const body = bodies.CreateSoftBody(settings);
            bodies.AddBody(body.GetID(), J.EActivation_Activate);
            const motion = J.castObject(body.GetMotionProperties(), J.SoftBodyMotionProperties);
            const read = (i) => {
                const p = motion.GetVertex(i).mPosition;
                return [p.GetX(), p.GetY(), p.GetZ()];
            };
            return { step: () => jolt.Step(STEP, 1), nodes: () => Array.from({ length: SIDE * SIDE }, (_, i) => read(i)) };
        },
        boxes() {
            const { jolt, bodies } = makeWorld(J), half = BOX.size / 2;
            addGround(J, bodies);
            const shape = new J.BoxShape(new J.Vec3(half, half, half), 0.01);
            const boxes = boxPlaces().map((place) => addBody(J, bodies, shape, place, BOX_TURN, true));
            return { step: () => jolt.Step(STEP, 1), heights: () => boxes.map((body) => body.GetPosition().GetY()) };
        },
    };
}
