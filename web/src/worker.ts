// The simulation, away from the page: it steps when the page ticks, so that a hidden page rests, and answers with
// what is to be drawn. It never falls behind: what cannot be computed in time is left out, and time goes slower.
import { Engine, type Settings } from './engine';
import type { Frame, FromWorker, Overlays, ToWorker } from './messages';

// Steps a tick may take at most, and milliseconds after which no further one is begun.
const MOST_STEPS = 4, MOST_MILLISECONDS = 14;
const HISTORY_INTERVAL = 10, HISTORY_BYTES = 64e6;
const FIGURES_INTERVAL = 4; // frames

let engine: Engine;
let initial: Uint8Array | null = null, initialDrive: number[] = [];
let stepLength = 1 / 60, settings: Partial<Settings> = {}, sceneSettings: Settings;
let owed = 0, steps = 0, frames = 0, sentLayout = -1;
let dirty = false; // something changed since the last frame
let overlays: Overlays = { lines: 0, heat: false };
let history: { steps: number; bytes: Uint8Array; drive: Float64Array }[] = [], historyBytes = 0;
let spare: ArrayBuffer | undefined;

function send(message: FromWorker, transfer: Transferable[] = []): void {
    self.postMessage(message, { transfer });
}

function remember(): void {
    const bytes = engine.save();
    history.push({ steps, bytes, drive: engine.driven() });
    historyBytes += bytes.length;
    while (historyBytes > HISTORY_BYTES && history.length > 1) historyBytes -= history.shift()!.bytes.length;
}

function forget(): void {
    history = [];
    historyBytes = 0;
}

function advance(): void {
    if (steps % HISTORY_INTERVAL === 0) remember();
    engine.step(stepLength);
    ++steps;
    dirty = true;
}

/** Restores the last snapshot before this step, and computes what followed again. */
function back(): void {
    const wanted = steps - 1;
    while (history.length > 1 && history[history.length - 1].steps > wanted) historyBytes -= history.pop()!.bytes.length;
    const saved = history[history.length - 1];
    if (wanted < 0 || saved === undefined || saved.steps > wanted) return;
    engine.open(saved.bytes);
    engine.drive(saved.drive);
    engine.grabEnd();
    for (steps = saved.steps; steps < wanted; ++steps) engine.step(stepLength);
    dirty = true;
}

/** After the user's hand changed the world: going back goes no farther than here in one piece. */
function touched(): void {
    if (history.length > 0 && history[history.length - 1].steps === steps) historyBytes -= history.pop()!.bytes.length;
    remember();
    dirty = true;
}

function load(): void {
    engine.open(initial!);
    engine.drive(initialDrive);
    engine.resetFactors();
    sceneSettings = engine.settings();
    for (const [name, value] of Object.entries(settings)) engine.set(name as keyof Settings, value);
    forget();
    steps = owed = 0;
    dirty = true;
}

// --- frames ----------------------------------------------------------------------------------------------------

function sendLayout(): void {
    if (engine.layout !== sentLayout) {
        sentLayout = engine.layout;
        send({ type: 'layout', number: sentLayout, layout: engine.readLayout() });
    }
}

/** Copies arrays of the engine's into one buffer, one after the other. */
class Packer {
    private used = 0;
    constructor(readonly buffer: ArrayBuffer) {}
    add(from: Float32Array): Float32Array {
        const to = new Float32Array(this.buffer, this.used, from.length);
        to.set(from);
        this.used += 4 * from.length;
        return to;
    }
}

const nothing = new Float32Array(0);

function sendFrame(milliseconds: number, stepsTaken: number): void {
    sendLayout();
    engine.refresh(overlays.heat);
    const lines = engine.lines(overlays.lines), ropes = engine.ropes(), count = engine.softCount;
    let size = engine.poses().length + lines.length + ropes.length + 22 + engine.bodyCount;
    for (let i = 0; i < count; ++i) size += (7 * engine.softPositions(i).length) / 3;
    const pack = new Packer(spare !== undefined && spare.byteLength >= 4 * size ? spare : new ArrayBuffer(6 * 4 * Math.ceil(size / 4)));
    spare = undefined;
    const frame: Frame = {
        type: 'frame',
        layout: sentLayout,
        time: engine.time,
        steps,
        milliseconds,
        stepsTaken,
        buffer: pack.buffer,
        poses: pack.add(engine.poses()),
        softs: Array.from({ length: count }, (_, i) => ({
            positions: pack.add(engine.softPositions(i)),
            normals: pack.add(engine.softNormals(i)),
            heat: overlays.heat ? pack.add(engine.softHeat(i)) : nothing,
        })),
        bodyHeat: overlays.heat ? pack.add(engine.bodyHeat()) : nothing,
        ropes: pack.add(ropes),
        lines: pack.add(lines),
        grab: pack.add(engine.grabState()),
        look: pack.add(engine.look()),
        figures: frames % FIGURES_INTERVAL === 0 || stepsTaken === 0 ? engine.figures() : null,
    };
    ++frames;
    dirty = false;
    send(frame, [frame.buffer]);
}

function tick(seconds: number): void {
    owed = Math.min(owed + seconds, MOST_STEPS * stepLength);
    const begin = performance.now();
    let taken = 0;
    // A little less than a step owed is a step: displays do not tick at exactly 60 Hz.
    while (owed > 0.9 * stepLength && (taken === 0 || performance.now() - begin < MOST_MILLISECONDS)) {
        advance();
        owed -= stepLength;
        ++taken;
    }
    if (owed > stepLength) owed = 0;
    if (dirty) sendFrame(performance.now() - begin, taken);
    else send({ type: 'idle' });
}

function handle(message: ToWorker): void {
    switch (message.type) {
    case 'start':
        engine = new Engine(message.module);
        break;
    case 'load':
        initial = message.snapshot;
        initialDrive = message.drive;
        ({ stepLength, settings } = message);
        load();
        sendLayout();
        send({ type: 'loaded', settings: sceneSettings });
        break;
    case 'tick':
        spare = message.recycle ?? spare;
        if (initial !== null) tick(message.seconds);
        else send({ type: 'idle' });
        break;
    case 'step':
        advance();
        break;
    case 'back':
        back();
        break;
    case 'reset':
        load();
        break;
    case 'advance':
        for (let i = 0; i < message.steps; ++i) {
            engine.step(stepLength);
            ++steps;
        }
        dirty = true;
        send({ type: 'advanced', hash: engine.hash() });
        break;
    case 'set':
        settings[message.name] = message.value;
        engine.set(message.name, message.value);
        touched();
        break;
    case 'overlays':
        ({ overlays } = message);
        dirty = true;
        break;
    case 'grab':
        send({ type: 'grabbed', caught: engine.grab(message.origin, message.ray) });
        touched();
        break;
    case 'move':
        engine.grabMove(message.place);
        dirty = true;
        break;
    case 'release':
        engine.grabEnd();
        touched();
        break;
    case 'cut':
        send({ type: 'cut', count: engine.cut(message.eye, message.from, message.to) });
        touched();
        break;
    case 'throw':
        engine.throwBall(message.place, message.velocity, message.radius, message.mass);
        touched();
        break;
    case 'drop':
        engine.dropCube(message.place, message.size, message.mass);
        touched();
        break;
    }
}

self.onmessage = (event: MessageEvent<ToWorker>) => {
    try {
        handle(event.data);
    } catch (error) {
        send({ type: 'error', text: error instanceof Error ? error.message : String(error) });
        if (event.data.type === 'tick') send({ type: 'idle' });
    }
};
