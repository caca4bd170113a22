// node unpack.js FOLDER < LINES: what the page makes of the first link there: FOLDER/source, launch and mode, by the page's own
// decoder (page/web/link.js).
// SPDX-License-Identifier: Apache-2.0
'use strict';
const fs = require('fs'), os = require('os'), path = require('path');
// Debian 12's node has no raw deflate among its streams, as browsers do.
try { new DecompressionStream('deflate-raw'); } catch {
  const { Duplex } = require('stream'), zlib = require('zlib');
  globalThis.DecompressionStream = function () { return Duplex.toWeb(zlib.createInflateRaw()); };
}
const link = /^ *page: .*?(#[\w-]+)$/m.exec(fs.readFileSync(0, 'utf8')), out = process.argv[2];
const at = fs.mkdtempSync(path.join(os.tmpdir(), 'link-'));
(async () => {
  if (!link) throw new Error('no link there');
  fs.writeFileSync(path.join(at, 'package.json'), '{ "type": "module" }');
  for (const f of ['link.js', 'run.js']) fs.copyFileSync(path.join(__dirname, '../../page/web', f), path.join(at, f));
  const state = await (await import(path.join(at, 'link.js'))).unpack(link[1]);
  if (!state) throw new Error('the page cannot read this link');
  for (const part of ['source', 'launch', 'mode']) fs.writeFileSync(path.join(out, part), state[part]);
})().catch((e) => { console.log(`unpack: ${e.message}`); process.exitCode = 1; }).finally(() => fs.rmSync(at, { recursive: true }));
