// The waveform of a run: a picture of the rows that GTKWave's views have, and the file itself.  SPDX-License-Identifier: Apache-2.0
import { by, el } from './dom.js';

const ROW = 20, LABEL = 190, SPAN = 100;
const views = JSON.parse(by('wave-views').textContent);
const file = (name, bytes) => el('a', { href: URL.createObjectURL(new Blob([bytes])), download: name }, name);
const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const hex = (v) => (/^[01]{5,}$/.test(v) ? parseInt(v, 2).toString(16).padStart(Math.ceil(v.length / 4), '0') : v);

const two = (n) => String(n).padStart(2, '0');

// The warp slots that were used, with the warp that was in each first, and the slots of its block.
function slots_of(rows) {
  const slots = [];
  for (const [name, changes] of rows) {
    const m = /^heddle\.w(\d\d)\.warp$/.exec(name), texts = m ? changes.filter((v, i) => i % 2 && v) : [];
    const [, block, warp] = /block (\d+), warp (\d+)/.exec(texts[0] || '') || [];
    if (block) slots.push({ n: +m[1], texts, block, warp: +warp, label: `warp slot ${+m[1]}: ${texts[0]}${texts.length > 1 ? ` and ${texts.length - 1} more` : ''}` });
  }
  for (const s of slots) {
    s.first = s.n - s.warp;
    s.warps = slots.filter((o) => o.n - o.warp === s.first).length;
    for (const [name, changes] of rows) {
      const m = /^heddle\.b(\d\d)\.block$/.exec(name);
      if (m && changes.includes(`block ${s.block}`)) s.block_slot = +m[1];
    }
  }
  return slots;
}

// Views are of warp slot 0, and of block slot 0 with its warps: the same of another; '': no such warp.
function placed(text, view, slot) {
  return text.replace(/\b([wb])(\d\d)\b/, (all, kind, digits) => {
    const n = +digits;
    if (kind === 'b') return `b${two(slot.block_slot)}`;
    if (view === 'block') return n < slot.warps ? `w${two(n + slot.first)}` : '';
    return `w${two(n === 0 ? slot.n : n === slot.n ? 0 : n)}`;
  });
}

// What of a view is in the file, with its headings; changes as [cycle, value, ...].
function rows_of(view, rows, slot) {
  const found = [];
  for (const r of views[view].rows) {
    const name = r.name && placed(r.name, view, slot);
    if (r.heading) found.push({ heading: r.heading });
    else if (rows.has(name)) found.push({ label: placed(r.label, view, slot), changes: rows.get(name) });
  }
  return found.filter((r, k) => r.changes || (found[k + 1] && found[k + 1].changes));
}

// The cycles in which something happens to the warp that the view asks about; else, whatever happens to it.
const ASKS = { barrier: ['w.B0_arrived'], stack: ['w.spilled', 'w.depth'], block: ['b.bar0'] };
function events_of(view, rows, slot) {
  const of = (row) => rows.get(`heddle.${row.replace('w.', `w${two(slot.n)}.`).replace('b.', `b${two(slot.block_slot)}.`)}`) || [];
  const cycles = (changes) => changes.filter((c, i) => i % 2 === 0 && /[^0]/.test(changes[i + 1]));
  return [...(ASKS[view] || []), 'w.event'].map((row) => cycles(of(row))).find((c) => c.length) || [];
}

// The value in that cycle: the index of the change that set it.
function index_at(changes, cycle) {
  let from = 0, to = changes.length / 2;
  while (to - from > 1) {
    const mid = (from + to) >> 1;
    if (changes[2 * mid] <= cycle) from = mid;
    else to = mid;
  }
  return from;
}

// mark: { cycle, text }, a line in that cycle; null.
function draw(canvas, rows, from, span, mark) {
  const scale = devicePixelRatio || 1, width = canvas.clientWidth || 800, height = ROW * (rows.length + 1) + 4, label = Math.min(LABEL, width * 0.35);
  canvas.width = width * scale;
  canvas.height = height * scale;
  canvas.style.height = `${height}px`;
  const g = canvas.getContext('2d'), x = (cycle) => label + (cycle - from) * (width - label) / span;
  const front = colour('--front'), dim = colour('--dim'), line = colour('--line'), groups = [0, 1, 2, 3, 4, 5].map((k) => colour(`--g${k}`));
  g.scale(scale, scale);
  g.fillStyle = colour('--back');
  g.fillRect(0, 0, width, height);
  g.textBaseline = 'middle';
  g.font = '11px ui-monospace, monospace';
  const step = 10 ** Math.ceil(Math.log10(span * 60 / (width - label))), by_two = span / step < 5 ? step / 2 : step;
  for (let c = Math.ceil(from / by_two) * by_two; c < from + span; c += by_two) {
    g.fillStyle = line;
    g.fillRect(x(c), ROW, 1, height);
    g.fillStyle = dim;
    g.fillText(String(c), x(c) + 3, ROW / 2);
  }
  rows.forEach((r, k) => {
    const y = ROW * (k + 1);
    g.save();
    g.beginPath();
    g.rect(0, y, r.heading ? width : label - 6, ROW);
    g.clip();
    g.fillStyle = r.heading ? dim : front;
    g.font = `${r.heading ? '600 ' : ''}11px system-ui, sans-serif`;
    g.fillText(r.heading || r.label, r.heading ? 4 : 12, y + ROW / 2);
    g.restore();
    if (r.heading) return;
    g.font = '11px ui-monospace, monospace';
    for (let i = index_at(r.changes, from); i < r.changes.length / 2 && r.changes[2 * i] < from + span; i++) {
      const value = hex(r.changes[2 * i + 1]), a = Math.max(x(r.changes[2 * i]), label), b = Math.min(i + 1 < r.changes.length / 2 ? x(r.changes[2 * i + 2]) : width, width);
      if (value === '' || b <= a) continue;
      let hash = 0;
      for (const c of value) hash = (hash * 31 + c.charCodeAt(0)) >>> 0;
      g.globalAlpha = /^0*$/.test(value) ? 0.12 : 0.3;
      g.fillStyle = groups[hash % 6];
      g.fillRect(a, y + 2, Math.max(b - a - 1, 0.5), ROW - 4);
      g.globalAlpha = 1;
      if (b - a > 14) {
        g.save();
        g.beginPath();
        g.rect(a, y, b - a - 2, ROW);
        g.clip();
        g.fillStyle = front;
        g.fillText(value, a + 3, y + ROW / 2);
        g.restore();
      }
    }
  });
  if (mark && mark.cycle >= from && mark.cycle < from + span) drawMark(g, mark, x(mark.cycle), width, height);
}

// The cycle of the commit in which RTL and model differ.
function drawMark(g, mark, at, width, height) {
  g.fillStyle = colour('--bad');
  g.fillRect(at - 1, 0, 2, height);
  g.font = '600 11px system-ui, sans-serif';
  const long = g.measureText(mark.text).width + 8, left = Math.max(0, Math.min(at + 1, width - long));
  g.fillRect(left, 1, long, ROW - 3);
  g.fillStyle = colour('--back');
  g.fillText(mark.text, left + 4, ROW / 2);
}

// diff: of the timeline's data; absent where RTL and model agree.
function picture(end, rows, start_with, diff) {
  const canvas = el('canvas', { role: 'img', 'aria-label': 'waveform' });
  const chooser = el('select', { 'aria-label': 'view', onchange: () => show() }, ...Object.keys(views).map((v) => el('option', { selected: v === start_with }, v)));
  const place = el('input', { type: 'range', min: 0, value: 0, 'aria-label': 'first cycle', oninput: () => { from = +place.value; show(); } });
  const says = el('output', { class: 'dim' }), question = el('p', { class: 'dim' });
  const slots = slots_of(rows), of = el('select', { 'aria-label': 'warp slot', onchange: () => { look(); show(); } }, ...slots.map((s, k) => el('option', { value: k }, s.label)));
  const mark = diff ? { cycle: diff.rtl.cycle, text: `commit ${diff.commit}: RTL and model differ` } : null;
  const theirs = diff ? slots.findIndex((s) => s.texts.includes(`block ${diff.block}, warp ${diff.warp}`)) : -1;
  const slot = () => slots[of.value] || { n: 0, first: 0, warps: 1, block_slot: 0 };
  let span = Math.min(SPAN, end), from = 0;
  // Where the warp does something, unless it is in sight.
  function look() {
    const changes = rows.get(`heddle.w${two(slot().n)}.pc`) || [], at = changes.findIndex((c, i) => i % 2 === 0 && changes[i + 1]);
    if (at >= 0 && (changes[at] >= from + span || changes[changes.length - 2] < from)) from = changes[at] - 4;
  }
  for (const [name, changes] of rows) if (/\.pc$/.test(name) && changes.length > 2) from = Math.max(0, Math.min(...[changes[2] - 4, from || Infinity]));
  if (theirs >= 0) of.value = theirs;
  const see = (cycle) => { from = cycle - 0.4 * span; }, to_mark = () => { from = mark.cycle - 0.7 * span; show(); };
  const seen = () => Math.round(from) + 0.4 * span, next = () => events_of(chooser.value, rows, slot()).find((c) => c > seen() + 1);
  if (mark) from = mark.cycle - 0.7 * span;
  else if (events_of(start_with, rows, slot()).length) see(events_of(start_with, rows, slot())[0]);
  function show() {
    span = Math.max(10, Math.min(span, end));
    from = Math.max(0, Math.min(Math.round(from), end - span));
    place.max = end - span;
    place.value = from;
    says.textContent = `cycles ${from} to ${Math.round(from + span)} of ${end}`;
    question.textContent = views[chooser.value].question;
    const list = rows_of(chooser.value, rows, slot());
    draw(canvas, list, from, span, mark);
    if (!list.some((r) => r.changes)) question.textContent += ' This waveform has no such rows: they need the core with tracing (heddle wave).';
  }
  const zoom = (by_factor, at = from + span / 2) => { const part = (at - from) / span; span *= by_factor; span = Math.max(10, Math.min(span, end)); from = at - part * span; show(); };
  const button = (label, title, f) => el('button', { title, onclick: f }, label);
  canvas.addEventListener('wheel', (e) => {
    if (!e.ctrlKey && !e.shiftKey) return;
    e.preventDefault();
    zoom(e.deltaY > 0 ? 1.25 : 0.8, from + span * Math.max(0, e.offsetX - LABEL) / (canvas.clientWidth - LABEL));
  }, { passive: false });
  new ResizeObserver(show).observe(canvas);
  return [el('div', { class: 'controls' }, chooser, slots.length > 1 ? of : null, button('−', 'more cycles', () => zoom(2)), button('+', 'fewer cycles', () => zoom(0.5)),
    button('◀', 'earlier', () => { from -= span / 2; show(); }), button('▶', 'later', () => { from += span / 2; show(); }),
    button('next ▶▶', 'to the next event of this warp that the view is about', () => { const c = next(); if (c !== undefined) { see(c); show(); } }),
    mark ? button('the difference', 'to the commit in which RTL and model differ', to_mark) : null, place, says), question, canvas];
}

// record(options, files wanted): the run once more; read(words, files): another command.
export function wave_view(run, record, read) {
  if (!run.data) return el('p', { class: 'none' }, 'No waveform: the run did not begin.');
  const place = el('div', { class: 'wave' }, el('p', { class: 'none' }, 'Recording …'));
  delete document.body.dataset.wave;
  (async () => {
    const { files, err } = await record(['--wave', '/kernel.fst'], ['/kernel.fst', '/kernel.gtkw']), fst = files['/kernel.fst'];
    if (!fst) {
      place.replaceChildren(el('pre', {}, err || 'no waveform'));
    } else {
      const said = await read(['rows', '/kernel.fst'], { '/kernel.fst': fst });
      const links = el('p', { class: 'dim' }, 'For GTKWave: ', ...Object.keys(files).flatMap((n) => [file(n.slice(1), files[n]), ` (${Math.ceil(files[n].length / 1024)} KiB) `]));
      let wave = null;
      try { wave = JSON.parse(said.out); } catch { /* said below */ }
      place.replaceChildren(...(wave ? picture(wave.end, new Map(wave.rows.map((r) => [r.name, r.changes])), run.of === 'stack' ? 'stack' : 'barrier', run.data.diff)
        : [el('pre', {}, said.err || 'its rows cannot be read')]), links);
    }
    if (place.isConnected) document.body.dataset.wave = 'done';       // else another run's is shown
  })();
  return place;
}
