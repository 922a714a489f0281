// Sinew as WebAssembly. Its stretch is read from a trace of the native command, which computes the same bits.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEngine, readState } from '../../tests/node_engine.mjs';
import { BALL, BOX, CLOTH_HEIGHT, CLOTH_MASS, SIDE, WIDTH } from './problems.mjs';

const ground = { name: 'ground', shape: { type: 'plane', friction: BOX.friction } };

const world = (subSteps) => ({ sleep: false, ...(subSteps > 0 ? { sub_steps: subSteps } : {}) });

function clothScene(subSteps) {
    return {
        sinew: 1, step: 1 / 60, world: world(subSteps),
        bodies: [ground, { name: 'ball', type: 'static', position: BALL.place, shape: { type: 'sphere', radius: BALL.radius, friction: BOX.friction } }],
        deformables: [{
            name: 'cloth', position: [0, CLOTH_HEIGHT, 0], rotation: { axis: [1, 0, 0], angle: -90 }, mass: CLOTH_MASS, self_collide: false,
            mesh: { type: 'grid', width: WIDTH, height: WIDTH, columns: SIDE - 1, rows: SIDE - 1 },
            inextensible: { side: 'both', shear_stiffness: 5, shear_damping: 0.05 }, bending: { type: 'isometric', stiffness: 1e-4, damping: 0.01 },
        }],
        probes: [{ name: 'largest', deformable: 'cloth', value: 'stretch' }, { name: 'mean', deformable: 'cloth', value: 'mean_stretch' }],
    };
}

const boxScene = (subSteps) => ({
    sinew: 1, step: 1 / 60, world: world(subSteps),
    bodies: [ground, {
        name: 'box', position: [-1.35, 0.3, -1.35], rotation: { axis: [1, 2, 3], angle: 20 },
        shape: { type: 'box', size: [BOX.size, BOX.size, BOX.size], friction: BOX.friction, density: BOX.density },
        repeat: [{ count: 10, offset: [0.3, 0.02, 0.013] }, { count: 10, offset: [0.011, 0.02, 0.3] }, { count: 10, offset: [0.017, 0.4, -0.013] }],
    }],
});

export function openSinew(wasm, command) {
    const folder = mkdtempSync(join(tmpdir(), 'sinew-peers-'));
    const open = (scene) => {
        const path = join(folder, 'scene.json'), state = join(folder, 'scene.state');
        writeFileSync(path, JSON.stringify(scene));
        execFileSync(command, ['convert', path, state]);
        const { stepLength, snapshot } = readState(state), engine = openEngine(wasm);
        engine.open(snapshot);
        return { engine, step: () => engine.step(stepLength), path };
    };
    return {
        name: 'Sinew',
        version: JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version,
        clothEfforts: [0, 8],
        boxEfforts: [0, 8, 4],
        effort: (subSteps) => (subSteps === 0 ? 'as it comes' : `${subSteps} sub-steps`),
        cloth(subSteps) {
            const { step, path } = open(clothScene(subSteps));
            const stretch = (steps) => {
                execFileSync(command, ['run', path, '--steps', String(steps), '--trace', join(folder, 'trace.csv')]);
                const lines = readFileSync(join(folder, 'trace.csv'), 'utf8').trim().split('\n').filter((line) => !line.startsWith('#'));
                const names = lines[0].split(',').map((name) => name.replace(/["]/g, '').trim()), values = lines.at(-1).split(',').map(Number);
                const of = (name) => values[names.findIndex((column) => column.startsWith(name))];
                return { largest: of('largest'), mean: of('mean') };
            };
            return { step, stretch };
        },
        boxes(subSteps) {
            const { engine, step } = open(boxScene(subSteps));
            return {
                step,
                heights() {
                    engine.c.page_refresh(0);
                    const count = engine.c.page_body_count(), poses = new Float32Array(engine.c.memory.buffer, engine.c.page_poses(), 8 * count);
                    return Array.from({ length: count - 1 }, (_, i) => poses[8 * (i + 1) + 1]);
                },
            };
        },
    };
}
