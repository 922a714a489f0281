// The engine as WebAssembly: no imports, small, and bit for bit what the native one computes.
//
//   node engine_test.mjs ENGINE.wasm SINEW_COMMAND FOLDER_OF_STATES [STEPS [SCENE…]]
import assert from 'node:assert';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { pack, unpack } from '../src/pack.mjs';
import { openEngine, readState } from './node_engine.mjs';

const [wasm, command, folder, stepsText = '300', ...only] = process.argv.slice(2);
const steps = Number(stepsText);
// Of what the page fetches, gzipped; docs/limitations.md says where the bytes are.
const MOST_PACKED_BYTES = 350 * 1024;

function cpuSeconds() {
    const used = process.cpuUsage();
    return (used.user + used.system) * 1e-6;
}

function testHasNoImportsAndIsSmall() {
    const { module } = openEngine(wasm);
    assert.deepEqual(WebAssembly.Module.imports(module), []);
    const bytes = readFileSync(wasm), packed = pack(bytes);
    assert(bytes.equals(unpack(packed)));
    const size = gzipSync(packed, { level: 9 }).length, plain = gzipSync(bytes, { level: 9 }).length;
    console.log(`module: ${(size / 1024).toFixed(0)} KB gzipped as the page fetches it, ${(plain / 1024).toFixed(0)} KB as it is`);
    assert(size <= MOST_PACKED_BYTES, `${size} bytes gzipped, expected at most ${MOST_PACKED_BYTES}`);
}

/** Shuffles of eight bytes and nothing are a dozen instructions in browsers, not one: see sn_f4_upper_in_turn. */
function testShufflesAreWhole() {
    const bytes = readFileSync(wasm), half = Buffer.from([8, 9, 10, 11, 24, 25, 26, 27, 0, 0, 0, 0, 0, 0, 0, 0]);
    let count = 0; // a few of the compiler's own making
    for (let at = bytes.indexOf(half); at >= 0; at = bytes.indexOf(half, at + 1)) ++count;
    assert(count < 20, `${count} transpositions are not told all of their bytes`);
}

/** The module has its own formats (web/engine/text.c): a state with a wrong byte is refused in the native command's words. */
function testSaysWhatIsWrong(name) {
    const bytes = Buffer.from(readFileSync(join(folder, `${name}.state`))), scratch = mkdtempSync(join(tmpdir(), 'sinew-'));
    bytes[bytes.length - 100] ^= 1;
    const path = join(scratch, 'wrong.state');
    writeFileSync(path, bytes);
    const native = spawnSync(command, ['run', path, '--steps', '1']).stderr.toString();
    const { snapshot } = readState(path);
    assert.throws(() => openEngine(wasm).open(snapshot), (error) => native.includes(error.message.split(' (')[0]) && /[0-9a-f]{16}/.test(error.message));
    rmSync(scratch, { recursive: true });
}

/** Its own memory, too (web/engine/memory.c): what a scene leaves is used by the next. */
function testMemoryIsUsedAgain(names) {
    const engine = openEngine(wasm), states = names.map((name) => readState(join(folder, `${name}.state`)));
    const round = () => {
        for (const { snapshot, stepLength } of states) {
            engine.open(snapshot);
            for (let i = 0; i < 5; ++i) engine.step(stepLength);
        }
        return engine.c.memory.buffer.byteLength;
    };
    // Until there is a free piece for everything that comes; then rounds enough for a leak of a few kilobytes to show.
    for (let i = 0; i < 16; ++i) round();
    const size = round();
    for (let i = 0; i < 24; ++i) assert.equal(round(), size, 'memory grows with every opening');
}

function testHashIsNative(name) {
    const path = join(folder, `${name}.state`);
    const report = JSON.parse(execFileSync(command, ['run', path, '--steps', String(steps), '--json']).toString());
    const { stepLength, snapshot, views } = readState(path);
    const engine = openEngine(wasm);
    engine.open(snapshot);
    engine.drive(views.drive);
    const begin = cpuSeconds();
    for (let i = 0; i < steps; ++i) engine.step(stepLength);
    const perStep = (1e3 * (cpuSeconds() - begin)) / steps;
    assert.equal(engine.hash(), report.hash, `${name}: hash after ${steps} steps differs from the native one`);
    console.log(`${name.padEnd(24)} ${report.hash}  ${perStep.toFixed(2)} ms/step`);
}

testHasNoImportsAndIsSmall();
const names = readdirSync(folder).filter((file) => file.endsWith('.state')).map((file) => file.slice(0, -6)).sort();
assert(names.length > 30, `only ${names.length} scenes`);
testShufflesAreWhole();
testSaysWhatIsWrong('ragdoll');
testMemoryIsUsedAgain(['ragdoll', 'dominoes', 'flag', 'ragdoll']);
for (const name of only.length > 0 ? only : names) testHashIsNative(name);
