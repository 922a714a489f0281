// Sinew beside other engines that run in a page, all as WebAssembly in node, one after the other in one run: CPU time a
// step, and what it bought. Needs `npm ci` in this folder.
//
//   node peers.mjs ENGINE.wasm SINEW_COMMAND [STEPS]
import { openAmmo } from './peers/ammo.mjs';
import { openJolt } from './peers/jolt.mjs';
import { BOX, stretchOf } from './peers/problems.mjs';
import { openRapier } from './peers/rapier.mjs';
import { openSinew } from './peers/sinew.mjs';

const [wasm, command, stepsText = '180'] = process.argv.slice(2);
const steps = Number(stepsText);

/** Milliseconds of CPU a step. The first second is the fall; it counts like the rest. */
function measure(scene) {
    const cpu = () => {
        const { user, system } = process.cpuUsage();
        return 1e-3 * (user + system);
    };
    const begin = cpu();
    for (let i = 0; i < steps; ++i) scene.step();
    return (cpu() - begin) / steps;
}

function clothRow(engine, effort) {
    const scene = engine.cloth(effort), time = measure(scene);
    const { largest, mean } = scene.stretch?.(steps) ?? stretchOf(scene.nodes());
    return `| ${engine.name} ${engine.version} | ${engine.effort(effort)} | ${time.toFixed(2)} | ${(100 * largest).toFixed(2)} % | ${(100 * mean).toFixed(3)} % |`;
}

/** How deep the deepest box is in the ground, by its centre: a box that lies flat is half its size high. */
function boxRow(engine, effort) {
    const scene = engine.boxes(effort), time = measure(scene), heights = scene.heights();
    const sunk = Math.max(...heights.map((height) => BOX.size / 2 - height), 0);
    return `| ${engine.name} ${engine.version} | ${effort === undefined ? 'as it comes' : engine.effort(effort)} | ${time.toFixed(2)} | ${(1e3 * sunk).toFixed(1)} mm | ${Math.max(...heights).toFixed(2)} m |`;
}

const engines = [openSinew(wasm, command), await openJolt(), await openAmmo(), await openRapier()];
console.log(`A cloth of 51 × 51 nodes falls on a ball, ${steps} steps of 1/60 s\n`);
console.log('| engine | effort | CPU ms a step | largest stretch at the end | mean |\n| --- | --- | --- | --- | --- |');
for (const engine of engines) for (const effort of engine.clothEfforts) console.log(clothRow(engine, effort));
console.log(`\nA thousand boxes fall, ${steps} steps of 1/60 s, no sleep\n`);
console.log('| engine | effort | CPU ms a step | deepest in the ground | highest at the end |\n| --- | --- | --- | --- | --- |');
for (const engine of engines) for (const effort of engine.boxEfforts ?? [undefined]) console.log(boxRow(engine, effort));
