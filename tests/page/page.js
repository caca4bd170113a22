// node page.js PAGE.html HEDDLE: the page as somebody uses it, in Chromium without a window, opened from the disk; and what HEDDLE
// prints of a failing kernel, opened in it.  Then the page in Firefox.
// SPDX-License-Identifier: Apache-2.0
'use strict';
const chromium = require('../view/chromium.js'), firefox = require('../view/firefox.js');
const { spawnSync } = require('child_process'), path = require('path'), zlib = require('zlib');
const heddle = process.argv[3];
const url = 'file://' + path.resolve(process.argv[2]);
let passed = 0, failed = 0;
const check = (ok, what, saw) => { if (ok) passed++; else { failed++; console.log(`FAIL page: ${what}${saw === undefined ? '' : `: ${saw}`}`); } };
const pack = (state) => '#' + zlib.deflateRawSync(JSON.stringify(state)).toString('base64url');
const sleep = (ms) => new Promise((yes) => setTimeout(yes, ms));

// What each example ends with.
const ENDS = [
  [/^Divergent/, /^RTL and model agree$/], [/^Loop/, /^RTL and model agree$/], [/^Soft/, /^RTL and model agree$/], [/^Break/, /^RTL and model agree$/],
  [/^Spill/, /^RTL and model agree$/], [/^Deadlock/, /^Deadlock: RTL and model agree/], [/^Race/, /agree, but the kernel has a race$/],
  [/^Fault/, /^Fault: RTL and model agree/], [/^Block/, /^RTL and model agree$/], [/^Spin/, /^RTL and model agree$/],
  [/^Both/, /^barriers: RTL and model agree$/], [/^Planted/, /^RTL and model differ at BSYNC B0 \(line 24\): a bug of the core$/], [/^Vote/, /^RTL and model agree$/],
];
const KERNEL = (body, name = 'k') => `.version 7.8\n.target sm_90\n.address_size 64\n.visible .entry ${name}(.param .u64 out)\n{\n` +
  `    .reg .pred %p<2>;\n    .reg .b32 %r<4>;\n    .reg .b64 %a<4>;\n${body}\n    ret;\n}\n`;
const OPEN = "document.getElementById('verdict')", TITLES = `[...document.querySelectorAll('#verdict strong')].map((e) => e.textContent)`;

async function done(p) {
  await p.until('document.body.dataset.done !== undefined', 'verdict');
  return p.evaluate(TITLES);
}
async function go(p, state) {
  await p.evaluate(`delete document.body.dataset.done; location.hash = ${JSON.stringify(pack(state))}`);
  return done(p);
}
const tab = (p, name) => p.evaluate(`document.getElementById('tab-${name}').click()`);
const text = (p, selector) => p.evaluate(`document.querySelector(${JSON.stringify(selector)}).innerText`);
// How many colours the lanes of the timeline have, and what share of them is no background.
const PIXELS = `(() => { const c = document.querySelector('#view-timeline iframe').contentDocument.getElementById('lanes');
  if (!c || !c.width) return null; const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data, seen = new Map();
  for (let i = 0; i < d.length; i += 4) { const v = d[i] << 16 | d[i + 1] << 8 | d[i + 2]; seen.set(v, (seen.get(v) || 0) + 1); }
  const most = Math.max(...seen.values()); return { colours: [...seen.values()].filter((n) => n > 20).length, drawn: 1 - most / (d.length / 4) }; })()`;

async function examples(p) {
  const names = await p.evaluate("[...document.querySelectorAll('#example option')].map((o) => o.textContent)");
  check(names.length >= 12 && names.length === ENDS.length, 'examples', names.length);
  for (const [k, name] of names.entries()) {
    await p.evaluate(`delete document.body.dataset.done; document.getElementById('example').value = '${k}'; document.getElementById('example').onchange()`);
    const titles = await done(p), [is, ends] = ENDS[k] || [/^$/, /^$/];
    check(is.test(name) && ends.test(titles[0]), name, titles.join('; '));
    if (/^Both/.test(name)) check(titles.length === 2 && /^stack: RTL and model agree$/.test(titles[1]), 'both modes', titles.join('; '));
    await tab(p, 'timeline');
    const drawn = await p.until(`(() => { const v = ${PIXELS}; return v && v.colours >= 2 && v; })()`, `timeline of ${name}`);
    check(drawn.colours >= 2 && drawn.drawn > 0.02, `${name}: the timeline is empty`, JSON.stringify(drawn));
    if (/^Planted/.test(name)) await planted(p);
    if (/^Soft/.test(name)) check((await text(p, '#verdict')).includes('SIMT efficiency'), 'figures', await text(p, '#verdict'));
  }
}

async function planted(p) {
  await tab(p, 'said');
  check(/BSYNC B0/.test(await text(p, '#view-said')), 'the report of the planted bug names its instruction', await text(p, '#view-said'));
  check(/add\.u32/.test(await p.evaluate("(document.querySelector('.cm-line.marked') || {}).textContent")), 'the editor shows where RTL and model differ');
  await tab(p, 'timeline');
  const verdict = await text(p, '#verdict'), report = await text(p, '#view-said'), commit = (/^lockstep: difference at cycle \d+, commit (\d+),/m.exec(report) || [])[1];
  check(/lanes 16-31: RTL goes on to 0xb0, model waits at B0/.test(verdict) && /^lanes 16-31: RTL goes on/m.test(report), 'the difference is said in words', verdict);
  const model = await p.evaluate("getComputedStyle(document.querySelector('#view-timeline iframe').contentDocument.getElementById('other')).display");
  check(model !== 'none', 'the timeline draws the model beside the RTL', model);
  await to_difference(p, commit);
}

// Each view opens at the commit in which RTL and model differ, under the number that the report gives it.
async function to_difference(p, commit) {
  const way = (name) => p.evaluate(`[...document.querySelectorAll('#verdict .ways button')].find((b) => b.textContent === '${name}').click()`);
  await way('Step');
  await p.until("document.body.dataset.steps === 'done'", 'steps of a difference');
  const step = await text(p, '#view-steps');
  check(step.includes(`commit ${commit}: `) && /Here RTL and model differ/.test(step) && /wait B0/.test(step), 'Step shows the commit that differs', step.slice(0, 200));
  await p.evaluate("document.querySelector('#view-steps .controls button[title^=back]').click()");
  check(!/Here RTL and model differ/.test(await text(p, '#view-steps')), 'and the one before');
  await p.evaluate("document.querySelector('#view-steps .controls button[title*=differ]').click()");
  check(/Here RTL and model differ/.test(await text(p, '#view-steps')), 'and goes back to it');
  await way('Code');
  await sleep(300);
  const code = await p.evaluate(`(() => { const r = document.querySelector('#view-code tr.differs'), b = r && r.getBoundingClientRect(), v = document.getElementById('view-code').getBoundingClientRect();
    return r ? { text: r.innerText, seen: b.top >= v.top && b.bottom <= v.bottom, faint: +getComputedStyle(r).opacity < 1 } : {}; })()`);
  check(/BSYNC B0/.test(code.text) && code.text.includes(`differ at commit ${commit}`) && code.seen && !code.faint, 'Code marks its instruction', JSON.stringify(code));
  await way('Waveform');
  await p.until("document.body.dataset.wave === 'done'", 'waveform of a difference');
  const [, from, to] = /cycles (\d+) to (\d+)/.exec(await text(p, '#view-wave output')) || [], cycle = +(/cycle (\d+)/.exec(await text(p, '#verdict')) || [])[1];
  check(+from < cycle && cycle < +to, 'the waveform opens with the difference', `cycle ${cycle}, shown ${from} to ${to}`);
  const marked = await p.evaluate(`(() => { const c = document.querySelector('#view-wave canvas'), s = c.width / c.clientWidth, label = Math.min(190, c.clientWidth * 0.35);
    const x = Math.round((label + (${cycle} - ${from}) * (c.clientWidth - label) / (${to} - ${from})) * s), d = c.getContext('2d').getImageData(x - 3, c.height / 2, 7, 1).data;
    for (let i = 0; i < d.length; i += 4) if (d[i] > 150 && d[i + 1] < 80 && d[i + 2] < 80) return true; return false; })()`);
  check(marked, 'and marks it');
}

async function views(p) {
  await p.evaluate("delete document.body.dataset.done; document.getElementById('example').value = '0'; document.getElementById('example').onchange()");
  await done(p);
  await tab(p, 'profile');
  const loss = await text(p, '#view-profile .losses li');
  check(/line \d+:.*bra\s+STORE/s.test(loss), 'the profile names the branch that costs most', loss);
  await p.evaluate("document.querySelector('#view-profile .losses button').click()");
  check(/bra\s+STORE/.test(await p.evaluate("(document.querySelector('.cm-line.marked') || {}).textContent")), 'a click shows its line in the editor');
  await tab(p, 'code');
  const code = await text(p, '#view-code');
  check(/BSSY B0/.test(code) && /BSYNC B1/.test(code) && /shr\.u32/.test(code), 'machine code with its barriers beside the source');
  await tab(p, 'steps');
  await p.until("document.body.dataset.steps === 'done'", 'steps');
  for (let i = 0; i < 14; i++) await p.evaluate("document.querySelector('#view-steps .controls button[title^=step]').click()");
  const step = await text(p, '#view-steps');
  check(/commit \d+: 15 of \d+ of this warp/.test(step) && /B0\s+\d+ of 32 have come/.test(step), 'a step shows barrier registers', step.slice(0, 300));
  for (let i = 0; i < 40 && !/wait B0/.test(await text(p, '#view-steps')); i++) await p.evaluate("document.querySelector('#view-steps .controls button[title^=step]').click()");
  const waits = +(/cycle (\d+)/.exec(await text(p, '#view-steps')) || [])[1];
  await tab(p, 'wave');
  await p.until("document.body.dataset.wave === 'done'", 'waveform');
  const window_of = async () => /cycles (\d+) to (\d+)/.exec(await text(p, '#view-wave output')).slice(1).map(Number), [from, to] = await window_of();
  check(from < waits && waits < to && to - from <= 100, 'the waveform opens where lanes wait', `${from} to ${to}, a lane waits in ${waits}`);
  await p.evaluate("document.querySelector('#view-wave button[title*=next]').click()");
  check((await window_of())[0] > from, 'and goes on to the next event', await window_of());
  const links = await p.evaluate("[...document.querySelectorAll('#view-wave a')].map((a) => a.download).join(' ')");
  check(/kernel\.fst/.test(links), 'the waveform can be downloaded', links || await text(p, '#view-wave'));
  check(await p.evaluate(`(() => { const c = document.querySelector('#view-wave canvas'); if (!c) return false;
    const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data, seen = new Set(); for (let i = 0; i < d.length; i += 4) seen.add(d[i] << 16 | d[i + 1] << 8 | d[i + 2]);
    return seen.size > 5; })()`), 'the waveform is drawn');
  const slots = await p.evaluate("[...document.querySelectorAll('#view-wave [aria-label=\"warp slot\"] option')].map((o) => o.textContent)");
  check(slots.length === 4 && slots[3] === 'warp slot 3: block 1, warp 1', 'the warp slot can be chosen', slots.join('; '));
  const picture = "document.querySelector('#view-wave canvas').toDataURL()", before = await p.evaluate(picture);
  await p.evaluate("(() => { const s = document.querySelector('#view-wave [aria-label=\"warp slot\"]'); s.value = 3; s.dispatchEvent(new Event('change')); })()");
  check(await p.evaluate(picture) !== before, 'and another one is drawn');
  await tab(p, 'timeline');
}

// After an edit, the figures of the run before stand beside the new ones; not those of another example.
async function again(p) {
  const figures = async () => /([\d,]+) cycles.*SIMT efficiency ([\d.]+%)/.exec(await text(p, '#verdict'));
  await p.evaluate("delete document.body.dataset.done; document.getElementById('example').value = '0'; document.getElementById('example').onchange()");
  await done(p);
  const [was, cycles, share] = await figures();
  check(!/before/.test(was), 'nothing was before', was);
  await p.evaluate("(() => { const l = document.getElementById('launch'); l.value = l.value.replace(' --no-ifconv', ''); delete document.body.dataset.done; document.getElementById('run').click(); })()");
  await done(p);
  const now = await text(p, '#verdict');
  check(now.includes(`(before ${cycles}: x1.`) && now.includes(`(before ${share})`), 'the figures of the run before', now);
}

async function wrong(p) {
  const titles = await go(p, { source: KERNEL('    mov.u32 %r1, %tid.x;\n    mov.u32 %r2, %nothing;'), launch: "--grid 1 --block 32 out:u32[32]", mode: 'barrier' });
  check(/^Not run/.test(titles[0]), 'an error', titles[0]);
  const said = await text(p, '#errors');
  check(/line 10: /.test(said) && /%nothing/.test(said), 'an error names its line', said);
  const caret = await p.evaluate("document.querySelector('#errors pre').textContent.split('\\n')");
  check(caret[1].indexOf('^') === caret[0].indexOf('%nothing'), 'a caret is below it', caret.join('|'));
  check(await p.evaluate("document.querySelector('.cm-lintRange-error').textContent") === '%nothing', 'the editor marks it');
  const big = await go(p, { source: KERNEL('    mov.u32 %r1, %tid.x;'), launch: '--grid 1 --block 32 out:u32[100000000]', mode: 'barrier' });
  check(/^Too large for this page/.test(big[0]), 'a kernel that is too large says so', `${big[0]}: ${await text(p, '#verdict')}`);
  const cuda = await go(p, { source: '__global__ void k(int *out) { out[0] = 1; }', launch: '--grid 1 --block 1 out:i32[1]', mode: 'barrier' });
  check(/^Not run/.test(cuda[0]), 'CUDA C is refused', cuda[0]);
}

async function stops(p) {
  await p.evaluate(`delete document.body.dataset.done; location.hash = ${JSON.stringify(pack({
    source: KERNEL('AGAIN:\n    add.u32 %r1, %r1, 1;\n    setp.ne.u32 %p1, %r1, 0;\n    @%p1 bra AGAIN;\n    bra AGAIN;'), launch: '--grid 1 --block 32 out:u32[32]', mode: 'barrier' }))}`);
  await p.until("/Running/.test(document.getElementById('verdict').textContent)", 'run');
  await sleep(1500);
  check(await p.evaluate("document.body.dataset.done === undefined && !document.getElementById('stop').disabled"), 'an endless kernel goes on');
  const from = Date.now();
  await p.evaluate("document.getElementById('stop').click()");
  const titles = await done(p);
  check(/^Stopped/.test(titles[0]) && Date.now() - from < 1000, 'Stop works at once', `${titles[0]} after ${Date.now() - from} ms`);
}

async function linked() {
  let hash = '';
  await chromium(url, async (p) => {
    await done(p);
    await p.evaluate("document.querySelector('[name=mode][value=stack]').checked = true; document.getElementById('launch').value += ' --mem-seed 3'; document.getElementById('link').click()");
    await p.until('location.hash.length > 1', 'link');
    hash = await p.evaluate('location.hash');
  }, ['--disable-gpu']);
  check(hash.length > 100 && hash.length < 1500, 'a link is short', hash.length);
  await chromium(url + hash, async (p) => {
    const titles = await done(p);
    const state = await p.evaluate("[document.querySelector('[name=mode]:checked').value, document.getElementById('launch').value, document.querySelector('.cm-content').textContent]");
    check(titles[0] === 'RTL and model agree' && state[0] === 'stack' && /--mem-seed 3/.test(state[1]) && /collatz/.test(state[2]), 'a link opens in another browser', titles.concat(state.slice(0, 2)).join('; '));
    check((await p.evaluate("document.getElementById('example').selectedOptions[0].textContent")) === 'From the link', 'and says where it is from');
  }, ['--disable-gpu']);
}

// The chooser of a core and the launch say the same.
async function cores(p) {
  const has = await p.evaluate("[...document.querySelectorAll('#core option')].map((o) => o.value)");
  if (has.length < 2) return;
  const cycles = async () => Number(/([\d,]+) cycles/.exec(await text(p, '#verdict'))[1].replace(/,/g, ''));
  const run = "delete document.body.dataset.done; document.getElementById('run').click()", usual = await cycles();
  await p.evaluate(`(() => { const s = document.getElementById('core'); s.value = '${has[1]}'; s.dispatchEvent(new Event('change')); ${run} })()`);
  check((await done(p))[0] === 'RTL and model agree', `the core of ${has[1]} lanes`);
  check(await p.evaluate(`document.getElementById('launch').value.endsWith('--lanes ${has[1]}')`) && await cycles() > usual, 'takes more cycles', `${await cycles()}, and ${usual}`);
  await p.evaluate(`(() => { const s = document.getElementById('core'); s.value = '${has[0]}'; s.dispatchEvent(new Event('change')); ${run} })()`);
  await done(p);
  check(!/--lanes/.test(await p.evaluate("document.getElementById('launch').value")) && await cycles() === usual, 'and back');
}

async function people(p) {
  check(await p.evaluate(`${OPEN}.getAttribute('role') === 'status' && ${OPEN}.getAttribute('aria-live') === 'polite'`), 'screen readers get the verdict');
  await p.evaluate("document.getElementById('tab-timeline').focus(); document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }))");
  check(await p.evaluate("document.activeElement.id === 'tab-code' && document.activeElement.getAttribute('aria-selected') === 'true'"), 'tabs by the keyboard');
  await p.evaluate("delete document.body.dataset.done; dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true }))");
  await done(p);
  check(true, 'Ctrl+Enter runs');
  await tab(p, 'timeline');
  const light = await p.evaluate('getComputedStyle(document.body).backgroundColor');
  await p.emulate({ width: 390, height: 844, dark: true });
  await sleep(300);
  check(await p.evaluate('getComputedStyle(document.body).backgroundColor') !== light, 'dark mode');
  const wide = await p.evaluate('document.documentElement.scrollWidth');
  check(wide <= 390, 'a phone needs no scrolling to the side', wide);
  const seen = await p.evaluate(`[${OPEN}, document.querySelector('#view-timeline iframe')].map((e) => e.getBoundingClientRect()).map((r) => r.top >= 0 && r.top < 600 && r.height > 30)`);
  check(seen.every(Boolean), 'a phone shows verdict and timeline', seen.join(' '));
  check(await p.evaluate("document.querySelector('iframe').contentDocument.documentElement.scrollWidth <= 390"), 'the timeline fits');
}

// What a report prints, in a browser.
async function reported() {
  const said = spawnSync(heddle, ['lockstep', 'tests/fail/deadlock.s', '--grid', '1', '--block', '2', 'out:u32[2]'], { encoding: 'utf8' }).stderr;
  const link = (/^page: (file:\S+)$/m.exec(said) || [])[1];
  check(link && link.startsWith(`${url}#`), 'a report prints where the page shows it', said);
  if (!link) return;
  await chromium(link, async (p) => {
    const titles = await done(p);
    check(/^Deadlock: RTL and model agree/.test(titles[0]), 'and it does', titles.join('; '));
  }, ['--disable-gpu']);
}

// Firefox, of the run and of an error.
async function in_firefox() {
  await firefox(url, async (p) => {
    const first = await done(p);
    check(first[0] === 'RTL and model agree', 'Firefox runs the first example', first[0]);
    const drawn = await p.until(`(() => { const v = ${PIXELS}; return v && v.colours >= 2 && v; })()`, 'timeline in Firefox');
    check(drawn.drawn > 0.02, 'Firefox draws the timeline', JSON.stringify(drawn));
    const titles = await go(p, { source: KERNEL('    mov.u32 %r2, %nothing;'), launch: '--grid 1 --block 32 out:u32[32]', mode: 'barrier' });
    check(/^Not run/.test(titles[0]) && /line 9: .*%nothing/s.test(await text(p, '#errors')), 'an error in Firefox', `${titles[0]}: ${await text(p, '#errors')}`);
  }).catch((e) => {
    if (!e.unstarted) throw e;
    console.log(`NOT RUN: the page in Firefox: ${e.message}`);
  });
}

(async () => {
  await chromium(url, async (p) => {
    await p.emulate({ width: 1400, height: 850 });
    const first = await done(p);
    check(first[0] === 'RTL and model agree', 'the page runs its first example by itself', first[0]);
    check(/^Heddle 1|^heddle 1/.test(await p.evaluate("document.querySelector('#about .dim').textContent")), 'the version is said');
    check(/Apache License/.test(await p.evaluate("document.getElementById('licence').textContent")), 'the licence is inside');
    await examples(p);
    await views(p);
    await again(p);
    await wrong(p);
    await stops(p);
    await p.evaluate("delete document.body.dataset.done; document.getElementById('example').value = '1'; document.getElementById('example').onchange()");
    check((await done(p))[0] === 'RTL and model agree', 'the page runs again after a stop');
    await cores(p);
    await people(p);
    check(await p.evaluate("performance.getEntriesByType('resource').filter((r) => !/^(blob|data):/.test(r.name)).length") === 0, 'nothing is loaded');
  }, ['--disable-gpu']);
  await linked();
  await reported();
  await in_firefox();
  console.log(`page: ${passed} passed, ${failed} failed`);
  process.exitCode = failed ? 1 : 0;
})().catch((e) => { console.error(e); console.log(`page: ${passed} passed, ${failed + 1} failed`); process.exitCode = 1; });
