// node picture.js draw|check PAGE.html OUT.png: the page as docs/page.md shows it.  The picture keeps the sum of what it shows, and is old
// when that is another one.  SPDX-License-Identifier: Apache-2.0
'use strict';
const chromium = require('../view/chromium.js'), path = require('path'), fs = require('fs'), { createHash } = require('crypto');
const [, , what, page, out] = process.argv;

// What is in sight, in words and as the timeline's data; how it looks.
const SHOWN = `[['#verdict', '#tabs', '.cm-content', '#altered'].map((s) => document.querySelector(s).innerText), document.getElementById('launch').value,
  document.querySelector('style').textContent,
  document.querySelector('#view-timeline iframe').srcdoc.replace(/<script>[^]*/, '')].join('\\n')`;

// A chunk of text before a PNG's last chunk.
function with_text(png, text) {
  const body = Buffer.concat([Buffer.from('tEXtComment\0'), Buffer.from(text)]), end = png.length - 12, chunk = Buffer.alloc(body.length + 8);
  let crc = ~0;
  for (const b of body) { crc ^= b; for (let k = 0; k < 8; k++) crc = crc >>> 1 ^ (crc & 1 ? 0xedb88320 : 0); }
  chunk.writeUInt32BE(body.length - 4);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(~crc >>> 0, body.length + 4);
  return Buffer.concat([png.subarray(0, end), chunk, png.subarray(end)]);
}

chromium('file://' + path.resolve(page), async (p) => {
  await p.emulate({ width: 1400, height: 850 });
  await p.until('document.body.dataset.done !== undefined', 'core');
  await p.evaluate("delete document.body.dataset.done; document.getElementById('example').value = '11'; document.getElementById('example').onchange()");
  await p.until('document.body.dataset.done !== undefined', 'verdict');
  const made = `made of ${createHash('sha256').update(await p.evaluate(SHOWN)).digest('hex')}`;
  if (what === 'check') {
    if (fs.readFileSync(out).includes(made)) return;
    console.log(`${out} is not what is drawn now: make docs-page`);
    process.exitCode = 1;
    return;
  }
  await new Promise((yes) => setTimeout(yes, 1500));
  await p.screenshot(out);
  fs.writeFileSync(out, with_text(fs.readFileSync(out), made));
}, ['--disable-gpu']).catch((e) => { console.error(e); process.exitCode = 1; });
