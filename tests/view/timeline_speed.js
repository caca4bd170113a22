// How long the timeline takes to be drawn first, and each frame while it is moved.  SPDX-License-Identifier: Apache-2.0
// use: timeline_speed.js PAGE COMMITS     Exit status 1: more than 2 s, or fewer than 60 frames a second.
// A busy machine delays some frames, so the quickest quarter counts: a page that is too slow has none that is quick.  With
// more than twice as much work as it has processors a machine delays them all: times are printed, and not judged.
'use strict';
const path = require('path'), os = require('os');
const chromium = require('./chromium.js');
const [page, commits] = process.argv.slice(2);
const DRAWN = 2000, FRAME = 1000 / 60 + 1, FRAMES = 120;

// Frames while the view moves through the warp: of a share of it, or of 200 cycles (0).
const pan = (share) => `(async () => {
  const [a, b] = whole(), n = ${share} ? (b - a) * ${share} : 200, times = [];
  show(a, a + n);
  await new Promise((yes) => setTimeout(yes, 500));
  for (let i = 0, last = performance.now(); i < ${FRAMES}; i++) {
    show(V.x0 + n / 100, V.x0 + n / 100 + n);
    await new Promise(requestAnimationFrame);
    times.push(performance.now() - last);
    last += times[i];
  }
  return times.sort((x, y) => x - y);
})()`;

(async () => {
  let drawn = Infinity, bad = 0;
  const busy = os.loadavg()[0] > 2 * os.cpus().length;
  const frame = new Map([['all', 0.98], ['a tenth', 0.1], ['200 cycles', 0]]), took = new Map();
  for (let i = 0; i < 3 && (i === 0 || drawn > DRAWN / 2); i++)
    await chromium(`file://${path.resolve(page)}`, async (p) => {
      drawn = Math.min(drawn, await p.until('performance.getEntriesByName("drawn").map((m) => m.startTime)[0]', 'picture'));
      if (await p.evaluate('D.n') < Number(commits)) throw new Error(`the page has fewer than ${commits} commits`);
      for (const [what, share] of took.size ? [] : frame) took.set(what, await p.evaluate(pan(share)));
    }, ['--disable-gpu']);
  console.log(`timeline-speed: ${commits} commits: drawn after ${(drawn / 1000).toFixed(2)} s`);
  bad += drawn > DRAWN;
  for (const [what, t] of took) {
    console.log(`timeline-speed: ${commits} commits: a frame of ${what} takes ${t[FRAMES / 4].toFixed(1)} ms, half of them ${t[FRAMES / 2].toFixed(1)} ms`);
    bad += t[FRAMES / 4] > FRAME;
  }
  if (busy) console.log(`NOT RUN timeline-speed: the machine is busy (load ${os.loadavg()[0]}), so times say nothing`);
  else console.log(`timeline-speed: ${1 + took.size - bad} passed, ${bad} failed`);
  process.exit(bad && !busy ? 1 : 0);
})().catch((e) => { console.log(`timeline-speed: ${e.message}`); process.exit(1); });
