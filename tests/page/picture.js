// node picture.js PAGE.html OUT.png: the page as docs/page.md shows it.  SPDX-License-Identifier: Apache-2.0
'use strict';
const chromium = require('../view/chromium.js'), path = require('path');
const [, , page, out] = process.argv;
chromium('file://' + path.resolve(page), async (p) => {
  await p.emulate({ width: 1400, height: 850 });
  const show = async (example) => {
    await p.evaluate(`delete document.body.dataset.done; document.getElementById('example').value = '${example}'; document.getElementById('example').onchange()`);
    await p.until('document.body.dataset.done !== undefined', 'verdict');
  };
  await p.until('document.body.dataset.done !== undefined', 'core');
  await show(11);
  await new Promise((yes) => setTimeout(yes, 1500));
  await p.screenshot(out);
}, ['--disable-gpu']).catch((e) => { console.error(e); process.exitCode = 1; });
