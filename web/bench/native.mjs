// CPU time of the engine as WebAssembly in node against the native command, with and without AVX2, one thread.
//
//   node native.mjs ENGINE.wasm SINEW_COMMAND FOLDER_OF_STATES [STEPS [SCENE…]]
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { openEngine, readState } from '../tests/node_engine.mjs';

const [wasm, command, folder, stepsText = '100', ...given] = process.argv.slice(2);
const steps = Number(stepsText), scenes = given.length > 0 ? given : ['cloth_sphere', 'jelly_chocolate_dish', 'tower', 'ragdoll'];

/** Milliseconds of CPU a step; what loading takes is measured by a run of one step and taken off. */
function nativeTime(path, environment) {
    const seconds = (count) => {
        const run = spawnSync('bash', ['-c', 'TIMEFORMAT="%U %S"; time "$0" run "$1" --steps "$2" --json >/dev/null', command, path, String(count)], { env: { ...process.env, ...environment } });
        const [user, system] = run.stderr.toString().trim().split(/\s+/).slice(-2).map(Number);
        return user + system;
    };
    return (1e3 * (seconds(steps + 1) - seconds(1))) / steps;
}

// Node's compiler makes fast code of what was called often, in threads of its own whose time counts with ours: milliseconds
// of steps after which it has done so.
const WARM = 5000;

function moduleTime(path) {
    const { stepLength, snapshot } = readState(path), engine = openEngine(wasm);
    const cpu = () => 1e-3 * (process.cpuUsage().user + process.cpuUsage().system);
    const run = () => {
        engine.open(snapshot);
        engine.step(stepLength);
        const begin = cpu();
        for (let i = 0; i < steps; ++i) engine.step(stepLength);
        return cpu() - begin;
    };
    for (let spent = 0; spent < WARM;) spent += run();
    return run() / steps;
}

// Others use the machine: of three times, taken in turn, the least.
const ROUNDS = 3;

function measure(path) {
    const times = [Infinity, Infinity, Infinity];
    for (let i = 0; i < ROUNDS; ++i) {
        const now = [moduleTime(path), nativeTime(path, { SINEW_NO_AVX2: '1' }), nativeTime(path, {})];
        now.forEach((time, k) => (times[k] = Math.min(times[k], time)));
    }
    return times;
}

console.log('| scene | WebAssembly | native, no AVX2 | native, AVX2 | ratios |\n| --- | --- | --- | --- | --- |');
for (const name of scenes) {
    const path = join(folder, `${name}.state`);
    const [module, base, wide] = measure(path);
    console.log(`| ${name} | ${module.toFixed(2)} | ${base.toFixed(2)} | ${wide.toFixed(2)} | ${(module / base).toFixed(2)}, ${(module / wide).toFixed(2)} |`);
}
