// The page in headless Chromium: how long until the first picture, and three scenes computed there, simulation alone.
//
//   node browser.mjs PAGE_FOLDER [STEPS]
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { unpack } from '../src/pack.mjs';
import { openBrowser, serveFolder } from '../tests/browser.mjs';

const folder = resolve(process.argv[2]), steps = Number(process.argv[3] ?? 120);
const scenes = ['cloth_sphere', 'jelly_chocolate_dish', 'tower'];

async function firstPicture(browser, address) {
    const page = await (await browser.newContext({ viewport: { width: 1280, height: 720 } })).newPage();
    const begin = performance.now();
    await page.goto(address);
    await page.waitForFunction(() => window.sinew?.ready());
    const time = performance.now() - begin;
    await page.context().close();
    return time;
}

/** Opens a scene in a page where nothing is drawn; returns the length of a step [ms]. Runs in the page. */
async function openScene(name) {
    const { instance } = await WebAssembly.instantiateStreaming(fetch('engine.wasm'), {});
    const c = instance.exports, bytes = new Uint8Array(await (await fetch(`scenes/${name}.state`)).arrayBuffer());
    const size = Number(new DataView(bytes.buffer).getBigUint64(8, true));
    const looks = JSON.parse(new TextDecoder().decode(bytes.subarray(16, 16 + size))), snapshot = bytes.subarray(16 + size);
    const stepLength = Math.fround(looks.step ?? 1 / 60);
    c._initialize();
    const address = c.page_allocate(snapshot.length);
    new Uint8Array(c.memory.buffer, address, snapshot.length).set(snapshot);
    if (c.page_open(address, snapshot.length) !== 0) throw new Error(name);
    window.advance = (count) => {
        for (let i = 0; i < count; ++i) c.page_step(stepLength);
    };
    return 1e3 * stepLength;
}

/** Milliseconds of CPU that a step takes the page's thread. */
async function measureStep(page) {
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    const used = async () => (await session.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'TaskDuration').value;
    const begin = await used();
    await page.evaluate((count) => window.advance(count), steps);
    return (1e3 * (await used() - begin)) / steps;
}

const engine = Buffer.from(unpack(Uint8Array.from(gunzipSync(readFileSync(join(folder, 'engine.pack'))))));
const server = await serveFolder(folder), browser = await openBrowser();
const first = [];
for (let i = 0; i < 3; ++i) first.push(await firstPicture(browser, server.address));
console.log(`first picture: ${first.map((time) => `${(time * 1e-3).toFixed(2)} s`).join(', ')}\n`);
console.log('| scene | CPU ms a step | length of a step | of real time |\n| --- | --- | --- | --- |');
for (const name of scenes) {
    const page = await browser.newPage();
    await page.route('**/engine.wasm', (route) => route.fulfill({ body: engine, contentType: 'application/wasm' }));
    await page.goto(`${server.address}gallery.json`);
    const length = await page.evaluate(openScene, name), time = await measureStep(page);
    console.log(`| ${name} | ${time.toFixed(1)} | ${length.toFixed(1)} ms | ${(length / time).toFixed(2)} × |`);
    await page.close();
}
await browser.close();
server.stop();
