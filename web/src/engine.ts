// The engine: the WebAssembly module of web/engine, called by name, its arrays seen where they are. Views are made
// anew at each call, because memory that grows moves.

type Exports = Record<string, (...numbers: number[]) => number> & {
    memory: WebAssembly.Memory;
    __indirect_function_table: WebAssembly.Table;
    _initialize: () => void;
};

export const SHAPE_WORDS = 14;
const LOOK = 10; // numbers of page_look
export const HULL = 3, PLANE = 4, SURFACE = 5, COMPOUND = 6;

export interface ShapeEntry {
    body: number;
    type: number;
    index: number;
    generation: number;
    positions: Float32Array;
    normals: Float32Array;
    indices: Uint32Array;
    color: number;
    sensor: boolean;
    plane: [number, number, number, number];
}

export interface SoftEntry {
    index: number;
    generation: number;
    name: string;
    indices: Uint32Array;
    vertexCount: number;
    color: number;
    closed: boolean;
}

export interface Layout {
    shapes: ShapeEntry[];
    softs: SoftEntry[];
    bodyNames: string[];
    camera: Float32Array;
}

/** Indices of page_figures. */
export const FIGURES = [
    'step', 'collide', 'prepare', 'solve', 'integrate', 'models', 'kinetic', 'potential', 'elastic', 'jointError',
    'stretch', 'bodies', 'awakeBodies', 'constraints', 'contacts', 'softContacts', 'deformables', 'nodes', 'elements',
    'subSteps', 'bytes', 'frozen', 'steps', 'awakeDeformables',
] as const;
export type Figures = Record<(typeof FIGURES)[number], number>;

export const SETTINGS = ['gravity', 'solver', 'subSteps', 'longRange', 'stiffness', 'friction', 'sleep', 'iterations'] as const;
export type SettingName = (typeof SETTINGS)[number];
export type Settings = Record<SettingName, number>;

/** A module that imports a function and exports it again: so a function of JavaScript gets into a table. */
function wrapClock(clock: () => number): CallableFunction {
    const bytes = new Uint8Array([
        0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, // header
        1, 5, 1, 0x60, 0, 1, 0x7c, // type: () -> f64
        2, 7, 1, 1, 0x65, 1, 0x63, 0, 0, // import e.c
        7, 5, 1, 1, 0x63, 0, 0, // export c
    ]);
    return new WebAssembly.Instance(new WebAssembly.Module(bytes), { e: { c: clock } }).exports.c as CallableFunction;
}

export class Engine {
    private readonly c: Exports;

    constructor(module: WebAssembly.Module) {
        this.c = new WebAssembly.Instance(module, {}).exports as unknown as Exports;
        this.c._initialize();
        const table = this.c.__indirect_function_table;
        const index = table.grow(1);
        table.set(index, wrapClock(() => performance.now() * 1e-3));
        this.c.page_clock_set(index);
    }

    private floats(address: number, count: number): Float32Array {
        return new Float32Array(this.c.memory.buffer, address, count);
    }

    private text(address: number): string {
        const bytes = new Uint8Array(this.c.memory.buffer, address);
        return new TextDecoder().decode(bytes.slice(0, bytes.indexOf(0)));
    }

    private check(status: number): void {
        if (status !== 0) throw new Error(this.text(this.c.page_error()));
    }

    /** Makes the world what the snapshot says. */
    open(snapshot: Uint8Array): void {
        const address = this.c.page_allocate(snapshot.length);
        if (address === 0) throw new Error('The scene is too large for this browser’s memory.');
        new Uint8Array(this.c.memory.buffer, address, snapshot.length).set(snapshot);
        const status = this.c.page_open(address, snapshot.length);
        this.c.page_release(address);
        this.check(status);
    }

    /** Lets motions and events drive the world: after every opening, the numbers of a saved state or of `driven`. */
    drive(numbers: ArrayLike<number>): void {
        const address = this.c.page_allocate(8 * numbers.length + 8);
        if (address === 0) throw new Error('The scene is too large for this browser’s memory.');
        new Float64Array(this.c.memory.buffer, address, numbers.length).set(numbers);
        const status = this.c.page_drive(address, numbers.length);
        this.c.page_release(address);
        if (status !== 0) throw new Error('The scene is driven by numbers that make no sense.');
    }

    /** Those numbers, with what has happened so far. */
    driven(): Float64Array {
        const address = this.c.page_driven();
        return new Float64Array(this.c.memory.buffer, address, address === 0 ? 0 : this.c.page_driven_count()).slice();
    }

    /** Eye and target of the scene's camera, direction and strength of its light, now; empty if none of them moves. */
    look(): Float32Array {
        const address = this.c.page_look();
        return address === 0 ? new Float32Array(0) : this.floats(address, LOOK);
    }

    save(): Uint8Array {
        const address = this.c.page_save();
        if (address === 0) throw new Error(this.text(this.c.page_error()));
        return new Uint8Array(this.c.memory.buffer, address, this.c.page_saved_size()).slice();
    }

    step(duration: number): void {
        this.check(this.c.page_step(duration));
    }

    hash(): string {
        const [low, high] = new Uint32Array(this.c.memory.buffer, this.c.page_hash(), 2);
        return high.toString(16).padStart(8, '0') + low.toString(16).padStart(8, '0');
    }

    get time(): number {
        return this.c.page_time();
    }

    figures(): Figures {
        const values = this.floats(this.c.page_figures(), FIGURES.length);
        return Object.fromEntries(FIGURES.map((name, i) => [name, values[i]])) as Figures;
    }

    settings(): Settings {
        return Object.fromEntries(SETTINGS.map((name, i) => [name, this.c.page_setting_get(i)])) as Settings;
    }

    set(name: SettingName, value: number): void {
        this.check(this.c.page_setting_set(SETTINGS.indexOf(name), value));
    }

    /** Forgets the numbers that stiffness and friction are factors of: another scene is there. */
    resetFactors(): void {
        this.c.page_factors_reset();
    }

    // --- drawing -----------------------------------------------------------------------------------------------

    get layout(): number {
        return this.c.page_layout();
    }

    get bodyCount(): number {
        return this.c.page_body_count();
    }

    /** What there is to draw, copied. */
    readLayout(): Layout {
        const c = this.c;
        const shapeCount = c.page_shape_count(), softCount = c.page_soft_count(), start = c.page_shapes();
        const words = new Uint32Array(c.memory.buffer, start, shapeCount * SHAPE_WORDS);
        const numbers = this.floats(start, shapeCount * SHAPE_WORDS);
        const [positions, normals, indices] = [c.page_shape_positions(), c.page_shape_normals(), c.page_shape_indices()];
        const shapes: ShapeEntry[] = [];
        for (let i = 0; i < shapeCount; ++i) {
            const [body, type, index, generation, vertex, vertices, first, count, color, sensor] = words.subarray(i * SHAPE_WORDS);
            const plane = numbers.subarray(i * SHAPE_WORDS + 10, i * SHAPE_WORDS + 14);
            shapes.push({
                body, type, index, generation, color,
                sensor: sensor !== 0,
                positions: this.floats(positions + 12 * vertex, 3 * vertices).slice(),
                normals: this.floats(normals + 12 * vertex, 3 * vertices).slice(),
                indices: new Uint32Array(c.memory.buffer, indices + 4 * first, count).slice(),
                plane: [plane[0], plane[1], plane[2], plane[3]],
            });
        }
        const softs = Array.from({ length: softCount }, (_, i) => {
            const [index, generation, , , indexAddress, , vertexCount, triangles, color, closed] = this.soft(i);
            return {
                index, generation, vertexCount, color,
                name: this.text(c.page_soft_name(i)),
                indices: new Uint32Array(c.memory.buffer, indexAddress, 3 * triangles).slice(),
                closed: closed !== 0,
            };
        });
        const bodyNames = Array.from({ length: this.bodyCount }, (_, i) => this.text(c.page_body_name(i)));
        return { shapes, softs, bodyNames, camera: this.floats(c.page_camera(), 10).slice() };
    }

    private soft(i: number): Uint32Array {
        return new Uint32Array(this.c.memory.buffer, this.c.page_softs() + 40 * i, 10);
    }

    refresh(heat: boolean): void {
        this.c.page_refresh(heat ? 1 : 0);
    }

    poses(): Float32Array {
        return this.floats(this.c.page_poses(), 8 * this.bodyCount);
    }

    bodyHeat(): Float32Array {
        return this.floats(this.c.page_body_heat(), this.bodyCount);
    }

    softPositions(i: number): Float32Array {
        const [, , positions, , , , count] = this.soft(i);
        return this.floats(positions, 3 * count);
    }

    softNormals(i: number): Float32Array {
        const [, , , normals, , , count] = this.soft(i);
        return this.floats(normals, 3 * count);
    }

    softHeat(i: number): Float32Array {
        const [, , , , , heat, count] = this.soft(i);
        return this.floats(heat, count);
    }

    get softCount(): number {
        return this.c.page_soft_count();
    }

    ropes(): Float32Array {
        return this.floats(this.c.page_ropes(), 8 * this.c.page_rope_count());
    }

    lines(overlays: number): Float32Array {
        const count = this.c.page_lines(overlays);
        return this.floats(this.c.page_line_data(), 8 * count);
    }

    // --- the hand ----------------------------------------------------------------------------------------------

    grab(origin: number[], ray: number[]): boolean {
        return this.c.page_grab(...origin, ...ray) !== 0;
    }

    grabMove(place: number[]): void {
        this.c.page_grab_move(...place);
    }

    grabEnd(): void {
        this.c.page_grab_end();
    }

    grabState(): Float32Array {
        return this.floats(this.c.page_grab_state(), 12);
    }

    private withNumbers(numbers: number[], call: (address: number) => number): number {
        const address = this.c.page_allocate(4 * numbers.length);
        this.floats(address, numbers.length).set(numbers);
        const answer = call(address);
        this.c.page_release(address);
        return answer;
    }

    cut(eye: number[], from: number[], to: number[]): number {
        return this.withNumbers([...eye, ...from, ...to], (at) => this.c.page_cut(at, at + 12, at + 24));
    }

    throwBall(place: number[], velocity: number[], radius: number, mass: number): void {
        this.check(this.withNumbers([...place, ...velocity], (at) => this.c.page_throw(at, at + 12, radius, mass)));
    }

    dropCube(place: number[], size: number, mass: number): void {
        this.check(this.withNumbers(place, (at) => this.c.page_drop(at, size, mass)));
    }
}
