// Saved states, as `sinew convert` writes them: a mark, the size of a JSON text, that text (looks), a snapshot.

export interface Camera {
    name?: string;
    eye: [number, number, number];
    target: [number, number, number];
    up?: [number, number, number];
    field_of_view?: number; // vertical [degrees]
}

export interface Label {
    text: string;
    body?: string;
    deformable?: string;
    position?: [number, number, number];
}

type Paint = [index: number, generation: number, color: string];

export interface Looks {
    title?: string;
    description?: string;
    step?: number;
    duration?: number;
    cameras?: Camera[];
    labels?: Label[];
    paints?: Paint[];
    deformable_paints?: Paint[];
    light?: { direction?: [number, number, number]; strength?: number; color?: string };
    drive?: number[]; // motions and events, for the engine
    deformable_opacities?: [index: number, generation: number, opacity: number][];
}

export interface SavedState {
    looks: Looks;
    snapshot: Uint8Array;
    stepLength: number;
}

const HEADER = 16;

export function readState(bytes: Uint8Array): SavedState {
    const mark = new TextDecoder('latin1').decode(bytes.subarray(0, 8));
    if (mark !== 'SINEWST1') throw new Error('This is no saved state of Sinew.');
    const size = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(8, true));
    if (size > bytes.length - HEADER) throw new Error('The saved state ends too early.');
    const looks = JSON.parse(new TextDecoder().decode(bytes.subarray(HEADER, HEADER + size))) as Looks;
    return { looks, snapshot: bytes.slice(HEADER + size), stepLength: Math.fround(looks.step ?? 1 / 60) };
}
