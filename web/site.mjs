// The site: the built page, and docs/ as pages beside it. Links from page to page stay; links to files that are not on
// the site become plain text.
//
//   node site.mjs PAGE_FOLDER DOCS_FOLDER SITE_FOLDER
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Marked } from 'marked';

const [page, docs, site] = process.argv.slice(2);

const style = `
:root { color-scheme: light dark; --ink: #1c2733; --soft: #5b6875; --line: #d8dee4; --ground: #f6f8fa; --link: #b8431f; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e9ee; --soft: #9aa7b4; --line: #2c3742; --ground: #1a222b; --link: #ef7d57; } }
body { font: 16px/1.6 system-ui, sans-serif; color: var(--ink); max-width: 52rem; margin: 0 auto; padding: 1rem 1.2rem 4rem; }
nav { display: flex; gap: 1.2rem; padding: 0.4rem 0 1rem; border-bottom: 1px solid var(--line); }
a { color: var(--link); }
img { max-width: 100%; height: auto; border-radius: 8px; }
pre, code { font: 0.86em/1.5 ui-monospace, monospace; background: var(--ground); border-radius: 6px; }
code { padding: 0.1em 0.3em; }
pre { padding: 0.8rem 1rem; overflow-x: auto; }
pre code { padding: 0; font-size: 1em; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { border-bottom: 1px solid var(--line); padding: 0.35rem 0.8rem 0.35rem 0; text-align: left; vertical-align: top; }
td img { min-width: 9rem; }`;

/** As GitHub names the anchors of headings. */
const anchorOf = (text) => text.toLowerCase().replace(/<[^>]*>|[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-');

const escapeText = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

const marked = new Marked({
    renderer: {
        heading({ tokens, depth, text }) {
            return `<h${depth} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
        },
        link({ href, tokens }) {
            const text = this.parser.parseInline(tokens), [path, anchor] = href.split('#');
            if (/^https?:/.test(href) || path === '') return `<a href="${href}">${text}</a>`;
            if (path.startsWith('..') || !existsSync(join(docs, path))) return text;
            return `<a href="${path.replace(/\.md$/, '.html')}${anchor !== undefined ? `#${anchor}` : ''}">${text.replace(/\.md$/, '')}</a>`;
        },
    },
});

function writePage(file) {
    const text = readFileSync(join(docs, file), 'utf8'), title = /^# (.*)/m.exec(text)?.[1] ?? file;
    const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeText(title)} · Sinew</title><style>${style}</style></head>
<body><nav><a href="../index.html">Try it</a><a href="index.html">All pages</a></nav>
${marked.parse(text)}</body></html>
`;
    writeFileSync(join(site, 'docs', file.replace(/\.md$/, '.html')), html);
}

rmSync(site, { recursive: true, force: true });
mkdirSync(site, { recursive: true });
cpSync(page, site, { recursive: true });
cpSync(docs, join(site, 'docs'), { recursive: true, filter: (path) => !path.endsWith('.md') });
readdirSync(docs).filter((file) => file.endsWith('.md')).forEach(writePage);

// Only the site has docs: `sinew view` serves the page alone.
const index = join(site, 'index.html'), share = '<button id="share"';
const html = readFileSync(index, 'utf8');
if (!html.includes(share)) throw new Error(`${index} has no ${share}`);
writeFileSync(index, html.replace(share, `<a class="quiet" href="docs/index.html">Docs</a>\n        ${share}`));
