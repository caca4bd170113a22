// node build.js HEDDLE.js LANES VERSION NPM OUT: one page with all of it inside.  SPDX-License-Identifier: Apache-2.0
'use strict';
const fs = require('fs'), path = require('path'), zlib = require('zlib');
const [, , core, lanes, version, npm, out] = process.argv;
const here = __dirname, read = (f) => fs.readFileSync(f, 'utf8');
const { buildSync } = require(path.resolve(npm, 'node_modules/esbuild'));

const bundle = buildSync({
  entryPoints: [path.join(here, 'app.js')], bundle: true, minify: true, write: false, format: 'iife', target: 'es2022', legalComments: 'none',
  nodePaths: [path.resolve(npm, 'node_modules')],
}).outputFiles[0].text;

// An example is a kernel with lines for `heddle check': its launch is the first RUN line.
const examples = fs.readdirSync(path.join(here, '../examples')).sort().map((name) => {
  const lines = read(path.join(here, '../examples', name)).trimEnd().split('\n');
  let launch = lines.find((s) => s.startsWith('// RUN: ')).slice(8);
  const mode = /--mode (\w+) ?/.exec(launch), says = (word) => lines.includes(`// ${word}`);
  if (mode) launch = launch.replace(mode[0], '');
  const source = lines.filter((s) => !/^\/\/ (SPDX|RUN|EXIT|EXPECT|MESSAGE|BOTH|PLANTED|LANES)/.test(s)).join('\n').replace(/\n\n\n+/g, '\n\n');
  return { title: lines[0].replace(/^\/\/ /, '').replace(/\.$/, ''), source, launch, mode: says('BOTH') ? 'both' : mode ? mode[1] : 'barrier', planted: says('PLANTED') };
});

// GTKWave's views: their rows, by the names in the file.
const views = {};
for (const f of fs.readdirSync(path.join(here, '../../waves')).filter((n) => n.endsWith('.gtkw'))) {
  const text = read(path.join(here, '../../waves', f)), rows = [];
  for (const s of text.split('\n')) {
    const m = /^\+\{(.*)\} ([\w.]+)/.exec(s);
    if (m) rows.push({ label: m[1], name: m[2] });
    else if (/^-./.test(s) && !/1 sec is/.test(s)) rows.push({ heading: s.slice(1) });
  }
  views[f.replace('.gtkw', '')] = { question: (/^\[\*\] (.*?) *\(docs/m.exec(text) || ['', ''])[1], rows };
}

const licences = [read(path.join(here, '../../LICENSE'))];
for (const scope of ['@codemirror', '@lezer', '@marijn', '.'])
  for (const p of scope === '.' ? ['crelt', 'style-mod', 'w3c-keyname'] : fs.readdirSync(path.join(npm, 'node_modules', scope))) {
    const f = path.join(npm, 'node_modules', scope, p, 'LICENSE');
    if (fs.existsSync(f)) licences.push(`${path.join(scope, p)}\n\n${read(f)}`);
  }
for (const p of ['zlib', 'cjson']) licences.push(`${p}\n\n${read(path.join(npm, '../sources', p, 'LICENSE'))}`);
licences.push('Parts of emscripten and musl (MIT), and of the run time of Verilator (Artistic 2.0 or LGPL 3), are in the program, too.');
const escape = (s) => s.replace(/&/g, '&amp;').replace(/</g, '&lt;');
const script = (s) => s.replace(/<\/script/gi, '<\\/script').replace(/<!--/g, '<\\!--');
const parts = {
  STYLE: read(path.join(here, 'page.css')), LANES: lanes, CORES: lanes.split(' ').join(' or '), HEAP: '64', VERSION: escape(version.split('\n')[0]), LICENCE: escape(licences.join('\n\n--------\n\n')),
  CORE_JS: script(read(core)), WORKER: script(read(path.join(here, 'worker.js'))), APP: script(bundle),
  WASM: zlib.gzipSync(fs.readFileSync(core.replace(/js$/, 'wasm')), { level: 9 }).toString('base64'),
  VIEWS: JSON.stringify(views).replace(/</g, '\\u003c'),
  EXAMPLES: JSON.stringify(examples).replace(/</g, '\\u003c'),
};
const page = read(path.join(here, 'page.html')).replace(/@([A-Z_]+)@/g, (all, name) => { if (!(name in parts)) throw new Error(all); return parts[name]; });
fs.writeFileSync(out, page);
console.log(`${out}: ${(page.length / 1e6).toFixed(2)} MB, ${examples.length} examples, LANES=${lanes}`);
