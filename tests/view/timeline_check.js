// Put after the page's own script by tests/view/timeline.sh: looks at what is drawn, and says so in the document.
// SPDX-License-Identifier: Apache-2.0
// WANT: what the commit log says, counted by timeline_log.pl; null for the page with a planted difference.
const said = [];
let checks = 0;
function holds(ok, what) { checks++; if (!ok && said.length < 20) said.push(what); }
const sleep = ms => new Promise(f => setTimeout(f, ms));
const key = k => window.dispatchEvent(new KeyboardEvent('keydown', { key: k }));
async function settled() { do { await sleep(20); } while (!drawn || asked !== checkedAsk()); }
let lastAsk = -1;
function checkedAsk() { const now = asked; const same = now === lastAsk; lastAsk = now; return same ? now : -1; }
const pixel = (c, x, y) => [...c.getContext('2d').getImageData(Math.round(x * devicePixelRatio), Math.round(y * devicePixelRatio), 1, 1).data];
const near = (a, b) => a.slice(0, 3).every((v, i) => Math.abs(v - b[i]) < 3);
const colourOfRow = row => getComputedStyle(row.querySelector('i')).backgroundColor.match(/\d+/g).map(Number);

async function records() {
  for (let w = 0; w < D.warps.length; w++) {
    let n = 0, lanes = 0, sum = 0, diverged = 0;
    for (let k = 0; k < D.warps[w].ch.length; k++) {
      const r = await chunk(w, k);
      for (let i = 0; i < r.n; i++, n++) {
        let m = r.active[i];
        for (; m; m &= m - 1) lanes++;
        diverged += (r.events[i] & EV.DIVERGED) !== 0;
        for (const v of [r.time[i], r.pc[i], r.active[i], r.exec[i]]) sum = (Math.imul(sum, 31) + v) >>> 0;
        for (const g of r.sets[r.groups[i]]) sum = (sum + g[0] * ((g[1] * 7 + g[2]) % 1009)) % 4294967296;
      }
    }
    const t = WANT.warps[`${D.warps[w].b}.${D.warps[w].w}`] || [];
    holds(n === t[0] && lanes === t[1] && diverged === t[2] && sum === t[3],
      `warp ${D.warps[w].b}.${D.warps[w].w}: the page has ${[n, lanes, diverged, sum]}, the log ${t}`);
  }
  holds(D.warps.length === Object.keys(WANT.warps).length, 'as many warps as in the log');
  holds($('figures').textContent.includes(`${WANT.n} commits`), 'the number of commits is shown');
  holds($('figures').textContent.includes(`efficiency ${WANT.efficiency.toFixed(1)}%`), 'the efficiency is shown');
}

// Lanes that run are drawn in the colour that the listing gives their instruction.
async function lanes() {
  key('a');
  await settled();
  const c = $('lanes'), w = c.clientWidth;
  let runs = 0, waits = 0;
  show(0, 60);
  await settled();
  for (let px = LEFT + 3; px < w - 3; px += 7) {
    const hit = at(fromX(px + 0.5, w));
    if (!hit) continue;
    const [, r, i] = hit, want = colourOfRow(rows[insnAt.get(r.pc[i])]);
    for (let l = 0; l < 32; l += 5) {
      const p = pixel(c, px, l * ROW + 4), run = r.exec[i] >>> l & 1;
      if (run) { runs++; holds(near(p, want), `lane ${l} at ${px}: ${p}, not ${want}`); }
      else { waits++; holds(!near(p, want) || !near(pixel(c, px + 1, l * ROW + 4), want)
        || !near(pixel(c, px, l * ROW + 5), want) || !p[3], `lane ${l} at ${px} looks as if it ran`); }
    }
  }
  holds(runs > 100 && waits > 100, `enough lanes looked at: ${runs} run, ${waits} do not`);
  const marks = $('marks'), inked = x => { for (let y = 13; y < 25; y++) for (let d = -4; d < 5; d++) if (pixel(marks, x + d, y)[3] > 60) return true; return false; };
  let signs = 0, empty = 0;
  for (let x = LEFT + 16; x < w - 16; x += 8) {
    const near = [...drawn.marks.keys()].some(m => Math.abs(m - x) < 8);
    if (near && drawn.marks.has(Math.round(x / 8) * 8)) { signs++; holds(inked(Math.round(x / 8) * 8), `the mark at ${x} is drawn`); }
    if (!near) { empty++; holds(!inked(x), `nothing is drawn at ${x}`); }
  }
  holds(signs > 0 && empty > 0, 'some marks, and places without');
  key('a');
  await settled();
}

// Beside each source line stand its warp instructions, the share of lanes that run, and its share of what is lost.
function profile() {
  const lost = k => 32 * k[0] - k[1], all = Object.values(WANT.lines).reduce((n, k) => n + lost(k), 0);
  const shown = new Map();
  for (const e of document.querySelectorAll('#code .line'))
    if (e.querySelector('b').textContent.trim()) shown.set(/(\S+:\d+) /.exec(e.lastChild.textContent)[1], e.querySelector('b').textContent.trim().replace(/ +/g, ' '));
  for (const [line, k] of Object.entries(WANT.lines)) {
    const want = `${k[0]} ${(100 * k[1] / 32 / k[0]).toFixed(0)}% ${(100 * lost(k) / (all || 1)).toFixed(1)}%`;
    holds(shown.get(line) === want, `${line}: ${shown.get(line)}, not ${want}`);
  }
  holds(shown.size === Object.keys(WANT.lines).length && shown.size > 5, `as many lines as in the log: ${shown.size}`);
  const first = document.querySelector('#losses li');
  holds($('losses').textContent.includes(`Where the lanes are lost: ${all} of ${32 * WANT.n} lane-slots`), 'what is lost in all');
  holds(first && first.querySelector('em').textContent.length > 20, 'a sentence says what would help');
  first.click();
  holds(V.pick.size === 1 && V.pick.has(D.profile.losses[0][0]), 'a click on a loss picks its branch');
  first.click();
}

// No two lines have one colour, neighbours are far apart; of a line that does not fit, all is in its title.
function colouring() {
  const own = [...lines.values()].map(k => COLOURS[k]);
  holds(new Set(own).size === lines.size && lines.size > 6, `${lines.size} lines have ${new Set(own).size} colours`);
  for (let k = 1; k < lines.size; k++) {
    const d = Math.hypot(...rgb[k].map((v, i) => v - rgb[k - 1][i]));
    holds(d > 60, `lines ${k - 1} and ${k} look alike: ${own[k - 1]}, ${own[k]}`);
  }
  for (const e of document.querySelectorAll('#code .line')) {
    holds(!/:\d+ {3}/.test(e.lastChild.textContent), `indented: ${e.textContent}`);
    holds(e.title.trim() === e.lastChild.textContent.trim() && getComputedStyle(e).textOverflow === 'ellipsis', `cut without a hint: ${e.textContent}`);
  }
  const code = $('code'), wide = code.clientWidth, at = code.getBoundingClientRect().left + 2;
  code.dispatchEvent(new MouseEvent('mousedown', { clientX: at, bubbles: true }));
  window.dispatchEvent(new MouseEvent('mousemove', { clientX: at - 100 }));
  window.dispatchEvent(new MouseEvent('mouseup', {}));
  holds(code.clientWidth > wide + 90, `the code is ${code.clientWidth} wide, after ${wide}`);
  document.body.style.removeProperty('--code');
}

// Seen from afar, a lane that runs at all in a column is seen there, and one that runs in less than half of it is no higher.
async function afar() {
  const step = V.step;
  document.body.style.setProperty('--code', '1000px');
  if (!step) key('a');
  show(...whole());
  await settled();
  const c = $('lanes'), r = await chunk(0, 0), pw = c.width - Math.round(LEFT * devicePixelRatio), per = pw / (V.x1 - V.x0);
  holds(per < 0.8 && $('name').textContent.includes('as high as the share'), $('name').textContent);
  let few = 0;
  for (let px = 0; px < pw; px += 3) {
    const x0 = V.x0 + px / per, x1 = x0 + 1 / per;
    for (let l = 0; l < 32; l += 3) {
      let share = 0;
      for (let i = Math.floor(x0); i < Math.min(r.n, Math.ceil(x1)); i++)
        if (r.exec[i] >>> l & 1) share += (Math.min(i + 1, x1) - Math.max(i, x0)) / (x1 - x0);
      const low = pixel(c, LEFT + px, l * ROW + 9), runs = rgb.some(k => near(low, k));
      const high = [0, 1, 2, 3, 4].every(y => near(pixel(c, LEFT + px, l * ROW + y), low));
      if (share > 1e-6) holds(runs, `lane ${l} runs for ${share} of column ${px}, which is ${low}`);
      if (share > 0.05 && share < 0.5) { few++; holds(!high, `lane ${l} runs for ${share} of column ${px}, but is high`); }
    }
  }
  holds(few > 5, `${few} columns in which a lane runs for a part`);
  document.body.style.removeProperty('--code');
  if (!step) key('a');
  await settled();
}

// Close by, no column is less than a cycle or a step; the legend needs no room that a narrow window lacks.
async function close_by() {
  for (const axis of [0, 1]) {
    const [a] = whole();
    show(a, a + 8);
    await settled();
    holds(V.x1 - V.x0 <= 8.01 && !$('name').textContent.includes('a column is'), `of 8 ${V.step ? 'steps' : 'cycles'}: ${$('name').textContent}`);
    key('a');
    await settled();
  }
  const legend = $('legend');
  legend.style.width = '420px';
  holds(legend.scrollWidth <= legend.clientWidth, `a legend of ${legend.scrollWidth} in ${legend.clientWidth}`);
  legend.style.width = '';
  show(...whole());
  await settled();
}

// Who waits at a barrier: on which line, for which lanes, and where these are.
async function missing() {
  if (!D.insn.some(x => /BSYNC/.test(x[1]))) return;
  const r = await chunk(0, 0), waits = g => g[1] >= 0x10 && g[1] < 0x20;
  const i = r.groups.findIndex((g, k) => r.active[k] && r.sets[g].some(waits) && k > 100);
  say(posOf(r, 0, i));
  const said = $('said').textContent;
  holds(/wait B\d+ at divergent\.cu:26, for [0-9,-]+ \(running at divergent\.cu:\d+\)/.test(said), `who is missing: ${said}`);
}

// A race, a fault: marked, and said.
async function marked() {
  await settled();
  holds([...drawn.marks.values()].some(bits => bits & EV[WANT.mark]), `no ${WANT.mark} is marked`);
  holds($('report').textContent.includes(WANT.says), `the report: ${$('report').textContent}`);
  holds($('status').className === 'bad', 'the end is bad');
}

async function ways() {
  key('n');
  await settled();
  holds($('said').textContent.includes('diverge'), `n goes to a divergence: ${$('said').textContent}`);
  holds(await search(WANT.search), `search finds ${WANT.search}`);
  await settled();
  holds($('said').textContent.includes(WANT.found), `${WANT.search} shows ${WANT.found}: ${$('said').textContent}`);
  holds(document.querySelector('#code .now') !== null, 'the instruction is marked in the listing');
  holds(!await search('pc 0x7fff0'), 'search says that nothing is found');
  holds($('code').textContent.includes(WANT.source), 'the source is there');
  const row = rows.find(r => r.textContent.includes(WANT.insn));
  row.click();
  await settled();
  holds(row.classList.contains('picked') && V.pick.size === 1, 'a click on an instruction picks it');
  const before = getComputedStyle(document.body).backgroundColor;
  key('t');
  await settled();
  holds(before !== getComputedStyle(document.body).backgroundColor, 't changes the theme');
  key('t');
  const [a, b] = [V.x0, V.x1];
  key('+');
  holds(V.x1 - V.x0 < b - a || b - a <= 8, '+ zooms');
  key('0');
  await settled();
  holds(V.x0 === W().first, '0 shows all');
  holds([...$('warps').options].length === D.warps.length, 'every warp can be chosen');
  const grid = $('grid'), far = D.warps.length - 1, here = () => $('here').getBoundingClientRect(), all = $('overview').getBoundingClientRect();
  holds(pixel(grid, LEFT + 2, 3)[3] > 60, 'the grid is drawn');
  choose(far);
  await settled();
  const there = grid.getBoundingClientRect().top + far * G.height;
  holds(Math.abs(here().top - there) < 1 && Math.abs(here().width - (V.x1 - V.x0) / (G.to - G.from) * (grid.clientWidth - LEFT)) < 2,
    `the frame is where warp ${far} is: ${here().top}, ${here().width}, not ${there}`);
  holds(here().top >= all.top && here().bottom <= all.bottom + 1, 'the frame is in sight');
  choose(0);
  await settled();
}

// Thousands of warps: rows that sum them up, whose sums are all of the launch; a click opens one, `u' closes it.
async function many() {
  const grid = $('grid'), wide = 500, rowsOf = () => Math.ceil(gridCount() / G.per), total = D.warps.length;
  const sums = () => {
    let commits = 0, lanes = 0;
    for (let r = 0; r < rowsOf(); r++) {
      const from = G.first + r * G.per, [c, l] = gridSums(from, Math.min(from + G.per, G.first + gridCount()), wide);
      for (let x = 0; x < wide; x++) { commits += c[x]; lanes += l[x]; }
    }
    return [commits, lanes].map(Math.round).join();
  };
  const logged = warps => warps.reduce((s, w) => s.map((v, i) => v + WANT.warps[`${w.b}.${w.w}`][i]), [0, 0]).join();
  holds(total > SINGLE && G.per > 1 && rowsOf() <= ROWS && grid.clientHeight < 200, `${total} warps in ${rowsOf()} rows, ${grid.clientHeight} high`);
  holds(sums() === logged(D.warps), `the rows have ${sums()} commits and lanes, the log ${logged(D.warps)}`);
  holds($('range').textContent.includes(`(${total}), ${G.per} in a row`) && $('up').style.display === 'none', `the heading: ${$('range').textContent}`);
  const bounds = grid.getBoundingClientRect(), row = 5, first = row * G.per, size = G.per;
  for (let r = 0; r < rowsOf(); r++) {
    let painted = false;
    for (let x = LEFT; x < grid.clientWidth && !painted; x++) painted = pixel(grid, x, r * G.height + 1)[3] > 60;
    holds(painted, `row ${r} is drawn`);
  }
  grid.dispatchEvent(new MouseEvent('click', { clientX: bounds.left + 99, clientY: bounds.top + row * G.height + 1 }));
  await settled();
  holds(V.warp === first && G.first === first && gridCount() === size && G.per === 1, `a click opens warps ${G.first} to ${G.first + gridCount()}`);
  holds(sums() === logged(D.warps.slice(first, first + size)), `the opened rows have ${sums()} commits and lanes`);
  holds($('range').textContent.startsWith(`${size} warps of ${total}`) && $('up').style.display !== 'none', `the heading: ${$('range').textContent}`);
  choose(first + size);
  await settled();
  holds(G.first === first + size && gridY() === 0, 'the next warp is of the next range');
  key('u');
  await settled();
  holds(gridCount() === total && V.warp === first + size && gridY() === (row + 1) * G.height, 'u shows all warps');
}

// Where other warps run for long, this one is pale and has no efficiency: the model runs one after the other.
async function pause() {
  const r = await chunk(0, 0), w = $('lanes').clientWidth;
  let from = 0, to = 0;
  for (let i = 1; i < r.n; i++) if (r.time[i] - r.time[i - 1] > to - from) [from, to] = [r.time[i - 1], r.time[i]];
  holds(to - from > 4000, `no pause: ${from} to ${to}`);
  show(from - 400, to + 400);
  await settled();
  const i = before(r, 0, from), c = rgb[colourOf(r.pc[i])], l = Math.log2(r.exec[i] & -r.exec[i]);
  const y = l * ROW + 4, held = pixel($('lanes'), toX((from + to) / 2, w), y), ran = pixel($('lanes'), toX(from + 20, w), y);
  holds(near(ran, c) && !near(held, c) && held[3] > 0, `lane ${l} runs as ${ran} and pauses as ${held}`);
  holds(!pixel($('chart'), toX((from + to) / 2, w), 43)[3], 'an efficiency is drawn where another warp runs');
}

// Lanes that wait for each other when the launch ends are drawn after the last instruction.
async function left() {
  await settled();
  const w = $('lanes').clientWidth, x = toX(leftAt(), w);
  holds(x < w - 12, `the end is in sight: ${x} of ${w}`);
  const hit = recordAt('rtl')(leftAt()), waits = l => waitName(hit[1].sets[0].find(g => g[0] >>> l & 1)[1]);
  holds(hit[1].active[0] === 0 && WANT.left.every((s, l) => s === waits(l)), `they are left in ${WANT.left.map((_, l) => waits(l))}`);
  const column = l => [0, 1, 2, 3, 4].map(d => pixel($('lanes'), (x + w) / 2 + d, l * ROW + 4).slice(0, 3).join()).join(' ');
  const drawn = WANT.left.map((_, l) => column(l));
  holds(new Set(drawn).size > 1 && drawn.every(c => c.split(' ').some(p => p !== '0,0,0' && p !== '255,255,255')), `they are drawn as ${drawn}`);
  holds(!pixel($('chart'), (x + w) / 2, 43)[3], 'an efficiency is drawn where nothing runs');
  holds($('report').textContent.includes('wait at block barrier 0'), `who waits for whom: ${$('report').textContent}`);
  say(leftAt() + 1);
  holds($('said').textContent.startsWith('when the launch ended') && $('said').textContent.includes('7: wait for the block'), $('said').textContent);
}

// Lanes beyond the 32nd: each record has those that tests/stream/wide.pl writes, and they are drawn.
async function wide() {
  const sides = [2, 3], others = [4, 5];
  key('a');
  for (let w = 0; w < D.warps.length; w++) {
    const r = await chunk(w, 0), first = 24 + 8 * D.warps[w].b + D.warps[w].w;
    holds(r.n === 8, `warp ${w} has ${r.n} records`);
    for (let i = 0; i < r.n; i++) for (let l = 0; l < WANT.wide; l++) {
      const runs = sides.includes(i) ? l < first : others.includes(i) ? l >= first : true;
      holds(hasLane(r.active, l, i) === +runs, `warp ${w}, record ${i}, lane ${l} ${runs ? 'does not run' : 'runs'}`);
      holds(hasLane(r.exec, l, i) === +(runs && (i !== 2 || l % 2 === 0)), `warp ${w}, record ${i}: the guard of lane ${l}`);
      holds(r.sets[r.groups[i]].some(g => hasLane(g[0], l)) === !runs, `warp ${w}, record ${i}: lane ${l} is in a group`);
    }
  }
  choose(39);
  await settled();
  const c = $('lanes'), w = c.clientWidth, r = await chunk(39, 0), shade = (i, l) => pixel(c, toX(i + 0.5, w), l * ROW + 4);
  for (const [i, l] of [[2, 0], [2, 62], [4, 63], [6, 31], [6, 32], [6, 63]])
    holds(near(shade(i, l), colourOfRow(rows[insnAt.get(r.pc[i])])), `lane ${l} in column ${i} is ${shade(i, l)}`);
  holds(!near(shade(2, 63), shade(2, 62)) && !near(shade(4, 62), shade(4, 63)), 'lanes 62 and 63 look alike');
  say(2.5);
  holds(/run 0-62, guard holds in 0,2,.*,62 +63: in a token at 80000010/.test($('said').textContent), $('said').textContent);
  say(leftAt() + 0.5);
  holds(/^when the launch ended +63: in a token/.test($('said').textContent), $('said').textContent);
  choose(0);
  await settled();
  holds(await search('lane 63') && V.cursor === 5, `after the middle lane 63 runs at ${V.cursor}`);
}

// A sheet of paper has its own width, and what is drawn for it is not scaled.
async function sheet() {
  const w = $('lanes').clientWidth;
  window.dispatchEvent(new Event('beforeprint'));
  await settled();
  const c = $('lanes');
  holds(c.clientWidth < 700 && c.clientWidth > 600, `a sheet is ${c.clientWidth} wide`);
  holds(c.width === Math.round(c.clientWidth * devicePixelRatio), 'what is printed is scaled');
  window.dispatchEvent(new Event('afterprint'));
  await settled();
  holds($('lanes').clientWidth === w, 'after printing the page is as it was');
}

async function apart() {
  holds($('status').className === 'bad' && $('status').textContent.includes('npc'), 'the difference is named');
  const w = $('lanes').clientWidth, x = toX(D.diff.rtl.cycle, w);
  holds($('other').style.display !== 'none', 'the model has rows of its own');
  const orange = [213, 94, 0];
  for (const id of ['lanes', 'model']) {
    let found = false;
    for (let d = -3; d <= 3; d++) found = found || near(pixel($(id), x + d, 100), orange);
    holds(found, `${id}: the difference is boxed`);
  }
  const mid = (x + w) / 2;
  holds(pixel($('lanes'), mid, 2 * ROW + 4).join() !== pixel($('model'), mid, 2 * ROW + 4).join(), 'lane 2 differs');
  say(D.diff.rtl.cycle + 1);
  holds(/differ at commit \d+: npc/.test($('said').textContent), 'the cursor names commit and field');
}

window.addEventListener('load', async () => {
  try {
    await settled();
    if (!WANT) await apart();
    else if (WANT.pause) await pause();
    else if (WANT.mark) await marked();
    else if (WANT.wide) await wide();
    else if (WANT.left) { await left(); key('a'); await left(); }
    else if (D.warps.length > SINGLE) { await records(); await many(); }
    else { await records(); await lanes(); profile(); colouring(); await afar();
  await close_by(); await missing(); await ways(); await sheet(); }
  } catch (e) { said.push('' + e.stack); }
  document.body.textContent = said.length ? 'FAILED ' + said.join(' | ') : `PASSED ${checks} checks`;
});
