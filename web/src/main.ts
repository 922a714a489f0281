// The page: one player, or two side by side, and everything around them.
import { Gallery, type GalleryList, type SceneEntry } from './gallery';
import { Hand, type Tool } from './hand';
import { askLive, watchLive, type LiveScene } from './live';
import type { Overlays } from './messages';
import { unpack } from './pack.mjs';
import { Panel } from './panel';
import { Player } from './player';
import { Plots } from './plots';
import { readLink, writeLink } from './share';
import { readState, type SavedState } from './state';
import { Tour, type Stop } from './tour';
import { themes } from './view';

function byId<T extends Element = HTMLElement>(id: string): T {
    return document.getElementById(id) as unknown as T;
}

const body = document.body;
const link = readLink(location.hash);

const players: Player[] = [];
let module: WebAssembly.Module;
let sceneName: string | null = null, state: SavedState | null = null;
let paused = link.paused, speed = link.speed, edited = 0;
let onePicture = false; // tests: something was drawn
const shown = new Set(link.show);

// --- overlays --------------------------------------------------------------------------------------------------

const overlayNames: [name: string, label: string, bits: number][] = [
    ['contacts', 'Contacts', 1], ['forces', 'Forces', 2], ['joints', 'Joints', 8], ['heat', 'Error heat', 0],
    ['wireframe', 'Wireframe', 0], ['longRange', 'Long range and unions', 32], ['sleep', 'Asleep', 0],
    ['centers', 'Mass centres', 16], ['boxes', 'Bounding boxes', 4],
];

function overlaysNow(): Overlays {
    const lines = overlayNames.reduce((bits, [name, , bit]) => bits | (shown.has(name) ? bit : 0), 0);
    return { lines, heat: shown.has('heat') };
}

function applyOverlays(): void {
    for (const player of players) {
        player.view.heat = shown.has('heat');
        player.view.wireframe = shown.has('wireframe');
        player.view.showSleep = shown.has('sleep');
        player.setOverlays(overlaysNow());
    }
    for (const button of byId('overlays').querySelectorAll<HTMLElement>('button')) button.setAttribute('aria-pressed', String(shown.has(button.dataset.show!)));
}

function toggleOverlay(name: string): void {
    if (!shown.delete(name)) shown.add(name);
    applyOverlays();
}

for (const [name, label] of overlayNames) {
    const button = document.createElement('button');
    button.dataset.show = name;
    button.textContent = label;
    button.addEventListener('click', () => toggleOverlay(name));
    byId('overlays').append(button);
}

// --- parts -----------------------------------------------------------------------------------------------------

const panel = new Panel(byId('physics'));
const plots = new Plots(byId('plots'));
const gallery = new Gallery(byId('gallery'), byId('groups'), byId('search'));
const hand = new Hand(() => players, document.querySelector('#stroke polyline')!, byId('force'));
const tour = new Tour(byId('tour'), byId('tour-text'), byId('tour-place'), byId('tour-next'), byId('tour-end'));

panel.onChange = (name, value) => players[edited].set(name, value);
hand.onHold = (holding) => body.toggleAttribute('data-holding', holding);
gallery.onPick = (scene) => void openScene(scene);
tour.onStop = (stop) => void visit(stop);

let toastTimer = 0;
function toast(text: string, milliseconds = 2600): void {
    byId('toast').textContent = text;
    byId('toast').hidden = false;
    clearTimeout(toastTimer);
    toastTimer = window.setTimeout(() => (byId('toast').hidden = true), milliseconds);
}

/** To who comes here the first time, until something is tried. */
function greet(): void {
    toast('Drag anything to pull at it. Drag beside it to look around.', 12000);
    byId('stage').addEventListener('pointerdown', () => (byId('toast').hidden = true), { once: true });
}

function showProblem(title: string, text: string): void {
    byId('problem').hidden = false;
    byId('problem').querySelector('h2')!.textContent = title;
    byId('problem').querySelector('pre')!.textContent = text;
}

function hideProblem(): void {
    byId('problem').hidden = true;
}

// --- scenes ----------------------------------------------------------------------------------------------------

function addPlayer(pane: HTMLElement): Player {
    const player = new Player(pane.querySelector('canvas')!, pane.querySelector('.labels')!, module);
    const number = players.length;
    player.settings = { ...link.settings[number] };
    player.onError = (text) => showProblem('The simulation stopped', text);
    player.onLoaded = () => showSettings();
    player.onFrame = (frame) => {
        hand.frame(player, frame.grab);
        if (frame.figures !== null && number === edited && frame.stepsTaken > 0) plots.add(frame.figures);
        onePicture = true;
    };
    player.onCut = (count) => {
        if (count > 0 && number === 0) toast(count === 1 ? 'One thing cut' : `${count} things cut`);
    };
    player.view.onContext = (lost) => {
        if (lost) showProblem('The graphics card took a break', 'The picture comes back by itself.');
        else {
            hideProblem();
            player.setOverlays(overlaysNow());
        }
    };
    hand.attach(player);
    players.push(player);
    setTheme(document.documentElement.dataset.theme as 'light' | 'dark');
    resize();
    return player;
}

function showSettings(): void {
    const player = players[edited];
    if (player?.sceneSettings) panel.show(player.sceneSettings, player.settings);
}

function showState(loaded: SavedState, name: string | null): void {
    state = loaded;
    sceneName = name;
    byId('title').textContent = loaded.looks.title ?? name ?? 'Scene';
    byId('text').textContent = loaded.looks.description ?? '';
    document.title = `${byId('title').textContent} · Sinew`;
    plots.clear();
    hideProblem();
    body.removeAttribute('data-empty');
    resize();
    for (const player of players) player.load(loaded);
    applyOverlays();
}

async function fetchEngine(): Promise<WebAssembly.Module> {
    const packed = (await fetch('engine.pack')).body!.pipeThrough(new DecompressionStream('gzip'));
    return WebAssembly.compile(unpack(new Uint8Array(await new Response(packed).arrayBuffer())));
}

async function fetchState(address: string): Promise<SavedState> {
    const answer = await fetch(address, { cache: 'no-cache' });
    if (!answer.ok) throw new Error(`${address}: ${answer.status} ${answer.statusText}`);
    return readState(new Uint8Array(await answer.arrayBuffer()));
}

async function openScene(scene: SceneEntry): Promise<void> {
    try {
        for (const player of players) player.settings = {};
        showState(await fetchState(`scenes/${scene.name}.state`), scene.name);
        history.replaceState(null, '', `#scene=${scene.name}`);
    } catch (error) {
        showProblem('The scene cannot be opened', String(error));
    }
}

async function openLive(scene: LiveScene): Promise<void> {
    if (scene.error !== '') {
        showProblem(`${scene.name} has mistakes`, scene.error);
        return;
    }
    try {
        const place = players[0].view.camera.position.clone(), target = players[0].view.controls.target.clone(), again = state !== null;
        showState(await fetchState('view.state'), null);
        if (again) keepCamera(place.toArray(), target.toArray());
    } catch (error) {
        showProblem('The scene cannot be opened', String(error));
    }
}

function keepCamera(eye: number[], target: number[]): void {
    const { onLoaded } = players[0];
    players[0].onLoaded = () => {
        onLoaded();
        players[0].onLoaded = onLoaded;
        players[0].view.camera.position.fromArray(eye);
        players[0].view.controls.target.fromArray(target);
    };
}

// --- split view ------------------------------------------------------------------------------------------------

function setSplit(on: boolean): void {
    if (on === (players.length === 2)) return;
    byId('pane-b').hidden = !on;
    byId('which').hidden = !on;
    body.toggleAttribute('data-split', on);
    byId('split').setAttribute('aria-pressed', String(on));
    if (on) {
        const second = addPlayer(byId('pane-b'));
        second.settings = { ...players[0].settings, ...link.settings[1] };
        if (state !== null) showState(state, sceneName);
    } else {
        const canvas = byId('pane-b').querySelector('canvas')!;
        players.pop()!.end();
        canvas.replaceWith(canvas.cloneNode());
        choose(0);
    }
    resize();
}

function choose(which: number): void {
    edited = which;
    for (const button of byId('which').querySelectorAll<HTMLElement>('button')) button.setAttribute('aria-pressed', String(Number(button.dataset.which) === which));
    plots.clear();
    showSettings();
}

/** Both look from the same place: from where the one that was last turned does. */
let leader = 0;
function shareCamera(): void {
    if (players.length < 2) return;
    const from = players[leader].view, to = players[1 - leader].view;
    to.camera.position.copy(from.camera.position);
    to.controls.target.copy(from.controls.target);
}

// --- transport and tools ---------------------------------------------------------------------------------------

function setPaused(now: boolean): void {
    paused = now;
    body.toggleAttribute('data-paused', paused);
}

function sendAll(type: 'step' | 'back' | 'reset'): void {
    if (type !== 'reset') setPaused(true);
    for (const player of players) player.send({ type });
    if (type === 'reset') plots.clear();
}

function setSpeed(power: number): void {
    speed = power;
    byId<HTMLInputElement>('speed').value = String(power);
    byId('speed-text').textContent = power === 0 ? '1×' : `1/${2 ** -power}×`;
}

function setTool(tool: Tool): void {
    hand.tool = tool;
    body.dataset.tool = tool;
    for (const button of document.querySelectorAll<HTMLElement>('.tools button')) button.setAttribute('aria-pressed', String(button.dataset.tool === tool));
}

function setTheme(theme: 'light' | 'dark'): void {
    document.documentElement.dataset.theme = theme;
    for (const player of players) player.view.setTheme(themes[theme]);
    try {
        localStorage.setItem('theme', theme);
    } catch {
        // Not allowed to keep anything: fine.
    }
}

function togglePanel(): void {
    const closed = byId('panel').classList.toggle('closed');
    byId('toggle-panel').setAttribute('aria-expanded', String(!closed));
    resize();
}

async function shareLink(): Promise<void> {
    const { camera, controls } = players[0].view;
    const settings: [object, object] = [players[0].settings, players[1]?.settings ?? {}];
    history.replaceState(null, '', writeLink({ scene: sceneName, settings, split: players.length === 2, speed, paused, show: [...shown], camera: [...camera.position.toArray(), ...controls.target.toArray()] }));
    try {
        await navigator.clipboard.writeText(location.href);
        toast('Link copied');
    } catch {
        toast('The link is in the address bar');
    }
}

async function visit(stop: Stop): Promise<void> {
    const scene = stop.scene !== undefined ? gallery.find(stop.scene) : undefined;
    setSplit(stop.enter === 'split');
    if (scene !== undefined) await openScene(scene);
    setTool(stop.enter === 'cut' ? 'cut' : 'hand');
    setPaused(false);
    if (stop.enter === 'longRangeOff') players[0].set('longRange', 0);
    if (stop.enter === 'longRangeOn') {
        players[0].set('longRange', 1);
        sendAll('reset');
    }
    if (shown.has('longRange') !== (stop.enter === 'longRangeShown')) toggleOverlay('longRange');
    showSettings();
}

function startTour(): void {
    byId<HTMLDialogElement>('gallery').close();
    tour.start();
}

function defaults(): void {
    players[edited].settings = {};
    if (state !== null) {
        const scene = players[edited].sceneSettings;
        if (scene !== null) for (const [name, value] of Object.entries(scene)) players[edited].send({ type: 'set', name: name as never, value });
    }
    showSettings();
}

const keys: [key: string, text: string, action?: () => void][] = [
    [' ', 'pause or go on', () => setPaused(!paused)],
    ['.', 'one step', () => sendAll('step')],
    [',', 'a step back', () => sendAll('back')],
    ['r', 'from the beginning', () => sendAll('reset')],
    ['-', 'slower', () => setSpeed(Math.max(speed - 1, -5))],
    ['+', 'faster', () => setSpeed(Math.min(speed + 1, 0))],
    ['1', 'grab and throw', () => setTool('hand')],
    ['2', 'cut with a stroke', () => setTool('cut')],
    ['3', 'shoot a ball', () => setTool('ball')],
    ['4', 'drop something heavy', () => setTool('weight')],
    ['f', 'the scene’s camera', () => players.forEach(({ view }) => view.resetCamera())],
    ['g', 'all scenes', () => gallery.show(sceneName)],
    ['c', 'compare two settings', () => setSplit(players.length === 1)],
    ['s', 'settings', togglePanel],
    ['h', 'error heat', () => toggleOverlay('heat')],
    ['w', 'wireframe', () => toggleOverlay('wireframe')],
    ['t', 'dark or light', () => setTheme(document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark')],
    ['?', 'these keys', () => byId<HTMLDialogElement>('keys').showModal()],
    ['drag', 'pull what is under the pointer, or turn the camera'],
    ['right drag', 'move the camera (two fingers)'],
    ['wheel', 'nearer and farther (pinch)'],
    ['Shift drag', 'turn the camera whatever is there'],
];

function wire(): void {
    const clicks: [string, () => void][] = [
        ['open-gallery', () => gallery.show(sceneName)], ['play', () => setPaused(!paused)], ['step', () => sendAll('step')],
        ['back', () => sendAll('back')], ['reset', () => sendAll('reset')], ['share', () => void shareLink()],
        ['split', () => setSplit(players.length === 1)], ['toggle-panel', togglePanel], ['start-tour', startTour],
        ['help', () => byId<HTMLDialogElement>('keys').showModal()], ['defaults', defaults], ['gallery-tour', startTour],
        ['theme', () => setTheme(document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark')],
    ];
    for (const [id, action] of clicks) byId(id).addEventListener('click', action);
    byId<HTMLInputElement>('speed').addEventListener('input', (event) => setSpeed(Number((event.target as HTMLInputElement).value)));
    for (const button of document.querySelectorAll<HTMLElement>('.tools button')) button.addEventListener('click', () => setTool(button.dataset.tool as Tool));
    for (const button of byId('which').querySelectorAll<HTMLElement>('button')) button.addEventListener('click', () => choose(Number(button.dataset.which)));
    for (const [key, text] of keys) {
        const line = document.createElement('p'), name = document.createElement('kbd');
        name.textContent = key === ' ' ? 'Space' : key.length === 1 ? key.toUpperCase() : key;
        line.append(text, name);
        byId('key-list').append(line);
    }
    window.addEventListener('keydown', (event) => {
        const typing = event.target instanceof HTMLInputElement && event.target.type !== 'range' && event.target.type !== 'checkbox';
        if (typing || event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]') !== null) return;
        const entry = keys.find(([key]) => key === event.key.toLowerCase());
        if (entry?.[2] !== undefined) {
            event.preventDefault();
            entry[2]();
        }
    });
    window.addEventListener('resize', resize);
    for (const pane of ['pane-a', 'pane-b']) byId(pane).addEventListener('pointerdown', () => (leader = pane === 'pane-b' && players.length === 2 ? 1 : 0), { capture: true });
    for (const pane of ['pane-a', 'pane-b']) byId(pane).addEventListener('wheel', () => (leader = pane === 'pane-b' && players.length === 2 ? 1 : 0), { capture: true, passive: true });
}

// --- frames ----------------------------------------------------------------------------------------------------

function resize(): void {
    const open = innerWidth > 720 && !byId('panel').classList.contains('closed');
    for (const { view } of players) {
        const { clientWidth, clientHeight } = view.canvas.parentElement!;
        view.resize(clientWidth, clientHeight, open && players.length === 1 ? byId('panel').clientWidth : 0);
    }
}

let lastTime = 0, frameCount = 0, countedFrom = 0, computing = 0, computedSteps = 0;

function showStatus(now: number): void {
    const seconds = (now - countedFrom) * 1e-3;
    if (seconds < 0.5) return;
    const player = players[edited], figures = player.figures;
    const perStep = computedSteps > 0 ? computing / computedSteps : 0;
    const real = state !== null ? (computedSteps * state.stepLength) / seconds / 2 ** speed : 0;
    byId('status').textContent = paused ? `paused at ${player.frame?.time.toFixed(2) ?? 0} s` : `${perStep.toFixed(1)} ms a step · ${Math.round(frameCount / seconds)} fps\n${Math.round(100 * real)} % of real time`;
    if (figures !== null) {
        const rows: [string, string][] = [
            ['bodies, awake', `${figures.bodies}, ${figures.awakeBodies}`], ['soft bodies, nodes', `${figures.deformables}, ${figures.nodes}`],
            ['joints and anchors', String(figures.constraints)], ['contact points', String(figures.contacts + figures.softContacts)], ['sub-steps', String(figures.subSteps)],
        ];
        byId('figures').replaceChildren(...rows.flatMap(([name, text]) => {
            const term = document.createElement('dt'), value = document.createElement('dd');
            term.textContent = name;
            value.textContent = text;
            return [term, value];
        }));
    }
    plots.draw();
    frameCount = computing = computedSteps = 0;
    countedFrom = now;
}

let countedFrame: unknown = null;
function loop(now: number): void {
    requestAnimationFrame(loop);
    const seconds = Math.min((now - lastTime) * 1e-3, 0.1);
    lastTime = now;
    for (const player of players) {
        const { frame } = player;
        if (player === players[edited] && frame !== null && frame !== countedFrame) {
            countedFrame = frame;
            computing += frame.milliseconds;
            computedSteps += frame.stepsTaken;
        }
        player.tick(paused ? 0 : seconds * 2 ** speed);
    }
    shareCamera();
    for (const { view } of players) view.draw(now);
    ++frameCount;
    showStatus(now);
}

/** For tests: what the page does, by name. */
function exposeForTests(): void {
    Object.assign(window, {
        sinew: {
            players,
            gallery,
            ready: () => onePicture,
            hashAfter: (steps: number) => new Promise<string>((resolve) => {
                players[0].onAdvanced = resolve;
                players[0].send({ type: 'reset' });
                players[0].send({ type: 'advance', steps });
            }),
            open: (name: string) => openScene(gallery.find(name)!),
            pause: setPaused,
        },
    });
}

async function start(): Promise<void> {
    const preferred = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
    let kept: string | null = null;
    try {
        kept = localStorage.getItem('theme');
    } catch {
        // As above.
    }
    document.documentElement.dataset.theme = kept === 'dark' || kept === 'light' ? kept : preferred;
    if (innerWidth < 900) togglePanel();
    wire();
    setTool('hand');
    setPaused(paused);
    setSpeed(speed);
    // All that the first picture needs is asked for at once.
    const compiling = fetchEngine();
    const asking = location.search === '?view' ? askLive() : null;
    const list = (await (await fetch('gallery.json')).json()) as GalleryList;
    gallery.fill(list);
    const wanted = gallery.find(link.scene ?? list.start) ?? gallery.find(list.start)!;
    const fetching = asking === null ? fetchState(`scenes/${wanted.name}.state`) : null;
    const live = await asking;
    module = await compiling;
    addPlayer(byId('pane-a'));
    exposeForTests();
    requestAnimationFrame(loop);
    if (live !== null) {
        await openLive(live);
        watchLive(live, (scene) => void openLive(scene));
        return;
    }
    if (link.camera !== null) keepCamera(link.camera.slice(0, 3), link.camera.slice(3));
    showState(await (fetching ?? fetchState(`scenes/${wanted.name}.state`)), wanted.name);
    if (link.split) setSplit(true);
    if (link.scene === null) greet();
}

start().catch((error) => showProblem('The page cannot start', String(error)));
