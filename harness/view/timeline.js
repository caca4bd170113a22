// The timeline page: time to the right, the lanes of one warp down, coloured by what runs.
// SPDX-License-Identifier: Apache-2.0
//
// Data (timeline_page.c): D.insn [pc, text, file, line]; D.waits words by the code of a reason to wait; D.warps with buckets of equal time and chunks of records
// (timeline.c has their bytes).  Chunks are unpacked when they are looked at; a view with more records than KEEP
// chunks hold is drawn from the buckets.
'use strict';
const D = JSON.parse(document.getElementById('data').textContent);
const $ = id => document.getElementById(id);
const counted = (n, what) => `${n} ${what}${n === 1 ? '' : 's'}`;
const LANES = D.lanes, WORDS = LANES > 32 ? 2 : 1, ROW = 11, KEEP = 64, CHUNK = 32768;
const EV = { BARRIER: 1, RELEASE: 2, GAVEWAY: 4, FAULT: 8, PUSH: 16, POP: 32, SPILL: 64, FILL: 128, DIVERGED: 256, RACE: 512 };
const MARKS = [            // bit, sign, words; the first that is met is drawn
  [EV.FAULT, '!', 'fault'], [EV.RACE, 'R', 'an access that races'], [EV.GAVEWAY, 'G', 'a barrier gave way'], [EV.DIVERGED, '<', 'lanes diverge'],
  [EV.RELEASE, '>', 'lanes are released'], [EV.SPILL, 's', 'tokens spill'], [EV.FILL, 'f', 'tokens are filled'],
  [EV.PUSH, '+', 'a token is pushed'], [EV.POP, '-', 'a token is popped'], [EV.BARRIER, 'b', 'a barrier register changes']];
// Okabe and Ito: distinct with every kind of colour vision.
const COLOURS = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00', '#b5a800'];

// ---- the program ----
const insnAt = new Map(D.insn.map((x, i) => [x[0], i]));
// The library's code has no line, but a function.
const lineKey = i => D.insn[i][2] ? D.insn[i][2] + ':' + D.insn[i][3] : D.insn[i][4] || 'pc' + (D.insn[i][0] >> 6);
const lines = new Map();
D.insn.forEach((x, i) => { const k = lineKey(i); if (!lines.has(k)) lines.set(k, lines.size); });
// More lines than that: hues far apart, by turns dark, pale and strong; no two lines have one colour.
for (let k = COLOURS.length; k < lines.size; k++) {
  const h = k * 137.508 % 360, s = [0.75, 0.5, 0.95][k % 3], l = [0.33, 0.68, 0.5][k % 3] + (k >> 5) % 5 * 0.02;
  const part = n => { const q = (n + h / 30) % 12; return l - s * Math.min(l, 1 - l) * Math.max(-1, Math.min(q - 3, 9 - q, 1)); };
  COLOURS.push('#' + [0, 8, 4].map(n => Math.round(255 * part(n)).toString(16).padStart(2, '0')).join(''));
}
const rgb = COLOURS.map(c => [1, 3, 5].map(i => parseInt(c.slice(i, i + 2), 16)));
const colours = new Map(D.insn.map((x, i) => [x[0], lines.get(lineKey(i))]));
// The instructions whose accesses race.
const racing = new Set([...(D.race || '').matchAll(/PC 0x([0-9a-f]+)/g)].map(m => parseInt(m[1], 16)));
// A mask of lanes is an array of WORDS words, lane 0 in the lowest bit of the first; of many records, one after the other.
const hasLane = (m, l, i = 0) => m[i * WORDS + (l >> 5)] >>> (l & 31) & 1;
const maskOf = (a, i) => a.slice(i * WORDS, (i + 1) * WORDS);
const words = f => (...m) => m[0].map((v, k) => f(v, ...m.slice(1).map(x => x[k])) >>> 0);
const or = words((a, b) => a | b), and = words((a, b) => a & b), andNot = words((a, b) => a & ~b);
const some = m => m.some(v => v);
const same = (a, b) => a.every((v, k) => v === b[k]);
const groupsOf = list => list.map(([m, wait, pc]) => [[].concat(m), wait, pc]);
const colourOf = pc => colours.get(pc) || 0;
const hex = (v, n = 8) => (v >>> 0).toString(16).padStart(n, '0');
const place = i => D.insn[i][2] ? D.insn[i][2].replace(/.*\//, '') + ':' + D.insn[i][3] : D.insn[i][4] || '';

const waitName = w => (D.waits[w < 0x10 ? w : w & 0xf0] || 'exited').replace('%u', w & 15);
function laneList(m) {
  const out = [];
  for (let l = 0; l < LANES; l++) {
    if (!hasLane(m, l)) continue;
    let e = l;
    while (e < LANES - 1 && hasLane(m, e + 1)) e++;
    out.push(e > l ? l + '-' + e : '' + l);
    l = e;
  }
  return out.join(',') || 'none';
}

// ---- records ----
async function unpack(text) {
  const z = Uint8Array.from(atob(text), c => c.charCodeAt(0));
  const s = new Blob([z]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(s).arrayBuffer());
}
function decode(b, n) {
  const r = { n, time: new Float64Array(n), pc: new Uint32Array(n), active: new Uint32Array(n * WORDS), exec: new Uint32Array(n * WORDS),
              groups: new Int32Array(n), events: new Uint16Array(n), sets: [[]], extra: new Map() };
  let at = 0, time = 0, pc = 0, active = Array(WORDS).fill(0), set = 0;
  const num = () => { let v = 0, m = 1, x; do { x = b[at++]; v += (x & 127) * m; m *= 128; } while (x > 127); return v; };
  const word = () => { at += 4; return (b[at - 4] | b[at - 3] << 8 | b[at - 2] << 16 | b[at - 1] << 24) >>> 0; };
  const mask = () => WORDS === 1 ? [word()] : [word(), word()];
  for (let i = 0; i < n; i++) {
    time += num();
    const has = b[at++], zig = num();
    pc = pc + 16 + ((zig >>> 1) ^ -(zig & 1)) >>> 0;
    if (has & 1) active = mask();
    const exec = has & 2 ? mask() : active;
    if (has & 4) {
      const g = [];
      for (let k = b[at++]; k > 0; k--) { const m = mask(), w = b[at++]; g.push([m, w, num()]); }
      set = r.sets.push(g) - 1;
    }
    if (has & 8) {
      const e = { bits: num() };
      if (e.bits & EV.BARRIER) { e.bx = b[at++]; e.before = mask(); e.after = mask(); }
      if (e.bits & EV.RELEASE) e.released = mask();
      if (e.bits & EV.FAULT) e.fault = b[at++];
      if (e.bits & (EV.PUSH | EV.POP | EV.SPILL | EV.FILL)) e.depth = num();
      r.events[i] = e.bits;
      r.extra.set(i, e);
    }
    if (racing.has(pc)) {
      const e = r.extra.get(i) || { bits: 0 };
      r.events[i] = e.bits |= EV.RACE;
      r.extra.set(i, e);
    }
    r.time[i] = time; r.pc[i] = pc; r.groups[i] = set;
    for (let w = 0; w < WORDS; w++) { r.active[i * WORDS + w] = active[w]; r.exec[i * WORDS + w] = exec[w]; }
  }
  return r;
}
const loaded = new Map();                    // "warp/chunk": records or promise; the oldest go first
async function chunk(w, k) {
  const key = w + '/' + k;
  let r = loaded.get(key);
  if (!r) {
    const c = D.warps[w].ch[k];
    r = unpack(c[2]).then(b => { const x = decode(b, c[0]); loaded.set(key, x); return x; });
    loaded.set(key, r);
    for (const old of loaded.keys()) { if (loaded.size <= KEEP) break; if (old !== key) loaded.delete(old); }
  }
  return r;
}

// ---- what is shown ----
const lastCycle = D.warps.reduce((m, w) => Math.max(m, w.last), 0);
const V = { warp: 0, step: false, x0: 0, x1: 1, cursor: null, pick: null, dark: false };
const W = () => D.warps[V.warp];
// Of each warp: the first step of each chunk.
D.warps.forEach(w => { let n = 0; w.steps = w.ch.map(c => (n += c[0]) - c[0]); });
const firstStep = (w, k) => k < w.ch.length ? w.steps[k] : w.n;
const parts = w => D.diff && D.diff.block === w.b && D.diff.warp === w.w;      // RTL and model, in this warp
function whole() {                           // with room for the record that differs
  const w = W(), [a, b] = V.step ? [0, w.n] : [w.first, parts(w) ? Math.max(w.last, D.diff.rtl.cycle) + 1 : w.last + 1];
  return [a, parts(w) || w.left ? b + Math.max(4, (b - a) * 0.03) : b];
}
const startOf = (w, k) => V.step ? firstStep(w, k) : w.ch[k][1];
// The last chunk that begins at or before x; -1: all begin later.
function chunkAt(x) {
  const w = W();
  let lo = 0, hi = w.ch.length;
  while (lo < hi) { const m = lo + hi >> 1; if (startOf(w, m) <= x) lo = m + 1; else hi = m; }
  return lo - 1;
}
function chunksIn(x0, x1) {                  // a record that holds at x0 may lie in the chunk before
  const w = W(), out = [];
  for (let k = Math.max(0, chunkAt(x0)); k < w.ch.length && startOf(w, k) < x1; k++) out.push(k);
  return out;
}
// Position of record i of a chunk on the axis; and the last record at or before x.
const posOf = (r, k, i) => V.step ? firstStep(W(), k) + i : r.time[i];
function before(r, k, x) {
  if (V.step) return Math.min(r.n - 1, Math.floor(x - firstStep(W(), k)));
  let lo = 0, hi = r.n;
  while (lo < hi) { const m = lo + hi >> 1; if (r.time[m] <= x) lo = m + 1; else hi = m; }
  return lo - 1;
}
// The record that holds at x: [chunk, records, index], if it is unpacked.
function at(x) {
  const k = chunkAt(x), r = loaded.get(V.warp + '/' + k);
  if (!r || r.then) return null;
  const i = before(r, k, x);
  return i >= 0 ? [k, r, i] : null;
}

// ---- drawing ----
const inks = new Map();                      // of each theme; what is printed has its own
function ink() {
  const key = V.dark + document.body.className;
  if (!inks.has(key)) inks.set(key, getComputedStyle(document.body).color);
  return inks.get(key);
}
function fit(c, h) {
  const w = c.clientWidth, d = window.devicePixelRatio || 1;
  if (c.style.height !== h + 'px') c.style.height = h + 'px';      // what changes is laid out anew
  if (c.width !== Math.round(w * d) || c.height !== Math.round(h * d)) { c.width = Math.round(w * d); c.height = Math.round(h * d); }
  const g = c.getContext('2d');
  g.setTransform(d, 0, 0, d, 0, 0);
  g.clearRect(0, 0, w, h);
  g.fillStyle = ink();
  g.font = '10px ui-monospace, monospace';
  return [g, w, h];
}
const LEFT = 26;                             // room for the lanes' numbers
// Cycles after a commit in which its warp counts as running, seen from afar: memory takes as long.  Close by it is its own.
const HOLD = 64;
const toX = (x, w) => LEFT + (x - V.x0) / (V.x1 - V.x0) * (w - LEFT);
const fromX = (px, w) => V.x0 + (px - LEFT) / (w - LEFT) * (V.x1 - V.x0);

// Colours as words of pixels: [full, dimmed, guard fails, ready] of each, and what waits behind a pattern.
let paint = null;
const back = () => V.dark ? [22, 24, 28] : [255, 255, 255];
const mix = (c, a) => c.map((v, i) => v * a + back()[i] * (1 - a));
const word = c => (255 << 24 | Math.round(c[2]) << 16 | Math.round(c[1]) << 8 | Math.round(c[0])) >>> 0;
function palette() {
  const grey = v => word(V.dark ? [255 * (1 - v) + 20, 255 * (1 - v) + 20, 255 * (1 - v) + 24] : [255 * v, 255 * v, 255 * v]);
  paint = { dark: V.dark, full: rgb.map(word), dim: rgb.map(c => word(mix(c, 0.6))), pale: rgb.map(c => word(mix(c, 0.35))),
            ready: rgb.map(c => word(mix(c, 0.16))), barrier: grey(0.72), other: grey(0.85) };
}
// Patterns of lanes that wait: at a barrier diagonal, for the block upright, else level.
const BARRIER = 1, BLOCK = 2, LEVEL = 3;
const stripe = (kind, x, y) => kind === BARRIER ? (x + y) % 5 === 0 : kind === BLOCK ? x % 4 === 0 : y % 4 === 0;

// The colours of a record's lanes into `out`, and into `kind` which pattern they have.
function column(r, i, fresh, out, kind) {
  const c = colourOf(r.pc[i]);
  for (let l = 0; l < LANES; l++) {
    kind[l] = 0;
    out[l] = hasLane(r.active, l, i) ? (hasLane(r.exec, l, i) ? (fresh ? paint.full[c] : paint.dim[c]) : paint.pale[c]) : 0;
  }
  for (const [mask, wait, pc] of r.sets[r.groups[i]]) {
    const to = colourOf(pc), k = wait === 1 ? 0 : wait >= 0x10 && wait < 0x20 ? BARRIER : wait >= 0x20 && wait < 0x30 ? BLOCK : LEVEL;
    for (let l = 0; l < LANES; l++)
      if (hasLane(mask, l)) { out[l] = k ? paint.full[to] : paint.ready[to]; kind[l] = k; }
  }
}

// A column [x0, x1) of several records, from this one on: how long each lane runs, and the colour in which it does so longest.
// False: only one record is in it.
const ran = new Float64Array(LANES), most = new Uint16Array(LANES);
function shares([k, r, i], x0, x1) {
  const spent = new Map();
  for (let from = x0, n = 0; ; n++) {
    const last = i + 1 >= r.n, kn = last ? k + 1 : k, rn = last ? loaded.get(V.warp + '/' + kn) : r, next = rn && !rn.then && kn < W().ch.length;
    const to = next ? posOf(rn, kn, last ? 0 : i + 1) : Infinity, end = Math.min(x1, to);
    if (!n && to >= x1) return false;
    const d = (V.step ? end : Math.min(end, posOf(r, k, i) + HOLD)) - from, c = colourOf(r.pc[i]);
    if (d > 0) {
      if (!spent.has(c)) spent.set(c, new Float64Array(LANES));
      const sum = spent.get(c);
      for (let w = 0; w < WORDS; w++)
        for (let m = r.exec[i * WORDS + w]; m; m &= m - 1) sum[32 * w + 31 - Math.clz32(m & -m)] += d;
    }
    if (to >= x1) break;
    [k, r, i, from] = [kn, rn, last ? 0 : i + 1, Math.max(from, to)];
  }
  const best = new Float64Array(LANES);
  ran.fill(0);
  for (const [c, sum] of spent) for (let l = 0; l < LANES; l++) {
    ran[l] += sum[l] / (x1 - x0);
    if (sum[l] > best[l]) [best[l], most[l]] = [sum[l], c];
  }
  return true;
}

// What drawLanes fills, of the size that it was drawn in last: of a lane, words and patterns; every pixel but the gaps.
const buffers = new Map();
function buffersOf(canvas, g, pw, ph) {
  const old = buffers.get(canvas);
  if (old && old.img.width === pw && old.img.height === ph) {
    old.line.fill(0);
    old.kinds.fill(0);
    old.high.fill(0);
    return old;
  }
  const img = g.createImageData(pw, ph);
  const fresh = { img, data: new Uint32Array(img.data.buffer), line: new Uint32Array(LANES * pw), kinds: new Uint8Array(LANES * pw),
    high: new Uint8Array(LANES * pw), fill: new Uint32Array(LANES * pw) };
  buffers.set(canvas, fresh);
  return fresh;
}

function drawLanes(canvas, record) {
  const [g, w] = fit(canvas, LANES * ROW + 1);
  const dpr = window.devicePixelRatio || 1, pw = Math.max(1, Math.round((w - LEFT) * dpr)), ph = Math.round(LANES * ROW * dpr);
  const { img, data, line, kinds, high, fill } = buffersOf(canvas, g, pw, ph), per = pw / (V.x1 - V.x0);
  const colour = new Uint32Array(LANES), kind = new Uint8Array(LANES);
  if (!paint || paint.dark !== V.dark) palette();
  let summed = false;
  for (let px = 0, same = null, sameFresh = false; px < pw; px++) {
    const x = V.x0 + (px + 0.5) / per, hit = record(x);
    if (!hit) { same = null; continue; }
    const [k, r, i] = hit, fresh = V.step || x - posOf(r, k, i) < (per <= 3 ? HOLD : 1);   // later it only holds
    if (!same || same[1] !== r || same[2] !== i || sameFresh !== fresh) column(r, i, fresh, colour, kind);
    same = hit;
    sameFresh = fresh;
    for (let l = 0; l < LANES; l++) { line[l * pw + px] = colour[l]; kinds[l * pw + px] = kind[l]; }
    const first = V.x0 + px / per;
    if (per >= 1 || !shares(record(first) || hit, first, first + 1 / per)) continue;       // no column is less than a cycle
    summed = true;
    for (let l = 0; l < LANES; l++) {                         // as high as the share of the time in which the lane runs
      const p = l * pw + px, tall = Math.round(ROW * dpr) - 1, runs = ran[l] > 0;
      if (!kind[l] && hasLane(r.exec, l, i)) line[p] = paint.ready[runs ? most[l] : colourOf(r.pc[i])];
      high[p] = runs ? Math.max(1, Math.min(tall, Math.round(ran[l] * tall))) : 0;
      fill[p] = paint.full[most[l]];
    }
  }
  for (let l = 0; l < LANES; l++) {
    const y0 = Math.round(l * ROW * dpr), y1 = Math.round((l + 1) * ROW * dpr) - 1;
    const row = line.subarray(l * pw, (l + 1) * pw), how = kinds.subarray(l * pw, (l + 1) * pw), hatched = how.some(v => v);
    for (let y = y0; y < y1; y++) {
      data.set(row, y * pw);
      for (let px = 0; hatched && px < pw; px++)
        if (how[px] && !stripe(how[px], px, y)) data[y * pw + px] = how[px] === BARRIER ? paint.barrier : paint.other;
      for (let px = 0; summed && px < pw; px++) if (y1 - y <= high[l * pw + px]) data[y * pw + px] = fill[l * pw + px];
    }
  }
  g.putImageData(img, Math.round(LEFT * dpr), 0);
  for (let l = 0; l < LANES; l += 4) g.fillText(l, 4, l * ROW + 9);
  return summed ? 1 / per : 0;
}

// From the buckets: each column as high as the share of lanes that run.
function drawCoarse(canvas) {
  const [g, w] = fit(canvas, LANES * ROW + 1), wp = W(), h = LANES * ROW;
  for (let k = 0; k * 3 < wp.bk.length; k++) {
    const [n, lanes] = [wp.bk[3 * k], wp.bk[3 * k + 1]];
    if (!n) continue;
    const a = toX(k * wp.width, w), b = toX((k + 1) * wp.width, w), s = lanes / n / LANES;
    g.fillStyle = COLOURS[0];
    g.fillRect(a, h * (1 - s), Math.max(1, b - a), h * s);
  }
}

function drawMarks(coarse) {
  const [g, w] = fit($('marks'), 26);
  g.textAlign = 'center';
  const seen = new Map();
  const mark = (x, bits) => {
    if (!bits) return;
    const px = Math.round(x / 8) * 8;
    if (px >= LEFT) seen.set(px, (seen.get(px) || 0) | bits);
  };
  if (coarse) for (let k = 0; k * 3 < W().bk.length; k++) mark(toX(k * W().width, w), W().bk[3 * k + 2]);
  else for (const k of chunksIn(V.x0, V.x1)) {
    const r = loaded.get(V.warp + '/' + k);
    if (!r || r.then) continue;
    for (const [i, e] of r.extra) { const x = posOf(r, k, i); if (x >= V.x0 && x < V.x1) mark(toX(x, w), e.bits); }
  }
  if (!parts(W()) && W().left && leftAt() < V.x1) g.fillText('end', toX(leftAt(), w), 22);
  for (const [px, bits] of seen) g.fillText(MARKS.find(m => bits & m[0])[1], px, 22);
  // the axis
  const span = V.x1 - V.x0, unit = 10 ** Math.floor(Math.log10(Math.max(span / 6, 1)));
  const tick = [1, 2, 5, 10].map(m => m * unit).find(t => span / t <= 9) || unit * 10;
  for (let x = Math.ceil(V.x0 / tick) * tick; x < V.x1; x += tick) { g.fillText(x, toX(x, w), 9); g.fillRect(toX(x, w), 10, 1, 3); }
  g.textAlign = 'left';
  return seen;
}

function drawChart(coarse) {
  const [g, w, h] = fit($('chart'), 44);
  g.strokeStyle = ink();
  g.fillStyle = COLOURS[4];
  if (coarse) {
    for (let k = 0; k * 3 < W().bk.length; k++) {
      const [n, lanes] = [W().bk[3 * k], W().bk[3 * k + 1]], a = toX(k * W().width, w), b = toX((k + 1) * W().width, w);
      if (n) g.fillRect(a, h * (1 - lanes / n / LANES), Math.max(1, b - a), h * lanes / n / LANES);
    }
    return;
  }
  const record = recordAt('rtl');
  const bits = v => { v -= v >>> 1 & 0x55555555; v = (v & 0x33333333) + (v >>> 2 & 0x33333333); return ((v + (v >>> 4) & 0xf0f0f0f) * 0x1010101) >>> 24; };
  for (let px = LEFT; px < w; px++) {
    const hit = record(fromX(px, w)), end = record(fromX(px + 1, w));
    if (!hit || (!V.step && fromX(px, w) - posOf(hit[1], hit[0], hit[2]) >= HOLD)) continue;    // another warp runs
    let n = 0, lanes = 0;
    const to = end && end[1] === hit[1] ? end[2] : hit[2];
    for (let i = hit[2]; i <= to && n < 16; i++, n++) for (const m of maskOf(hit[1].active, i)) lanes += bits(m);
    g.fillRect(px, h * (1 - lanes / n / LANES), 1, h * lanes / n / LANES);
  }
}

// The difference: the rows of RTL and model are the same up to it; its own record differs.
function diffRecord(side) {
  const d = D.diff[side];
  return { n: 1, time: [d.cycle], pc: [d.pc], active: [d.active], exec: [d.exec], groups: [0], events: [0], sets: [groupsOf(d.groups)], extra: new Map() };
}
// Where lanes still lived when the launch ended: what they were left in is drawn after the last record.
const leftAt = () => V.step ? W().n : W().last + 1;
function leftRecord() {
  return { n: 1, time: [leftAt()], pc: [-1], active: Array(WORDS).fill(0), exec: Array(WORDS).fill(0), groups: [0], events: [0], sets: [groupsOf(W().left)], extra: new Map() };
}
function recordAt(side) {
  if (!parts(W()) && W().left) {
    const hit = [W().ch.length, leftRecord(), 0], x0 = leftAt();
    return x => x >= x0 ? hit : at(x);
  }
  if (!parts(W())) return at;
  const r = diffRecord(side), x0 = V.step ? W().n : D.diff.rtl.cycle;
  return x => x >= x0 ? [W().ch.length, { ...r, time: [x0] }, 0] : at(x);
}
function box(canvas) {
  if (!parts(W())) return;
  const g = canvas.getContext('2d'), w = canvas.clientWidth, x = toX(V.step ? W().n : D.diff.rtl.cycle, w);
  g.strokeStyle = '#d55e00';
  g.lineWidth = 3;
  g.strokeRect(x, 1.5, Math.max(6, w - x - 2), LANES * ROW - 2);
  g.lineWidth = 1;
}

let asked = 0, drawn = null;
async function draw() {
  const ticket = ++asked, ks = chunksIn(V.x0, V.x1), coarse = ks.length > KEEP / 2;
  if (!coarse) await Promise.all(ks.map(k => chunk(V.warp, k)));
  if (ticket !== asked) return;
  const t0 = performance.now();
  const both = parts(W()) && !coarse;
  const name = `block ${W().b}, warp ${W().w}: ${counted(W().n, 'commit')}, ${(100 * W().lanes / LANES / W().n).toFixed(1)}% of lanes`
    + (coarse ? ' (zoom in to see lanes)' : '') + (both ? '; the core' : '');
  let wide = 0;
  if (coarse) drawCoarse($('lanes'));
  else { wide = drawLanes($('lanes'), recordAt('rtl')); box($('lanes')); }
  const named = name + (wide ? `; a column is ${wide.toFixed(1)} ${V.step ? 'steps' : 'cycles'}, as high as the share in which a lane runs` : '');
  if ($('name').textContent !== named) $('name').textContent = named;
  $('other').style.display = both ? '' : 'none';
  if (both) { drawLanes($('model'), recordAt('model')); box($('model')); }
  const marks = drawMarks(coarse);
  drawChart(coarse);
  drawGrid();
  paintCursor();
  if (!drawn) performance.mark('drawn');
  drawn = { ms: performance.now() - t0, marks, coarse };
}
function paintCursor() {
  if (V.pick === null || V.pick === undefined) return;
  const c = $('lanes'), g = c.getContext('2d'), w = c.clientWidth;
  g.fillStyle = ink();
  for (const k of chunksIn(V.x0, V.x1)) {
    const r = loaded.get(V.warp + '/' + k);
    if (!r || r.then) continue;
    for (let i = 0, last = -9; i < r.n; i++) {
      const p = posOf(r, k, i);
      if (p < V.x0 || p >= V.x1 || !V.pick.has(r.pc[i])) continue;
      const x = toX(p, w);
      if (x - last >= 1) { g.fillRect(x, LANES * ROW - 3, 2, 4); last = x; }
    }
  }
}

// ---- profile: counts beside the listing, and where lanes are lost (profile_page.c) ----
const P = D.profile;
const lostOf = k => LANES * k[0] - k[1];
// Columns beside the listing: warp instructions, lanes that run, shares of the lost lane-slots and of the core's cycles.
const columns = (a, b, c, d) => a.padStart(8) + b.padStart(6) + c.padStart(7) + (P.all[2] ? d.padStart(7) : '');
// k: [warp instructions, lane-slots used, cycles, their causes]; none: blank
function count(div, k) {
  if (!P) return;
  const b = document.createElement('b'), all = lostOf(P.all) || 1;
  if (k) {
    const share = 100 * lostOf(k) / all;
    b.textContent = columns('' + k[0], (100 * k[1] / LANES / k[0]).toFixed(0) + '%', share.toFixed(1) + '%',
      (100 * k[2] / P.all[2]).toFixed(1) + '%');
    b.title = `${k[0]} warp instructions, ${lostOf(k)} lane-slots lost` + (k[2] ? `; ${k[2]} cycles of warps: ${k[3]}` : '');
    b.style.background = `linear-gradient(to right, var(--mark) ${share}%, transparent ${share}%)`;
  } else
    b.textContent = columns('', '', '', '');
  div.prepend(b);
}
const countOfLine = new Map(P ? P.lines.map(x => [x[0] + ':' + x[1], x[2]]) : []);
const countOfInsn = new Map(P ? P.insns : []);
function losses() {
  if (!P || !P.losses.length) return;
  const h = document.createElement('h2'), list = document.createElement('ol');
  h.textContent = `Where the lanes are lost: ${lostOf(P.all)} of ${LANES * P.all[0]} lane-slots`;
  for (const [pc, lost, line, help] of P.losses) {
    const li = document.createElement('li'), em = document.createElement('em'), i = insnAt.get(pc);
    li.textContent = `${(100 * lost / lostOf(P.all)).toFixed(1)}%  ` + (i === undefined ? 'no branch' : `${line}, ${hex(pc, 5)} ${D.insn[i][1]}`);
    em.textContent = help;
    li.append(em);
    if (i !== undefined) li.onclick = () => { pick([pc], rows[i]); rows[i].scrollIntoView({ block: 'center' }); };
    list.append(li);
  }
  $('losses').append(h, list);
}

// ---- who waits for whom ----
// Members of barrier b at record i of chunk k, by its last change; null: that is not unpacked.
function membersOf(b, k, i) {
  for (; k >= 0; k--, i = Infinity) {
    const r = k < W().ch.length ? loaded.get(V.warp + '/' + k) : { extra: new Map() };
    if (!r || r.then) return null;
    let last = null;
    for (const [j, e] of r.extra) if (j <= i && e.bits & EV.BARRIER && e.bx === b) last = e.after;
    if (last !== null) return last;
  }
  return null;
}
const lineAt = pc => { const n = insnAt.get(pc); return n === undefined ? hex(pc, 5) : place(n) || hex(pc, 5); };
// They go on after the instruction at which they wait.
function waitsAt(pc) {
  const n = insnAt.get(pc), p = n > 0 ? D.insn[n - 1] : null;
  return lineAt(p && /\b(BSYNC|BAR|WARPSYNC)\b/.test(p[1]) ? p[0] : pc);
}
// ` at FILE:LINE, for 6 (runs at FILE:LINE)': where a group waits, which lanes it misses, and where these are.
function waitText([, wait, pc], k, r, i) {
  const groups = r.sets[r.groups[i]], running = maskOf(r.active, i), none = and(running, Array(WORDS).fill(0));
  const there = groups.reduce((m, g) => g[1] === wait ? or(m, g[0]) : m, none);
  const live = groups.reduce((m, g) => or(m, g[0]), running), barrier = wait >= 0x10 && wait < 0x20;
  const members = barrier ? membersOf(wait - 0x10, k, i) : wait >= 0x20 && wait < 0x30 ? live : null;
  if (members === null) return ` at ${lineAt(pc)}`;
  const miss = andNot(and(members, live), there), where = [];
  if (some(and(miss, running))) where.push(`${laneList(and(miss, running))} (running at ${lineAt(r.pc[i])})`);
  for (const g of groups) if (some(and(g[0], miss))) where.push(`${laneList(and(g[0], miss))} (${waitName(g[1])} at ${g[1] === 1 ? lineAt(g[2]) : waitsAt(g[2])})`);
  return ` at ${waitsAt(pc)}` + (where.length ? `, for ${where.join(' and ')}` : barrier ? '' : ', for other warps');
}

// ---- code ----
const rows = [];
function listing() {
  let key = null;
  const said = new Set();
  if (P) {
    const head = document.createElement('div');
    head.className = 'head';
    head.textContent = columns('executed', 'lanes', 'lost', 'cycles');
    $('code').append(head);
  }
  D.insn.forEach((x, i) => {
    if ((x[2] || x[4]) && lineKey(i) !== key) {
      const div = document.createElement('div'), text = (D.files[x[2]] || [])[x[3] - 1];
      key = lineKey(i);
      div.className = 'line';
      div.title = div.textContent = `${place(i)}  ${text === undefined ? '' : text.trim()}`;
      count(div, said.has(key) ? null : countOfLine.get(key));    // once, where the line begins
      said.add(key);
      div.onclick = () => pick(D.insn.filter((y, j) => lineKey(j) === lineKey(i)).map(y => y[0]), div);
      $('code').append(div);
    }
    const div = document.createElement('div'), dot = document.createElement('i');
    dot.style.background = COLOURS[colourOf(x[0])];
    div.append(dot, hex(x[0], 5) + '  ' + x[1]);
    div.title = x[1];
    count(div, countOfInsn.get(x[0]));
    div.onclick = () => pick([x[0]], div);
    rows.push(div);
    $('code').append(div);
  });
}
function pick(pcs, div) {
  document.querySelectorAll('.picked').forEach(e => e.classList.remove('picked'));
  const same = V.pick && pcs.length === V.pick.size && pcs.every(p => V.pick.has(p));
  V.pick = same ? null : new Set(pcs);
  if (!same) { div.classList.add('picked'); seek(1, (r, i) => V.pick.has(r.pc[i])); }
  draw();
}
let lit = null;
function say(x) {
  const hit = x === null ? null : recordAt('rtl')(x);
  if (lit) lit.classList.remove('now');
  lit = null;
  if (!hit) { $('said').textContent = ''; return; }
  const [k, r, i] = hit, n = insnAt.get(r.pc[i]), e = r.extra.get(i);
  if (n !== undefined) {
    lit = rows[n];
    lit.classList.add('now');
    const box = $('code').getBoundingClientRect(), me = lit.getBoundingClientRect();
    if (me.top < box.top || me.bottom > box.bottom) lit.scrollIntoView({ block: 'center' });
  }
  const ended = k === W().ch.length && !parts(W()), active = maskOf(r.active, i), exec = maskOf(r.exec, i);
  let text = ended ? 'when the launch ended' : `cycle ${r.time[i]}   pc ${hex(r.pc[i], 5)}   ${n === undefined ? '' : D.insn[n][1] + '   ' + place(n)}\n`
    + `run ${laneList(active)}` + (same(exec, active) ? '' : `, guard holds in ${laneList(exec)}`);
  for (const g of r.sets[r.groups[i]]) text += `   ${laneList(g[0])}: ${waitName(g[1])}${waitText(g, k, r, i)}`;
  if (e) {
    text += '\n' + MARKS.filter(m => e.bits & m[0]).map(m => m[2]).join(', ');
    if (e.bits & EV.BARRIER) text += `   B${e.bx}: ${laneList(e.before)} \u2192 ${laneList(e.after)}`;
    if (e.released) text += `   released ${laneList(e.released)}`;
    if (e.depth !== undefined) text += `   ${e.depth} tokens`;
  }
  if (k === W().ch.length && parts(W())) text += `\nRTL and model differ at commit ${D.diff.commit}: ${D.diff.field}`;
  $('said').textContent = text;
}

// ---- moving ----
function show(x0, x1) {
  const [a, b] = whole(), least = 8;
  const n = Math.min(Math.max(x1 - x0, least), b - a);
  x0 = Math.max(a, Math.min(x0, b - n));
  V.x0 = x0;
  V.x1 = x0 + n;
  draw();
}
function choose(i) {
  V.warp = Math.max(0, Math.min(D.warps.length - 1, i));
  $('warps').value = V.warp;
  gridHolds(V.warp);
  show(...whole());
  gridScroll();
}
// The next record that fits, after the middle of the view.
async function seek(way, fits) {
  const mid = V.cursor === null ? (V.x0 + V.x1) / 2 : V.cursor, w = W();
  const order = w.ch.map((_, k) => k).filter(k => way > 0 ? k + 1 >= w.ch.length || startOf(w, k + 1) > mid : startOf(w, k) <= mid);
  if (way < 0) order.reverse();
  for (const k of order) {
    const r = await chunk(V.warp, k);
    for (let j = 0; j < r.n; j++) {
      const i = way > 0 ? j : r.n - 1 - j, x = posOf(r, k, i);
      if ((way > 0 ? x > mid : x < mid) && fits(r, i)) { goTo(x); return true; }
    }
  }
  return false;
}
function goTo(x) {
  const n = V.x1 - V.x0;
  V.cursor = x;
  show(x - n / 2, x + n / 2);
  say(x);
}
async function search(text) {
  const m = /^\s*(?:(line|pc|lane)\s+|(\S+):|(b))?(0x[0-9a-f]+|\d+)\s*$/i.exec(text);
  if (!m) { $('said').textContent = 'search: line 12, FILE:12, pc 0x40, B3 or lane 7'; return false; }
  const n = Number(m[4]), what = (m[1] || m[3] || 'line').toLowerCase();
  const fits = what === 'pc' ? (r, i) => r.pc[i] === n : what === 'lane' ? (r, i) => n < LANES && hasLane(r.exec, n, i)
    : what === 'b' ? (r, i) => { const e = r.extra.get(i); return e && e.bits & EV.BARRIER && e.bx === n; }
    : (r, i) => { const k = insnAt.get(r.pc[i]); return k !== undefined && D.insn[k][3] === n && (!m[2] || D.insn[k][2].endsWith(m[2])); };
  if (await seek(1, fits)) return true;
  $('said').textContent = `search: no commit of this warp after here fits \u2018${text}\u2019`;
  return false;
}

const keys = {
  ArrowLeft: () => show(V.x0 - (V.x1 - V.x0) / 5, V.x1 - (V.x1 - V.x0) / 5),
  ArrowRight: () => show(V.x0 + (V.x1 - V.x0) / 5, V.x1 + (V.x1 - V.x0) / 5),
  '+': () => zoom(0.5), '-': () => zoom(2), 0: () => show(...whole()),
  n: () => seek(1, (r, i) => r.events[i] & EV.DIVERGED), p: () => seek(-1, (r, i) => r.events[i] & EV.DIVERGED),
  j: () => choose(V.warp + 1), k: () => choose(V.warp - 1), u: gridUp, '/': () => $('search').focus(),
  t: () => theme(!V.dark), a: () => axis(!V.step), '?': () => help(),
};
keys['='] = keys['+'];
function zoom(f, px) {
  const w = $('lanes').clientWidth, x = px === undefined ? (V.x0 + V.x1) / 2 : fromX(px, w);
  show(x - (x - V.x0) * f, x + (V.x1 - x) * f);
}
function theme(dark) {
  V.dark = dark;
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  $('theme').textContent = dark ? 'light' : 'dark';
  draw();
}
function axis(step) {
  V.step = step;
  $('axis').textContent = step ? 'steps' : 'cycles';
  V.cursor = null;
  show(...whole());
}
function help() {
  $('said').innerHTML = '<kbd>\u2190</kbd> <kbd>\u2192</kbd> move   <kbd>+</kbd> <kbd>-</kbd> <kbd>0</kbd> zoom, whole   '
    + '<kbd>n</kbd> <kbd>p</kbd> next, previous divergence   <kbd>j</kbd> <kbd>k</kbd> warps   <kbd>u</kbd> all warps   <kbd>/</kbd> search   '
    + '<kbd>a</kbd> cycles or steps   <kbd>t</kbd> theme\nwheel: zoom; drag: move; click code: where it runs';
}
function wire() {
  const c = $('lanes');
  let drag = null;
  const mouse = e => e.clientX - c.getBoundingClientRect().left;
  c.onmousedown = e => { drag = [mouse(e), V.x0, V.x1]; };
  window.addEventListener('mouseup', () => { drag = null; });
  c.onmousemove = e => {
    const x = fromX(mouse(e), c.clientWidth);
    V.cursor = x;
    say(x);
    if (drag) { const d = (mouse(e) - drag[0]) / (c.clientWidth - LEFT) * (drag[2] - drag[1]); show(drag[1] - d, drag[2] - d); }
  };
  c.onwheel = e => { e.preventDefault(); zoom(e.deltaY > 0 ? 1.25 : 0.8, mouse(e)); };
  $('grid').onclick = e => gridDive(Math.floor((e.clientY - $('grid').getBoundingClientRect().top) / G.height));
  $('up').onclick = keys.u;
  $('warps').onchange = () => choose(+$('warps').value);
  $('search').onkeydown = e => { if (e.key === 'Enter') search($('search').value); e.stopPropagation(); };
  $('axis').onclick = keys.a;
  const code = $('code');
  let pull = false;                          // the border of the code: it is made wider
  code.onmousedown = e => { pull = e.clientX < code.getBoundingClientRect().left + 6; if (pull) e.preventDefault(); };
  window.addEventListener('mousemove', e => { if (pull) { document.body.style.setProperty('--code', innerWidth - e.clientX + 'px'); draw(); } });
  window.addEventListener('mouseup', () => { pull = false; });
  $('theme').onclick = keys.t;
  $('help').onclick = keys['?'];
  window.addEventListener('keydown', e => { if (!e.ctrlKey && !e.metaKey && keys[e.key]) { e.preventDefault(); keys[e.key](); } });
  window.addEventListener('resize', draw);
  for (const [event, on] of [['beforeprint', true], ['afterprint', false]])
    window.addEventListener(event, () => { document.body.classList.toggle('sheet', on); draw(); });
}

function begin() {
  $('title').textContent = D.title;
  $('figures').textContent = `${counted(D.n, 'commit')}, ${counted(D.warps.length, 'warp')}, SIMT efficiency ${D.efficiency.toFixed(1)}%, ${D.diverged} divergent ${D.diverged === 1 ? 'branch' : 'branches'}`;
  $('status').textContent = D.status;
  $('status').className = D.bad ? 'bad' : '';
  $('report').textContent = [D.report, D.race].filter(t => t).join('\n');
  $('legend').innerHTML = MARKS.map(m => `<span><b>${m[1].replace('<', '&lt;')}</b>${m[2]}</span>`).join(' ')
    + ' <span><b>\u25a0</b>runs, coloured by line</span> <span><b>\u25a1</b>pale: guard does not hold, or ready</span>'
    + ' <span><b>\u25a8</b>waits at a barrier, in the colour of where it goes on</span>';
  D.warps.forEach((w, i) => $('warps').append(new Option(`block ${w.b}, warp ${w.w}`, i)));
  listing();
  losses();
  wire();
  V.dark = matchMedia('(prefers-color-scheme: dark)').matches;
  document.documentElement.dataset.theme = V.dark ? 'dark' : 'light';
  const d = D.warps.findIndex(w => D.diff ? parts(w) : w.bk.some((bits, k) => k % 3 === 2 && bits & EV.FAULT));
  if (D.warps.length) choose(Math.max(0, d));
}
