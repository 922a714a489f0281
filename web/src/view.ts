// One picture of a world: three.js objects made from the engine's layout, moved by its frames.
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { COMPOUND, HULL, PLANE, SURFACE, type Layout, type ShapeEntry } from './engine';
import type { Frame } from './messages';
import type { Looks } from './state';
import { Floor } from './floor';
import { smoothNormals } from './smooth';

export interface Theme {
    sky: number;
    floor: number;
    line: number;
    ink: number;
    ambient: number;
    sun: number;
}

export const themes: Record<'light' | 'dark', Theme> = {
    light: { sky: 0xeef1f4, floor: 0xe4e8ec, line: 0xb4bcc6, ink: 0x24303d, ambient: 1.75, sun: 2.6 },
    dark: { sky: 0x14181d, floor: 0x1c2127, line: 0x39424d, ink: 0xdfe6ee, ambient: 1.1, sun: 2.3 },
};

const ASLEEP = new THREE.Color(0x8f99a6);
const HEAT_STOPS = [0x2b6cb0, 0x38a89d, 0xecc94b, 0xe53e3e].map((color) => new THREE.Color(color));
// What is drawn with less effort, step by step: pixels, and the size of the shadow's picture.
const QUALITIES = [{ pixels: 1, shadow: 2048 }, { pixels: 0.75, shadow: 1024 }, { pixels: 0.5, shadow: 1024 }, { pixels: 0.4, shadow: 512 }];
const SLOW_PICTURE = 40, PATIENCE = 20; // milliseconds; pictures
const POSE = 8, ROPE = 8, LINE = 8;
// Colour of bounds that carry nothing (SN_PEN_SLACK): beyond so many, they are fainter the more they are, or they hide what they hold.
const SLACK = 0x405060, SLACK_LINES = 60;

// Bright light fades into white as with NeutralToneMapping, which takes off besides what surroundings reflect: here are
// none, and dark colours would be too dark.
THREE.ShaderChunk.tonemapping_pars_fragment = THREE.ShaderChunk.tonemapping_pars_fragment.replace('vec3 CustomToneMapping( vec3 color ) { return color; }', `
vec3 CustomToneMapping(vec3 color) {
    const float start = 0.76, rest = 1.0 - start;
    float peak = max(color.r, max(color.g, color.b));
    if (peak < start) return color;
    float lower = 1.0 - rest * rest / (peak + rest - start);
    return mix(color * lower / peak, vec3(lower), 1.0 - 1.0 / (0.15 * (peak - lower) + 1.0));
}`);

function heatColor(value: number, out: THREE.Color): THREE.Color {
    const place = Math.min(Math.max(value, 0), 1) * (HEAT_STOPS.length - 1), low = Math.min(Math.floor(place), HEAT_STOPS.length - 2);
    return out.copy(HEAT_STOPS[low]).lerp(HEAT_STOPS[low + 1], place - low);
}

/** Bodies whose shapes look alike are drawn together. */
interface Batch {
    mesh: THREE.InstancedMesh;
    bodies: number[];
    colors: THREE.Color[];
}

interface Soft {
    meshes: THREE.Mesh[];
    center: THREE.Vector3; // about
    geometry: THREE.BufferGeometry;
    material: THREE.MeshStandardMaterial;
    color: THREE.Color;
}

function keyOf(shape: ShapeEntry): string {
    let hash = 2166136261;
    const words = new Uint32Array(shape.positions.buffer, shape.positions.byteOffset, shape.positions.length);
    for (const word of words) hash = Math.imul(hash ^ word, 16777619);
    return `${shape.type}:${shape.positions.length}:${hash}:${shape.sensor}`;
}

export class View {
    readonly scene = new THREE.Scene();
    readonly camera = new THREE.PerspectiveCamera(40, 1, 0.01, 500);
    readonly renderer: THREE.WebGLRenderer;
    readonly controls: OrbitControls;
    onContext: (lost: boolean) => void = () => {};
    wireframe = false;
    showSleep = false;
    heat = false;
    layoutNumber = -1;
    lastLayout = -1; // number of `layout`
    layout: Layout | null = null;

    private readonly world = new THREE.Group();
    private readonly sun = new THREE.DirectionalLight(0xfff4e6, 2.3);
    private readonly sky = new THREE.HemisphereLight(0xffffff, 0xb0a898, 1.2);
    private readonly floor = new Floor();
    private batches: Batch[] = [];
    private softs: Soft[] = [];
    private readonly ropes: THREE.InstancedMesh;
    private ropeRadius = 0.01;
    private readonly lines: THREE.LineSegments;
    private readonly hand = new THREE.Group();
    private readonly handLine: THREE.Mesh;
    private readonly handBall: THREE.Mesh;
    private readonly labels: { element: HTMLElement; body: number; position: THREE.Vector3; place: THREE.Vector3 }[] = [];
    private looks: Looks = {};
    private look = new Float32Array(0); // where the scene's own camera was in the last frame: eye and target
    private light: Looks['light']; // now
    private narrow = 1; // how much farther away than that the camera is
    private places: THREE.Vector3[] = [];
    private quality = 0;
    private slow = 0;
    private covered = 0;
    private lastDrawn = 0;
    private size = 1; // of what is looked at [m]
    private sunlight = 2.3; // of the theme
    private up = new THREE.Vector3(0, 1, 0);

    constructor(readonly canvas: HTMLCanvasElement, private readonly labelLayer: HTMLElement) {
        this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, powerPreference: 'high-performance' });
        this.renderer.shadowMap.enabled = true;
        this.renderer.shadowMap.type = THREE.PCFShadowMap;
        this.renderer.toneMapping = THREE.CustomToneMapping;
        // Without a graphics card there is no need to find out.
        const gl = this.renderer.getContext(), info = gl.getExtension('WEBGL_debug_renderer_info');
        if (info !== null && /swiftshader|llvmpipe|software/i.test(String(gl.getParameter(info.UNMASKED_RENDERER_WEBGL)))) this.quality = 2;
        this.controls = new OrbitControls(this.camera, canvas);
        this.controls.enableDamping = true;
        this.controls.dampingFactor = 0.12;
        this.controls.maxPolarAngle = Math.PI * 0.93;
        this.sun.castShadow = true;
        this.sun.shadow.mapSize.setScalar(QUALITIES[this.quality].shadow);
        this.sun.shadow.radius = 3;
        this.scene.add(this.sky, this.sun, this.sun.target, this.world, this.floor.mesh);

        const rope = new THREE.CylinderGeometry(1, 1, 1, 8, 1, true);
        this.ropes = new THREE.InstancedMesh(rope, new THREE.MeshStandardMaterial({ color: 0xffffff, roughness: 0.8 }), 1);
        this.ropes.count = 0;
        this.ropes.castShadow = true;
        this.ropes.frustumCulled = false;
        this.lines = new THREE.LineSegments(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ vertexColors: true, depthTest: false, transparent: true, opacity: 0.9 }));
        this.lines.frustumCulled = false;
        this.lines.renderOrder = 5;
        const handMaterial = new THREE.MeshBasicMaterial({ color: 0xff7a45, depthTest: false, transparent: true, opacity: 0.9 });
        this.handLine = new THREE.Mesh(new THREE.CylinderGeometry(1, 1, 1, 8), handMaterial);
        this.handBall = new THREE.Mesh(new THREE.SphereGeometry(1, 20, 12), handMaterial);
        this.handLine.renderOrder = this.handBall.renderOrder = 6;
        this.hand.add(this.handLine, this.handBall);
        this.hand.visible = false;
        this.scene.add(this.ropes, this.lines, this.hand);
        canvas.addEventListener('webglcontextlost', (event) => {
            event.preventDefault();
            this.onContext(true);
        });
        canvas.addEventListener('webglcontextrestored', () => this.onContext(false));
    }

    setTheme(theme: Theme): void {
        this.scene.background = new THREE.Color(theme.sky);
        this.scene.fog = null;
        this.sky.intensity = theme.ambient;
        this.sunlight = theme.sun;
        this.sun.intensity = theme.sun * (this.light?.strength ?? 1);
        this.floor.setColors(theme.floor, theme.line, theme.sky);
    }

    /** `covered`: how much of the right side panels hide [pixels]; the scene is centred in what is left. */
    resize(width: number, height: number, covered = 0): void {
        this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2) * QUALITIES[this.quality].pixels);
        this.renderer.setSize(width, height, false);
        this.camera.aspect = width / Math.max(height, 1);
        this.camera.setViewOffset(width, height, covered / 2, 0, width, height);
        this.camera.updateProjectionMatrix();
        this.covered = covered;
    }

    /** Draws with less effort where pictures take too long. */
    private judge(milliseconds: number): void {
        this.slow = milliseconds > SLOW_PICTURE ? this.slow + 1 : Math.max(this.slow - 1, 0);
        if (this.slow > PATIENCE && this.quality < QUALITIES.length - 1) {
            ++this.quality;
            this.slow = 0;
            this.applyQuality();
        }
    }

    private applyQuality(): void {
        const size = QUALITIES[this.quality].shadow;
        this.sun.shadow.mapSize.set(size, size);
        this.sun.shadow.map?.dispose();
        this.sun.shadow.map = null;
        this.resize(this.canvas.clientWidth, this.canvas.clientHeight, this.covered);
    }

    // --- scenes ------------------------------------------------------------------------------------------------

    setLooks(looks: Looks): void {
        this.looks = looks;
        this.look = new Float32Array(0);
        this.light = looks.light;
        this.layoutNumber = -1;
    }

    /** The camera of the scene, or one that sees everything. */
    resetCamera(): void {
        const overview = this.layout?.camera, given = this.looks.cameras?.[0];
        if (overview !== undefined) this.up.set(overview[6], overview[7], overview[8]);
        this.camera.up.copy(this.up);
        let angle = 40;
        if (given !== undefined) {
            if (this.look.length === 0) this.look = new Float32Array([...given.eye, ...given.target]);
            this.camera.position.fromArray(this.look, 0);
            this.controls.target.fromArray(this.look, 3);
            angle = given.field_of_view ?? 40;
        } else if (overview !== undefined) {
            this.camera.position.fromArray(overview, 0);
            this.controls.target.fromArray(overview, 3);
            angle = THREE.MathUtils.radToDeg(overview[9]);
        }
        // Where it is narrow the scene's width decides: as much of it is seen as on a screen of 16:9.
        const free = this.camera.aspect * (1 - this.covered / Math.max(this.canvas.clientWidth, 1));
        this.narrow = Math.max(1, 16 / 9 / free);
        const away = this.camera.position.clone().sub(this.controls.target).multiplyScalar(this.narrow);
        this.camera.position.copy(this.controls.target).add(away);
        this.camera.fov = angle;
        this.size = this.camera.position.distanceTo(this.controls.target);
        this.camera.near = this.size * 0.005;
        this.camera.far = this.size * 60;
        this.controls.minDistance = this.size * 0.08;
        this.controls.maxDistance = this.size * 6;
        this.camera.updateProjectionMatrix();
        this.controls.update();
        this.placeSun();
    }

    /** Takes the camera along as far as the scene's own has moved, wherever the user has turned it, and the light. */
    private moveLook(look: Float32Array): void {
        if (look.length === 0 || this.look.length === 0 || look.every((number, i) => number === this.look[i])) return;
        const target = new THREE.Vector3(), arm = new THREE.Vector3(), [now, before] = [look, this.look];
        for (let i = 0; i < 3; ++i) {
            target.setComponent(i, now[3 + i] - before[3 + i]);
            arm.setComponent(i, now[i] - before[i] - target.getComponent(i));
        }
        this.controls.target.add(target);
        this.camera.position.add(target).addScaledVector(arm, this.narrow);
        if (look[6] !== 0 || look[7] !== 0 || look[8] !== 0) this.light = { ...this.light, direction: [look[6], look[7], look[8]] };
        this.light = { ...this.light, strength: look[9] };
        this.look = look.slice();
        this.controls.update();
        this.placeSun();
    }

    private placeSun(): void {
        const target = this.controls.target, side = new THREE.Vector3(0.45, 0, 0.6), up = this.up;
        if (Math.abs(up.y) < 0.5) side.set(0.45, -0.6, 0);
        const offset = up.clone().multiplyScalar(1.4).add(side), light = this.light;
        if (light?.direction !== undefined) offset.fromArray(light.direction).setLength(1.6);
        this.sun.position.copy(target).addScaledVector(offset, this.size);
        this.sun.color.set(light?.color ?? 0xfff4e6);
        this.sun.intensity = this.sunlight * (light?.strength ?? 1);
        this.sun.target.position.copy(target);
        const reach = this.size * 0.85, camera = this.sun.shadow.camera;
        camera.left = camera.bottom = -reach;
        camera.right = camera.top = reach;
        camera.near = this.size * 0.1;
        camera.far = this.size * 4;
        camera.updateProjectionMatrix();
        this.sun.shadow.bias = -0.0004;
        this.sun.shadow.normalBias = this.size * 0.0012;
        this.floor.place(target, this.size);
        this.ropeRadius = this.size * 0.0022;
    }

    setLayout(layout: Layout, number: number): void {
        const first = this.layoutNumber < 0;
        this.layout = layout;
        this.layoutNumber = this.lastLayout = number;
        this.clear();
        this.addBodies(layout);
        this.addSofts(layout);
        if (first) this.resetCamera();
        this.addLabels(layout);
    }

    private clear(): void {
        for (const { mesh } of this.batches) {
            mesh.geometry.dispose();
            (mesh.material as THREE.Material).dispose();
            mesh.dispose();
        }
        for (const { geometry, meshes } of this.softs) {
            geometry.dispose();
            for (const { material } of meshes) (material as THREE.Material).dispose();
        }
        this.world.clear();
        this.batches = [];
        this.softs = [];
    }

    private colorOf(index: number, generation: number, color: number, soft: boolean): THREE.Color {
        const paints = (soft ? this.looks.deformable_paints : this.looks.paints) ?? [];
        const paint = paints.find(([i, g]) => i === index && g === generation);
        return paint !== undefined ? new THREE.Color(paint[2]) : new THREE.Color(color);
    }

    private addBodies(layout: Layout): void {
        const alike = new Map<string, ShapeEntry[]>();
        this.floor.hide();
        for (const shape of layout.shapes) {
            if (shape.type === PLANE) {
                this.floor.show(shape.plane, this.colorOf(shape.index, shape.generation, 0, false).getHex());
                continue;
            }
            const key = keyOf(shape);
            const list = alike.get(key);
            if (list === undefined) alike.set(key, [shape]);
            else list.push(shape);
        }
        for (const shapes of alike.values()) this.addBatch(shapes);
    }

    private addBatch(shapes: ShapeEntry[]): void {
        const { positions, indices, sensor, type } = shapes[0];
        const normals = type === HULL || type === COMPOUND ? smoothNormals(positions, shapes[0].normals) : shapes[0].normals;
        const geometry = new THREE.BufferGeometry();
        geometry.setAttribute('position', new THREE.BufferAttribute(positions, 3));
        geometry.setAttribute('normal', new THREE.BufferAttribute(normals, 3));
        geometry.setIndex(new THREE.BufferAttribute(indices, 1));
        const material = new THREE.MeshStandardMaterial({ color: 0xffffff, roughness: 0.62, metalness: 0.02, transparent: sensor, opacity: sensor ? 0.15 : 1, side: type === SURFACE ? THREE.DoubleSide : THREE.FrontSide });
        const mesh = new THREE.InstancedMesh(geometry, material, shapes.length);
        mesh.castShadow = mesh.receiveShadow = !sensor;
        mesh.frustumCulled = false;
        const colors = shapes.map((shape) => this.colorOf(shape.index, shape.generation, shape.color, false));
        colors.forEach((color, i) => mesh.setColorAt(i, color));
        this.world.add(mesh);
        this.batches.push({ mesh, bodies: shapes.map((shape) => shape.body), colors });
    }

    private addSofts(layout: Layout): void {
        for (const soft of layout.softs) {
            const geometry = new THREE.BufferGeometry(), numbers = 3 * soft.vertexCount;
            for (const name of ['position', 'normal', 'color']) {
                const attribute = new THREE.BufferAttribute(new Float32Array(numbers).fill(1), 3);
                attribute.setUsage(THREE.DynamicDrawUsage);
                geometry.setAttribute(name, attribute);
            }
            geometry.setIndex(new THREE.BufferAttribute(soft.indices, 1));
            // Never culled; a sphere of its own keeps three.js from measuring the vertices of a moving skin.
            geometry.boundingSphere = new THREE.Sphere(new THREE.Vector3(), 1);
            const opacity = this.looks.deformable_opacities?.find(([i, g]) => i === soft.index && g === soft.generation)?.[2] ?? 1;
            const color = this.colorOf(soft.index, soft.generation, soft.color, true);
            const clear = opacity < 1;
            const material = new THREE.MeshStandardMaterial({ color, vertexColors: true, roughness: clear ? 0.25 : 0.75, transparent: clear, opacity, side: soft.closed ? THREE.FrontSide : THREE.DoubleSide });
            // A closed skin casts the shadow of what faces away, so that its own lies where it is dark anyway.
            if (!soft.closed) material.shadowSide = THREE.DoubleSide;
            // Of what is clear only the nearest layer is coloured: its depth is drawn first.
            const materials: THREE.Material[] = clear ? [new THREE.MeshBasicMaterial({ colorWrite: false, transparent: true, side: material.side }), material] : [material];
            const meshes = materials.map((each) => new THREE.Mesh(geometry, each));
            for (const mesh of meshes) mesh.frustumCulled = false;
            const colored = meshes[meshes.length - 1];
            colored.castShadow = colored.receiveShadow = true;
            this.world.add(...meshes);
            this.softs.push({ meshes, center: new THREE.Vector3(), geometry, material, color });
        }
    }

    private addLabels(layout: Layout): void {
        this.labelLayer.replaceChildren();
        this.labels.length = 0;
        for (const label of this.looks.labels ?? []) {
            const body = label.body !== undefined ? layout.bodyNames.indexOf(label.body) : 0;
            if (body < 0 || label.deformable !== undefined) continue;
            const element = document.createElement('span');
            element.className = 'label';
            element.textContent = label.text;
            this.labelLayer.append(element);
            this.labels.push({ element, body, position: new THREE.Vector3(...(label.position ?? [0, 0, 0])), place: new THREE.Vector3() });
        }
    }

    // --- frames ------------------------------------------------------------------------------------------------

    /** Moves everything to where the frame has it. */
    apply(frame: Frame): void {
        if (frame.layout !== this.layoutNumber) return;
        this.moveBodies(frame);
        this.moveSofts(frame);
        this.moveRopes(frame.ropes);
        this.moveLines(frame.lines);
        this.moveHand(frame.grab);
        this.moveLook(frame.look);
        this.moveLabels(frame);
    }

    private moveBodies(frame: Frame): void {
        this.places = Array.from({ length: frame.poses.length / POSE }, (_, i) => new THREE.Vector3().fromArray(frame.poses, POSE * i));
        const matrix = new THREE.Matrix4(), place = new THREE.Vector3(), turn = new THREE.Quaternion(), one = new THREE.Vector3(1, 1, 1), color = new THREE.Color();
        for (const { mesh, bodies, colors } of this.batches) {
            (mesh.material as THREE.MeshStandardMaterial).wireframe = this.wireframe;
            for (let i = 0; i < bodies.length; ++i) {
                const at = POSE * bodies[i];
                matrix.compose(place.fromArray(frame.poses, at), turn.fromArray(frame.poses, at + 3), one);
                mesh.setMatrixAt(i, matrix);
                const state = frame.poses[at + 7];
                if (this.heat && state > 0) heatColor(frame.bodyHeat[bodies[i]] ?? 0, color);
                else color.copy(colors[i]);
                if (this.showSleep && state === 1) color.lerp(ASLEEP, 0.75);
                mesh.setColorAt(i, color);
            }
            mesh.instanceMatrix.needsUpdate = true;
            mesh.instanceColor!.needsUpdate = true;
        }
    }

    private moveSofts(frame: Frame): void {
        const color = new THREE.Color(), last = new THREE.Vector3();
        this.softs.forEach(({ meshes, geometry, material, center, color: own }, i) => {
            const { positions, normals, heat } = frame.softs[i];
            const position = geometry.getAttribute('position') as THREE.BufferAttribute, normal = geometry.getAttribute('normal') as THREE.BufferAttribute;
            position.array.set(positions);
            normal.array.set(normals);
            center.fromArray(positions).lerp(last.fromArray(positions, positions.length - 3), 0.5);
            position.needsUpdate = normal.needsUpdate = true;
            material.wireframe = this.wireframe;
            if (meshes.length > 1) meshes[0].visible = !this.wireframe;
            const colors = geometry.getAttribute('color') as THREE.BufferAttribute;
            if (this.heat && heat.length > 0) {
                for (let k = 0; k < heat.length; ++k) heatColor(heat[k], color).toArray(colors.array, 3 * k);
                material.color.set(0xffffff);
                colors.needsUpdate = true;
            } else if (!material.color.equals(own)) {
                colors.array.fill(1);
                material.color.copy(own);
                colors.needsUpdate = true;
            }
        });
    }

    private static readonly ropeColors = [new THREE.Color(0xb08d62), new THREE.Color(0x7f8a96), new THREE.Color(0x5b8bb0)];

    private moveRopes(ropes: Float32Array): void {
        const count = ropes.length / ROPE;
        if (count > this.ropes.instanceMatrix.count) {
            this.ropes.instanceMatrix = new THREE.InstancedBufferAttribute(new Float32Array(16 * 2 * count), 16);
            this.ropes.instanceColor = null;
        }
        const a = new THREE.Vector3(), b = new THREE.Vector3();
        for (let i = 0; i < count; ++i) {
            a.fromArray(ropes, ROPE * i);
            b.fromArray(ropes, ROPE * i + 3);
            this.ropes.setMatrixAt(i, between(a, b, this.ropeRadius));
            this.ropes.setColorAt(i, View.ropeColors[ropes[ROPE * i + 7]]);
        }
        this.ropes.count = count;
        this.ropes.instanceMatrix.needsUpdate = true;
        if (this.ropes.instanceColor !== null) this.ropes.instanceColor.needsUpdate = true;
    }

    private moveLines(lines: Float32Array): void {
        const count = lines.length / LINE, geometry = this.lines.geometry;
        let positions = geometry.getAttribute('position') as THREE.BufferAttribute | undefined;
        if (positions === undefined || positions.count < 2 * count) {
            positions = new THREE.BufferAttribute(new Float32Array(Math.max(12 * count, 6)), 3);
            geometry.setAttribute('position', positions);
            geometry.setAttribute('color', new THREE.BufferAttribute(new Float32Array(Math.max(16 * count, 8)), 4));
        }
        const colors = geometry.getAttribute('color') as THREE.BufferAttribute, color = new THREE.Color();
        let slack = 0;
        for (let i = 0; i < count; ++i) slack += lines[LINE * i + 6] === SLACK ? 1 : 0;
        const slackOpacity = Math.min(Math.max(SLACK_LINES / Math.max(slack, 1), 0.05), 1);
        for (let i = 0; i < count; ++i) {
            positions.array.set(lines.subarray(LINE * i, LINE * i + 6), 6 * i);
            color.setHex(lines[LINE * i + 6]);
            for (const at of [8 * i, 8 * i + 4]) {
                color.toArray(colors.array, at);
                colors.array[at + 3] = lines[LINE * i + 6] === SLACK ? slackOpacity : 1;
            }
        }
        geometry.setDrawRange(0, 2 * count);
        positions.needsUpdate = colors.needsUpdate = true;
    }

    private moveHand(grab: Float32Array): void {
        this.hand.visible = grab[0] > 0;
        if (!this.hand.visible) return;
        const hand = new THREE.Vector3().fromArray(grab, 1), held = new THREE.Vector3().fromArray(grab, 4);
        this.handLine.matrixAutoUpdate = false;
        this.handLine.matrix.copy(between(held, hand, this.size * 0.002));
        this.handBall.position.copy(held);
        this.handBall.scale.setScalar(this.size * 0.006);
    }

    draw(now: number): void {
        if (this.lastDrawn > 0 && document.visibilityState === 'visible') this.judge(now - this.lastDrawn);
        this.lastDrawn = now;
        this.controls.update();
        this.orderSofts();
        this.renderer.render(this.scene, this.camera);
        this.placeLabels();
    }

    /** What is clear is drawn from behind to the front; all skins have the world's frame, so three.js cannot tell. */
    private orderSofts(): void {
        const away = ({ center }: Soft): number => center.distanceToSquared(this.camera.position);
        const clear = this.softs.filter(({ material }) => material.transparent).sort((a, b) => away(b) - away(a));
        clear.forEach(({ meshes }, i) => {
            for (const mesh of meshes) mesh.renderOrder = 1 + i / clear.length;
        });
    }

    private moveLabels(frame: Frame): void {
        const turn = new THREE.Quaternion(), origin = new THREE.Vector3();
        for (const { body, position, place } of this.labels) {
            origin.fromArray(frame.poses, POSE * body);
            place.copy(position).applyQuaternion(turn.fromArray(frame.poses, POSE * body + 3)).add(origin);
        }
    }

    private placeLabels(): void {
        for (const { element, place } of this.labels) {
            const { x, y } = this.project(place);
            element.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) translate(-50%, -140%)`;
        }
    }

    // --- where things are ----------------------------------------------------------------------------------------

    /** The ray through a point of the canvas [pixels], as long as the camera sees. */
    ray(x: number, y: number): { origin: THREE.Vector3; direction: THREE.Vector3 } {
        const caster = new THREE.Raycaster();
        caster.setFromCamera(new THREE.Vector2((2 * x) / this.canvas.clientWidth - 1, 1 - (2 * y) / this.canvas.clientHeight), this.camera);
        return { origin: caster.ray.origin.clone(), direction: caster.ray.direction.clone() };
    }

    /** Where the origin of a body was in the last frame. */
    bodyPlace(body: number): THREE.Vector3 {
        return this.places[body]?.clone() ?? new THREE.Vector3();
    }

    bodyPlaces(): number[][] {
        return this.places.map((place) => place.toArray());
    }

    get reach(): number {
        return this.size * 12;
    }

    get sceneSize(): number {
        return this.size;
    }

    /** The place under a point of the canvas as far away as `depth` is [along the view]. */
    unproject(x: number, y: number, depth: number): THREE.Vector3 {
        const { origin, direction } = this.ray(x, y);
        const forward = this.camera.getWorldDirection(new THREE.Vector3());
        return origin.addScaledVector(direction, depth / Math.max(direction.dot(forward), 1e-3));
    }

    depthOf(place: THREE.Vector3): number {
        return place.clone().sub(this.camera.position).dot(this.camera.getWorldDirection(new THREE.Vector3()));
    }

    project(place: THREE.Vector3): { x: number; y: number } {
        const p = place.clone().project(this.camera);
        return { x: ((p.x + 1) / 2) * this.canvas.clientWidth, y: ((1 - p.y) / 2) * this.canvas.clientHeight };
    }
}

const axis = new THREE.Vector3(0, 1, 0), along = new THREE.Vector3(), middle = new THREE.Vector3(), rotation = new THREE.Quaternion(), scale = new THREE.Vector3(), result = new THREE.Matrix4();

/** Where a cylinder of unit height and radius reaches from a to b. */
function between(a: THREE.Vector3, b: THREE.Vector3, radius: number): THREE.Matrix4 {
    along.copy(b).sub(a);
    const length = Math.max(along.length(), 1e-9);
    rotation.setFromUnitVectors(axis, along.divideScalar(length));
    middle.copy(a).add(b).multiplyScalar(0.5);
    return result.compose(middle, rotation, scale.set(radius, length, radius));
}
