// The page is built into build/web/page; what it fetches (engine, scenes, thumbnails) is put into build/web/public
// by web/prepare.sh before.
import { defineConfig } from 'vite';

export default defineConfig({
    base: './',
    publicDir: '../build/web/public',
    build: { outDir: '../build/web/page', emptyOutDir: true, target: 'es2022', chunkSizeWarningLimit: 800 },
    worker: { format: 'es' },
});
