// The page in a browser: every scene opens and computes what the native engine computes, the hand grabs, every
// control has an effect.
//
//   node page_test.mjs PAGE_FOLDER SINEW_COMMAND [STEPS_OF_EVERY_SCENE [TESTS]]
//
// TESTS is a part of the names of the tests to run; else all are.
import assert from 'node:assert';
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { openBrowser, serveFolder } from './browser.mjs';

const folder = resolve(process.argv[2]), command = resolve(process.argv[3]);
const stepsOfAll = Number(process.argv[4] ?? 4), STEPS = 300, only = process.argv[5] ?? '';
const longRun = ['chains', 'stack']; // these go for STEPS steps in any case
const gallery = JSON.parse(readFileSync(join(folder, 'gallery.json'), 'utf8'));
const names = gallery.groups.flatMap((group) => group.scenes.map((scene) => scene.name));

const complaints = [];

async function openPage(browser, address, options = {}) {
    const context = await browser.newContext({ viewport: { width: 720, height: 480 }, ...options });
    const page = await context.newPage();
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text());
    });
    await page.goto(address);
    await page.waitForFunction(() => window.sinew?.ready(), null, { timeout: 30000 });
    return page;
}

const nativeHash = (name, steps) => JSON.parse(execFileSync(command, ['run', join(folder, 'scenes', `${name}.state`), '--steps', String(steps), '--json']).toString()).hash;

const hashAfter = (page, steps) => page.evaluate((count) => window.sinew.hashAfter(count), steps);

async function openScene(page, name, steps = 0) {
    await page.evaluate((scene) => {
        window.sinew.pause(true);
        return window.sinew.open(scene);
    }, name);
    const hash = await hashAfter(page, steps);
    await settle(page);
    return hash;
}

/** Waits until two pictures went by. */
const settle = (page) => page.evaluate(() => new Promise((done) => {
    let left = 3;
    const next = () => (--left === 0 ? done() : requestAnimationFrame(next));
    requestAnimationFrame(next);
}));

const picture = (page) => page.locator('#pane-a canvas').screenshot();

/** How many colours a picture has, measured by the page itself. */
async function colorCount(page, png) {
    return page.evaluate(async (base64) => {
        const image = new Image();
        image.src = `data:image/png;base64,${base64}`;
        await image.decode();
        const canvas = new OffscreenCanvas(image.width, image.height), context = canvas.getContext('2d');
        context.drawImage(image, 0, 0);
        return new Set(new Uint32Array(context.getImageData(0, 0, image.width, image.height).data.buffer)).size;
    }, png.toString('base64'));
}

const figures = (page) => page.evaluate(() => ({ ...window.sinew.players[0].figures, at: window.sinew.players[0].frame.steps }));

// --- tests -------------------------------------------------------------------------------------------------------

async function testEverySceneOpensAndHasTheNativeHash(page) {
    for (const name of names) {
        const steps = longRun.includes(name) ? STEPS : stepsOfAll;
        assert.equal(await openScene(page, name, steps), nativeHash(name, steps), `${name}: hash after ${steps} steps`);
        assert(await colorCount(page, await picture(page)) > 40, `${name}: the picture is blank`);
    }
}

async function testPicturesAreStable(page) {
    await openScene(page, 'stack', 10);
    await page.waitForTimeout(300);
    const first = await picture(page);
    await page.waitForTimeout(300);
    assert(first.equals(await picture(page)), 'a paused scene looks different from picture to picture');
}

async function placeOfBody(page, body) {
    return page.evaluate((name) => {
        const { view } = window.sinew.players[0];
        const at = view.layout.bodyNames.indexOf(name);
        const box = view.canvas.getBoundingClientRect(), { x, y } = view.project(view.bodyPlace(at));
        return { x: box.left + x, y: box.top + y, world: view.bodyPlace(at).toArray(), bodies: view.bodyPlaces() };
    }, body);
}

const distance = (a, b) => Math.hypot(...a.map((v, i) => v - b[i]));

async function testGrabMovesWhatIsGrabbed(page, drag) {
    await openScene(page, 'mass_ratios');
    const body = await page.evaluate(() => {
        const { view } = window.sinew.players[0], layout = view.layout;
        return layout.bodyNames[layout.shapes.filter((shape) => shape.body > 0 && shape.type !== 4).at(-1).body];
    });
    const before = await placeOfBody(page, body);
    await page.evaluate(() => window.sinew.pause(false));
    await drag.down(before.x, before.y);
    await page.waitForFunction(() => document.body.hasAttribute('data-holding'), null, { timeout: 10000 });
    for (let i = 1; i <= 6; ++i) await drag.move(before.x + 10 * i, before.y - 14 * i);
    await page.waitForFunction(([name, from]) => {
        const { view } = window.sinew.players[0];
        const now = view.bodyPlace(view.layout.bodyNames.indexOf(name)).toArray();
        return Math.hypot(...now.map((v, i) => v - from[i])) > 0.05 * view.sceneSize;
    }, [body, before.world], { timeout: 20000 });
    assert(await page.locator('#force').isVisible(), 'the force is not shown');
    const after = await placeOfBody(page, body);
    const moved = distance(after.world, before.world), others = before.bodies.map((place, i) => distance(place, after.bodies[i])).sort((a, b) => a - b);
    assert(others[Math.floor(others.length / 2)] < 0.5 * moved, 'most of the others moved as far as what was grabbed');
    await drag.up();
    await page.waitForFunction(() => !document.body.hasAttribute('data-holding'));
    await page.evaluate(() => window.sinew.pause(true));
}

const mouseOf = (page) => ({
    down: async (x, y) => {
        await page.mouse.move(x, y);
        await page.mouse.down();
    },
    move: (x, y) => page.mouse.move(x, y),
    up: () => page.mouse.up(),
});

async function fingerOf(page) {
    const session = await page.context().newCDPSession(page);
    const send = (type, touchPoints) => session.send('Input.dispatchTouchEvent', { type, touchPoints });
    return { down: (x, y) => send('touchStart', [{ x, y }]), move: (x, y) => send('touchMove', [{ x, y }]), up: () => send('touchEnd', []) };
}

async function testEveryControlHasAnEffect(page) {
    const controls = await page.locator('[data-control]').evaluateAll((inputs) => inputs.map((input) => input.dataset.control));
    assert(controls.length >= 8);
    const change = (name) => page.evaluate((control) => {
        const input = document.querySelector(`[data-control=${control}]`);
        if (input.type === 'checkbox') input.checked = !input.checked;
        else if (input.tagName === 'SELECT') input.selectedIndex = 1;
        else input.value = String(Number(input.min) + 0.8 * (Number(input.max) - Number(input.min)));
        input.dispatchEvent(new Event('input', { bubbles: true }));
    }, name);
    await openScene(page, 'jelly_chocolate_dish');
    for (const name of controls) {
        // Only the staggered and the position solver iterate.
        assert.equal(await page.locator('#control-iterations').isVisible(), false);
        if (name === 'iterations') await change('solver');
        const before = await hashAfter(page, 3);
        await change(name);
        assert.notEqual(await hashAfter(page, 3), before, `${name} has no effect`);
        await page.evaluate(() => document.getElementById('defaults').click());
    }
}

async function testEveryOverlayIsSeen(page) {
    const shown = [['contacts', 'stack', 10], ['forces', 'stack', 10], ['boxes', 'stack', 10], ['longRange', 'heavy_chain', 30], ['centers', 'stack', 10], ['sleep', 'stack', 300], ['wireframe', 'stack', 10], ['heat', 'chains', 10], ['joints', 'chains', 10]];
    assert.equal(await page.locator('[data-show]').count(), shown.length);
    for (const [name, scene, steps] of shown) {
        await openScene(page, scene, steps);
        await page.waitForTimeout(150);
        const before = await picture(page);
        await page.evaluate((chip) => document.querySelector(`[data-show=${chip}]`).click(), name);
        await page.waitForTimeout(250);
        await settle(page);
        assert(!before.equals(await picture(page)), `${name} is not seen`);
        await page.evaluate((chip) => document.querySelector(`[data-show=${chip}]`).click(), name);
    }
}

async function testStepsForwardAndBack(page) {
    await openScene(page, 'stack');
    for (const key of ['.', '.', '.', '.', ',']) {
        await page.keyboard.press(key);
        await settle(page);
    }
    await page.waitForFunction(() => window.sinew.players[0].frame.steps === 3);
    await page.keyboard.press('r');
    await page.waitForFunction(() => window.sinew.players[0].frame.steps === 0);
    await page.keyboard.press(' ');
    await page.waitForFunction(() => window.sinew.players[0].frame.steps > 2);
    await page.keyboard.press(' ');
}

async function testToolsThrowDropAndCut(page) {
    await openScene(page, 'curtain', 2);
    const { bodies } = await figures(page);
    for (const [i, key] of ['3', '4'].entries()) {
        await page.keyboard.press(key);
        await page.mouse.click(360, 240);
        await page.waitForFunction((count) => window.sinew.players[0].figures.bodies === count, bodies + i + 1);
    }
    await page.keyboard.press('2');
    const { nodes } = await figures(page);
    await page.mouse.move(60, 250);
    await page.mouse.down();
    await page.mouse.move(660, 250, { steps: 12 });
    await page.mouse.up();
    // What it says stays there when it is shown no more: a slow machine may be that late.
    await page.waitForFunction((count) => document.getElementById('toast').textContent.endsWith(' cut') && window.sinew.players[0].figures.nodes <= count, nodes);
    await page.keyboard.press('1');
    await hashAfter(page, 3);
}

async function testSplitThemeShareAndHelp(page) {
    await openScene(page, 'stack', 2);
    await page.keyboard.press('c');
    await page.waitForFunction(() => window.sinew.players.length === 2 && window.sinew.players[1].frame !== null);
    await page.keyboard.press('c');
    await page.waitForFunction(() => window.sinew.players.length === 1);
    const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
    const before = await theme();
    await page.keyboard.press('t');
    assert.notEqual(await theme(), before);
    await page.evaluate(() => document.getElementById('share').click());
    await page.waitForFunction(() => location.hash.includes('scene=stack') && location.hash.includes('camera='));
    await page.keyboard.press('?');
    assert(await page.locator('#keys').isVisible());
    await page.keyboard.press('Escape');
    await page.keyboard.press('g');
    assert.equal(await page.locator('.card').count(), names.length);
    await page.locator('#search').fill('gear');
    assert.equal(await page.locator('.card:visible').count(), 1);
    await page.locator('.card:visible').click();
    await page.waitForFunction(() => location.hash === '#scene=gears');
}

async function testTourGoesThroughEveryStop(page) {
    await page.keyboard.press('g');
    await page.locator('#gallery-tour').click();
    const place = () => page.locator('#tour-place').textContent(), count = Number((await place()).split(' ').at(-1));
    assert(count >= 5);
    const scenes = new Set();
    for (let i = 1; i <= count; ++i) {
        assert.equal(await place(), `${i} of ${count}`);
        await page.waitForTimeout(300);
        scenes.add(await page.locator('#title').textContent());
        await page.locator('#tour-next').click();
    }
    assert(scenes.size >= 4, 'the tour stays where it is');
    assert(await page.locator('#tour').isHidden());
    await page.evaluate(() => window.sinew.pause(true));
}

async function testLinkRestoresSceneControlsAndCamera(browser, address) {
    const page = await openPage(browser, `${address}#scene=chains&gravity=3.5&solver=2&iterations=7&split&b.longRange=0&speed=-2&paused&show=joints,longRange&camera=4,3,2,0,1,0`);
    await page.waitForFunction(() => window.sinew.players.length === 2 && window.sinew.players[1].sceneSettings !== null);
    await settle(page);
    const state = await page.evaluate(() => ({
        gravity: document.querySelector('[data-control=gravity]').value,
        iterations: document.querySelector('#control-iterations').value,
        settings: window.sinew.players.map((player) => player.settings),
        speed: document.getElementById('speed').value,
        pressed: [...document.querySelectorAll('[data-show][aria-pressed=true]')].map((chip) => chip.dataset.show),
        eye: window.sinew.players[0].view.camera.position.toArray(),
        paused: document.body.hasAttribute('data-paused'),
    }));
    assert.equal(state.gravity, '3.5');
    assert.equal(state.iterations, '7');
    assert.equal(state.settings[1].longRange, 0);
    assert.equal(state.speed, '-2');
    assert.deepEqual(state.pressed.sort(), ['joints', 'longRange']);
    assert(distance(state.eye, [4, 3, 2]) < 0.01, `the camera is at ${state.eye}`);
    assert(state.paused);
    await page.context().close();
}

async function testResizeAndLostContext(page) {
    await openScene(page, 'stack', 10);
    await page.setViewportSize({ width: 500, height: 600 });
    await page.waitForFunction(() => Math.abs(window.sinew.players[0].view.camera.aspect - 500 / 600) < 0.02);
    await page.waitForTimeout(300);
    const before = await colorCount(page, await picture(page));
    await page.evaluate(() => {
        window.lost = window.sinew.players[0].view.renderer.getContext().getExtension('WEBGL_lose_context');
        window.lost.loseContext();
    });
    await page.waitForFunction(() => !document.getElementById('problem').hidden);
    await page.evaluate(() => window.lost.restoreContext());
    await page.waitForFunction(() => document.getElementById('problem').hidden);
    await page.waitForTimeout(400);
    assert(await colorCount(page, await picture(page)) > 0.5 * before, 'the picture did not come back');
}

/** Where the camera is, and the light's direction and strength as the scene has it. */
const lookOf = (page) => page.evaluate(() => {
    const { view } = window.sinew.players[0];
    return { eye: view.camera.position.toArray(), target: view.controls.target.toArray(), light: view.light ?? {} };
});

async function testTheCameraFollowsATank(page) {
    await openScene(page, 'tank', 0);
    const before = await lookOf(page), place = await placeOfBody(page, 'hull');
    await hashAfter(page, 240);
    await settle(page);
    const after = await lookOf(page), later = await placeOfBody(page, 'hull');
    assert(distance(place.world, later.world) > 0.5, 'the tank stands still');
    assert(distance(before.eye, after.eye) > 0.5, 'the camera stands still');
    assert(distance([place.x, place.y], [later.x, later.y]) < 2, 'the tank moves in the picture');
}

/** Starts `sinew view` for a file; `stop` ends it and removes the folder. */
async function startView(text) {
    const place = mkdtempSync(join(tmpdir(), 'sinew-view-')), file = join(place, 'scene.json');
    writeFileSync(file, text);
    const server = spawn(command, ['view', file, '--page', folder]);
    const address = await new Promise((done) => server.stdout.on('data', (said) => {
        const found = /http:\S+/.exec(String(said));
        if (found !== null) done(found[0]);
    }));
    const stop = () => {
        server.kill('SIGINT');
        rmSync(place, { recursive: true });
    };
    return { file, address, stop };
}

async function testCameraAndLightTravelAlongKeyframes(browser) {
    const view = await startView(JSON.stringify({
        sinew: 1,
        bodies: [{ shape: { type: 'sphere', radius: 0.5 } }],
        world: { gravity: [0, 0, 0] },
        cameras: [{ name: 'main', eye: [0, 1, 4], target: [0, 0, 0] }],
        motions: [
            { type: 'camera', camera: 'main', path: 'linear', keys: [{ at: 0, eye: [0, 1, 4], target: [0, 0, 0] }, { at: 1, eye: [0, 1, 4], target: [0, 1, 0] }] },
            { type: 'light', path: 'linear', keys: [{ at: 0, direction: [1, 1, 0], strength: 1 }, { at: 1, direction: [-1, 1, 0], strength: 0.5 }] },
        ],
    }));
    const page = await openPage(browser, view.address);
    await page.evaluate(() => window.sinew.pause(true));
    await page.evaluate(() => window.sinew.players[0].send({ type: 'reset' }));
    await hashAfter(page, 60);
    await settle(page);
    const { target, light } = await lookOf(page);
    assert(distance(target, [0, 1, 0]) < 0.02, `the camera looks at ${target}`);
    assert(Math.abs(light.strength - 0.5) < 0.02 && light.direction[0] < 0, `the light is ${JSON.stringify(light)}`);
    await page.context().close();
    view.stop();
}

const scene = (title, radius) => `{"sinew": 1, "title": "${title}", "bodies": [{"shape": {"type": "sphere", "radius": ${radius}}}]}\n`;

async function testViewFollowsTheFile(browser) {
    const { file, address, stop } = await startView(scene('First', 0.5));
    const page = await openPage(browser, address);
    assert.equal(await page.locator('#title').textContent(), 'First');
    writeFileSync(file, scene('Second', -1));
    await page.waitForFunction(() => document.getElementById('problem').textContent.includes('radius'));
    writeFileSync(file, scene('Third', 0.25));
    await page.waitForFunction(() => document.getElementById('title').textContent === 'Third' && document.getElementById('problem').hidden);
    await page.context().close();
    stop();
}

async function testViewOfMistakesWaitsForAScene(browser) {
    const { file, address, stop } = await startView(scene('Wrong', -1));
    const page = await (await browser.newContext()).newPage();
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(address);
    await page.waitForFunction(() => document.getElementById('problem').textContent.includes('radius'));
    for (const part of ['#bar', '#panel']) assert(!(await page.locator(part).isVisible()), `${part} is there without a scene`);
    writeFileSync(file, scene('Right', 0.5));
    await page.waitForFunction(() => document.getElementById('title').textContent === 'Right' && window.sinew.ready());
    for (const part of ['#bar', '#panel']) assert(await page.locator(part).isVisible(), `${part} does not come back`);
    await page.context().close();
    stop();
}

// --- all of them -------------------------------------------------------------------------------------------------

const server = await serveFolder(folder), browser = await openBrowser();
let failed = 0;
async function run(name, test) {
    if (!name.includes(only)) return;
    const begin = Date.now();
    try {
        await test();
        const said = complaints.splice(0);
        assert(said.length === 0, `errors in the console: ${said.join('; ')}`);
        console.log(`ok    ${name} (${((Date.now() - begin) / 1000).toFixed(1)} s)`);
    } catch (error) {
        ++failed;
        console.log(`FAIL  ${name}: ${error.message}`);
        complaints.length = 0;
    }
}
const begin = Date.now();
const page = await openPage(browser, `${server.address}#scene=stack`);
console.log(`first picture after ${Date.now() - begin} ms`);
await run('every scene opens and has the native hash', () => testEverySceneOpensAndHasTheNativeHash(page));
await run('pictures are stable', () => testPicturesAreStable(page));
await run('the mouse grabs', () => testGrabMovesWhatIsGrabbed(page, mouseOf(page)));
await run('every control has an effect', () => testEveryControlHasAnEffect(page));
await run('every overlay is seen', () => testEveryOverlayIsSeen(page));
await run('steps forward and back', () => testStepsForwardAndBack(page));
await run('tools throw, drop and cut', () => testToolsThrowDropAndCut(page));
await run('split view, theme, link, help, search', () => testSplitThemeShareAndHelp(page));
await run('the tour goes through every stop', () => testTourGoesThroughEveryStop(page));
await run('the camera follows a tank', () => testTheCameraFollowsATank(page));
await run('resize and a lost context', () => testResizeAndLostContext(page));
await page.context().close();
const phone = await openPage(browser, `${server.address}#scene=stack`, { viewport: { width: 390, height: 700 }, hasTouch: true, isMobile: true });
await run('a finger grabs on a phone', async () => testGrabMovesWhatIsGrabbed(phone, await fingerOf(phone)));
await phone.context().close();
await run('a link restores scene, controls and camera', () => testLinkRestoresSceneControlsAndCamera(browser, server.address));
await run('camera and light travel along keyframes', () => testCameraAndLightTravelAlongKeyframes(browser));
await run('sinew view follows the file', () => testViewFollowsTheFile(browser));
await run('sinew view of mistakes waits for a scene', () => testViewOfMistakesWaitsForAScene(browser));
await browser.close();
server.stop();
process.exit(failed > 0 ? 1 : 0);
