// The gallery's list with titles and descriptions from the scene files. Fails if a scene is in no group.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [galleryPath, folder, output] = process.argv.slice(2);
const gallery = JSON.parse(readFileSync(galleryPath, 'utf8'));
const names = readdirSync(folder).filter((file) => file.endsWith('.json')).map((file) => file.slice(0, -5));
const grouped = gallery.groups.flatMap((group) => group.scenes);
const missing = names.filter((name) => !grouped.includes(name)), unknown = grouped.filter((name) => !names.includes(name));
if (missing.length > 0 || unknown.length > 0) {
    console.error(`web/gallery.json: scenes in no group: ${missing.join(', ') || 'none'}; without a file: ${unknown.join(', ') || 'none'}`);
    process.exit(1);
}
for (const group of gallery.groups) {
    group.scenes = group.scenes.map((name) => {
        const scene = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));
        return { name, title: scene.title ?? name, text: scene.description ?? '' };
    });
}
writeFileSync(output, JSON.stringify(gallery));
