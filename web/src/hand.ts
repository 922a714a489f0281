// Pointers on the canvas: what is caught is dragged, what is not lets the camera orbit; strokes cut; clicks throw.
import * as THREE from 'three';
import type { Player } from './player';

export type Tool = 'hand' | 'cut' | 'ball' | 'weight';

const CUT_PIXELS = 6; // a stroke's pieces

interface Drag {
    pointer: number;
    player: Player;
    x: number;
    y: number;
    depth: number; // of what was caught; 0 until the engine answered
}

export class Hand {
    tool: Tool = 'hand';
    onHold: (holding: boolean) => void = () => {};
    onThrow: () => void = () => {};
    private drag: Drag | null = null;
    private stroke: { x: number; y: number }[] = [];

    constructor(private readonly players: () => Player[], private readonly strokeLine: SVGPolylineElement, private readonly force: HTMLElement) {}

    attach(player: Player): void {
        const { canvas } = player.view;
        // Before the camera's own listeners, so that it can be kept from turning.
        canvas.addEventListener('pointerdown', (event) => this.down(event, player), { capture: true });
        canvas.addEventListener('pointermove', (event) => this.move(event));
        for (const name of ['pointerup', 'pointercancel', 'lostpointercapture'] as const) canvas.addEventListener(name, (event) => this.up(event));
        player.onGrabbed = (caught) => this.grabbed(player, caught);
    }

    private place(event: PointerEvent, player: Player): { x: number; y: number } {
        const box = player.view.canvas.getBoundingClientRect();
        return { x: event.clientX - box.left, y: event.clientY - box.top };
    }

    private down(event: PointerEvent, player: Player): void {
        if (event.button !== 0 || this.drag !== null || event.shiftKey || event.ctrlKey || event.metaKey) return;
        const { x, y } = this.place(event, player);
        if (this.tool === 'hand') {
            this.drag = { pointer: event.pointerId, player, x, y, depth: 0 };
            const { origin, direction } = player.view.ray(x, y);
            const ray = direction.multiplyScalar(player.view.reach).toArray(), from = origin.toArray();
            for (const each of this.players()) each.send({ type: 'grab', origin: from, ray });
        } else if (this.tool === 'cut') {
            player.view.controls.enabled = false;
            this.drag = { pointer: event.pointerId, player, x, y, depth: 0 };
            this.stroke = [{ x, y }];
        } else {
            player.view.controls.enabled = false;
            this.drag = { pointer: event.pointerId, player, x, y, depth: 0 };
            this.launch(player, x, y);
        }
    }

    /** The engine's answer: if something was caught, the camera stands still. */
    private grabbed(player: Player, caught: boolean): void {
        if (this.drag === null || this.drag.player !== player) return;
        if (caught) {
            for (const each of this.players()) each.view.controls.enabled = false;
            this.drag.depth = -1; // told by the next frame
            this.onHold(true);
        } else {
            for (const each of this.players()) if (each !== player) each.send({ type: 'release' });
            this.drag = null;
        }
    }

    private move(event: PointerEvent): void {
        const { drag } = this;
        if (drag === null || event.pointerId !== drag.pointer) return;
        const { x, y } = this.place(event, drag.player);
        if (this.tool === 'cut' && this.stroke.length > 0) this.cutTo(drag.player, x, y);
        drag.x = x;
        drag.y = y;
        if (drag.depth > 0) this.moveHeld();
    }

    private moveHeld(): void {
        const { player, x, y, depth } = this.drag!;
        const place = player.view.unproject(x, y, depth).toArray();
        for (const each of this.players()) each.send({ type: 'move', place });
    }

    private up(event: PointerEvent): void {
        const { drag } = this;
        if (drag === null || event.pointerId !== drag.pointer) return;
        if (drag.depth !== 0 || this.tool === 'hand') for (const each of this.players()) each.send({ type: 'release' });
        for (const each of this.players()) each.view.controls.enabled = true;
        this.drag = null;
        this.stroke = [];
        this.strokeLine.setAttribute('points', '');
        this.force.hidden = true;
        this.onHold(false);
    }

    /** Shows the force, and learns how far away the held point is. */
    frame(player: Player, grab: Float32Array): void {
        const { drag } = this;
        if (drag === null || drag.player !== player || grab[0] === 0) return;
        const held = new THREE.Vector3().fromArray(grab, 4);
        if (drag.depth < 0) {
            drag.depth = player.view.depthOf(held);
            this.moveHeld();
        }
        const box = player.view.canvas.getBoundingClientRect(), { x, y } = player.view.project(held);
        this.force.hidden = false;
        this.force.textContent = forceText(grab[10]);
        this.force.style.transform = `translate(${(box.left + x + 14).toFixed(0)}px, ${(box.top + y - 30).toFixed(0)}px)`;
    }

    private cutTo(player: Player, x: number, y: number): void {
        const last = this.stroke[this.stroke.length - 1];
        if (Math.hypot(x - last.x, y - last.y) < CUT_PIXELS) return;
        const { view } = player, eye = view.camera.position.toArray();
        const from = view.unproject(last.x, last.y, view.reach).toArray(), to = view.unproject(x, y, view.reach).toArray();
        for (const each of this.players()) each.send({ type: 'cut', eye, from, to });
        this.stroke.push({ x, y });
        const box = view.canvas.getBoundingClientRect();
        this.strokeLine.setAttribute('points', this.stroke.slice(-24).map((p) => `${p.x + box.left},${p.y + box.top}`).join(' '));
    }

    private launch(player: Player, x: number, y: number): void {
        const { view } = player, size = view.sceneSize;
        if (this.tool === 'ball') {
            const { origin, direction } = view.ray(x, y), radius = 0.022 * size;
            const place = origin.clone().addScaledVector(direction, 0.15 * size).toArray(), velocity = direction.clone().multiplyScalar(3.5 * size).toArray();
            for (const each of this.players()) each.send({ type: 'throw', place, velocity, radius, mass: 2500 * 4.19 * radius ** 3 });
        } else {
            const above = view.unproject(x, y, view.depthOf(view.controls.target)).addScaledVector(view.camera.up, 0.08 * size);
            for (const each of this.players()) each.send({ type: 'drop', place: above.toArray(), size: 0.07 * size, mass: 8000 * (0.07 * size) ** 3 });
        }
        this.onThrow();
    }
}

function forceText(newtons: number): string {
    return newtons >= 1000 ? `${(newtons / 1000).toPrecision(3)} kN` : newtons >= 1 ? `${newtons.toPrecision(3)} N` : `${(1000 * newtons).toPrecision(2)} mN`;
}
