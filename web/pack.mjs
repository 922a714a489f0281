// Packs the engine for the page, compressed as far as gzip goes.
//
//   node pack.mjs ENGINE.wasm ENGINE.pack
import { execFileSync } from 'node:child_process';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { pack, unpack } from './src/pack.mjs';

const [wasm, packed] = process.argv.slice(2);
const module = readFileSync(wasm), streams = pack(module);
if (!module.equals(unpack(streams))) throw new Error(`${wasm} cannot be packed`);
writeFileSync(packed, streams);
execFileSync('zopfli', [packed]);
renameSync(`${packed}.gz`, packed);
