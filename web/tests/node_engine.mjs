// The engine in node, without the page: opens saved states and steps them. Used by tests and benchmarks.
import { readFileSync } from 'node:fs';

const HEADER_BYTES = 16;

/** A saved state is a mark, the size of a JSON text, that text, and a snapshot. */
export function readState(path) {
    const bytes = readFileSync(path);
    if (bytes.toString('latin1', 0, 8) !== 'SINEWST1') throw new Error(`${path} is no saved state`);
    const size = Number(bytes.readBigUInt64LE(8));
    const views = JSON.parse(bytes.toString('utf8', HEADER_BYTES, HEADER_BYTES + size));
    return { views, stepLength: Math.fround(views.step ?? 1 / 60), snapshot: bytes.subarray(HEADER_BYTES + size) };
}

export function openEngine(wasmPath) {
    const module = new WebAssembly.Module(readFileSync(wasmPath));
    const c = new WebAssembly.Instance(module, {}).exports;
    c._initialize();
    const text = (address) => {
        const bytes = new Uint8Array(c.memory.buffer, address);
        return Buffer.from(bytes.subarray(0, bytes.indexOf(0))).toString('utf8');
    };
    return {
        c,
        module,
        open(snapshot) {
            const address = c.page_allocate(snapshot.length);
            new Uint8Array(c.memory.buffer, address, snapshot.length).set(snapshot);
            const status = c.page_open(address, snapshot.length);
            c.page_release(address);
            if (status !== 0) throw new Error(text(c.page_error()));
        },
        /** What drives the scene: the numbers of its saved state, if it has any. */
        drive(numbers = []) {
            const address = c.page_allocate(8 * numbers.length + 8);
            new Float64Array(c.memory.buffer, address, numbers.length).set(numbers);
            const status = c.page_drive(address, numbers.length);
            c.page_release(address);
            if (status !== 0) throw new Error('The saved state is driven by numbers that make no sense.');
        },
        step(duration) {
            if (c.page_step(duration) !== 0) throw new Error(text(c.page_error()));
        },
        hash() {
            const [low, high] = new Uint32Array(c.memory.buffer, c.page_hash(), 2);
            return (high.toString(16).padStart(8, '0') + low.toString(16).padStart(8, '0'));
        },
    };
}
