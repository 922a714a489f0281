// One simulation and its picture: a worker, a view, and the settings it runs with.
import type { Settings, SettingName, Figures } from './engine';
import type { Frame, FromWorker, Overlays, ToWorker } from './messages';
import type { SavedState } from './state';
import { View } from './view';

export class Player {
    readonly view: View;
    settings: Partial<Settings> = {}; // changed by the user
    sceneSettings: Settings | null = null; // as the scene has them
    frame: Frame | null = null;
    figures: Figures | null = null;
    onLoaded: () => void = () => {};
    onFrame: (frame: Frame) => void = () => {};
    onError: (text: string) => void = () => {};
    onGrabbed: (caught: boolean) => void = () => {};
    onCut: (count: number) => void = () => {};
    onAdvanced: (hash: string) => void = () => {};

    private readonly worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
    private waiting = false; // for the answer to a tick
    private owed = 0; // simulated time not yet asked for [s]
    private spare: ArrayBuffer | undefined;

    constructor(canvas: HTMLCanvasElement, labels: HTMLElement, module: WebAssembly.Module) {
        this.view = new View(canvas, labels);
        this.worker.onmessage = (event: MessageEvent<FromWorker>) => this.receive(event.data);
        this.worker.onerror = (event) => this.onError(event.message);
        this.send({ type: 'start', module });
    }

    send(message: ToWorker, transfer: Transferable[] = []): void {
        this.worker.postMessage(message, transfer);
    }

    load(state: SavedState): void {
        this.view.setLooks(state.looks);
        this.sceneSettings = null;
        this.frame = null;
        this.send({ type: 'load', snapshot: state.snapshot, drive: state.looks.drive ?? [], stepLength: state.stepLength, settings: { ...this.settings } });
    }

    set(name: SettingName, value: number): void {
        this.settings[name] = value;
        this.send({ type: 'set', name, value });
    }

    setOverlays(overlays: Overlays): void {
        this.send({ type: 'overlays', overlays });
    }

    /** Asks for so much simulated time, unless the last answer is still awaited. */
    tick(seconds: number): void {
        this.owed = Math.min(this.owed + seconds, 0.1);
        if (this.waiting) return;
        this.waiting = true;
        const recycle = this.spare;
        this.spare = undefined;
        this.send({ type: 'tick', seconds: this.owed, recycle }, recycle !== undefined ? [recycle] : []);
        this.owed = 0;
    }

    end(): void {
        this.worker.terminate();
        this.view.renderer.dispose();
    }

    private receive(message: FromWorker): void {
        switch (message.type) {
        case 'frame':
            this.waiting = false;
            this.view.apply(message);
            this.frame = message;
            this.figures = message.figures ?? this.figures;
            this.onFrame(message);
            this.spare = message.buffer;
            break;
        case 'idle':
            this.waiting = false;
            break;
        case 'layout':
            this.view.setLayout(message.layout, message.number);
            break;
        case 'loaded':
            if (this.view.layoutNumber < 0 && this.view.layout !== null) this.view.setLayout(this.view.layout, this.view.lastLayout);
            this.sceneSettings = { ...message.settings };
            this.onLoaded();
            break;
        case 'grabbed':
            this.onGrabbed(message.caught);
            break;
        case 'cut':
            this.onCut(message.count);
            break;
        case 'advanced':
            this.onAdvanced(message.hash);
            break;
        case 'error':
            this.onError(message.text);
            break;
        }
    }
}
