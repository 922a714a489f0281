// Links: scene, settings and looks as the fragment of the address.
import { SETTINGS, type Settings } from './engine';

export interface Shared {
    scene: string | null;
    settings: [Partial<Settings>, Partial<Settings>];
    split: boolean;
    speed: number; // a power of two
    paused: boolean;
    show: string[];
    camera: number[] | null; // eye and target
}

export function readLink(fragment: string): Shared {
    const fields = new URLSearchParams(fragment.replace(/^#/, ''));
    const settings: [Partial<Settings>, Partial<Settings>] = [{}, {}];
    for (const name of SETTINGS) {
        ['', 'b.'].forEach((prefix, i) => {
            const text = fields.get(prefix + name), value = Number(text);
            if (text !== null && Number.isFinite(value)) settings[i][name] = value;
        });
    }
    const camera = fields.get('camera')?.split(',').map(Number) ?? null;
    return {
        scene: fields.get('scene'),
        settings,
        split: fields.has('split'),
        speed: Math.min(Math.max(Number(fields.get('speed') ?? 0) || 0, -5), 0),
        paused: fields.has('paused'),
        show: (fields.get('show') ?? '').split(',').filter((name) => name !== ''),
        camera: camera !== null && camera.length === 6 && camera.every(Number.isFinite) ? camera : null,
    };
}

export function writeLink(shared: Shared): string {
    const parts: string[] = [];
    if (shared.scene !== null) parts.push(`scene=${shared.scene}`);
    shared.settings.forEach((settings, i) => {
        if (i === 1 && !shared.split) return;
        for (const [name, value] of Object.entries(settings)) parts.push(`${i === 1 ? 'b.' : ''}${name}=${Number(value.toPrecision(4))}`);
    });
    if (shared.split) parts.push('split');
    if (shared.speed !== 0) parts.push(`speed=${shared.speed}`);
    if (shared.paused) parts.push('paused');
    if (shared.show.length > 0) parts.push(`show=${shared.show.join(',')}`);
    if (shared.camera !== null) parts.push(`camera=${shared.camera.map((number) => number.toFixed(3)).join(',')}`);
    return `#${parts.join('&')}`;
}
