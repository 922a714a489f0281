// What the page and its workers tell each other.
import type { Figures, Layout, SettingName, Settings } from './engine';

export interface Overlays {
    lines: number; // bits of page_overlay
    heat: boolean;
}

export type ToWorker =
    | { type: 'start'; module: WebAssembly.Module }
    | { type: 'load'; snapshot: Uint8Array; drive: number[]; stepLength: number; settings: Partial<Settings> }
    | { type: 'tick'; seconds: number; recycle?: ArrayBuffer }
    | { type: 'step' }
    | { type: 'back' }
    | { type: 'reset' }
    | { type: 'advance'; steps: number } // for tests: so many steps at once, answered by 'advanced'
    | { type: 'set'; name: SettingName; value: number }
    | { type: 'overlays'; overlays: Overlays }
    | { type: 'grab'; origin: number[]; ray: number[] }
    | { type: 'move'; place: number[] }
    | { type: 'release' }
    | { type: 'cut'; eye: number[]; from: number[]; to: number[] }
    | { type: 'throw'; place: number[]; velocity: number[]; radius: number; mass: number }
    | { type: 'drop'; place: number[]; size: number; mass: number };

/** One picture: all arrays lie in one buffer, which goes back with the next tick. */
export interface Frame {
    type: 'frame';
    layout: number;
    time: number;
    steps: number;
    milliseconds: number; // of computing, all steps of this frame together
    stepsTaken: number;
    buffer: ArrayBuffer;
    poses: Float32Array;
    softs: { positions: Float32Array; normals: Float32Array; heat: Float32Array }[];
    bodyHeat: Float32Array;
    ropes: Float32Array;
    lines: Float32Array;
    grab: Float32Array;
    look: Float32Array; // of Engine.look
    figures: Figures | null;
}

export type FromWorker =
    | Frame
    | { type: 'idle' }
    | { type: 'layout'; number: number; layout: Layout }
    | { type: 'loaded'; settings: Settings }
    | { type: 'grabbed'; caught: boolean }
    | { type: 'cut'; count: number }
    | { type: 'advanced'; hash: string }
    | { type: 'error'; text: string };
