// Step by step: `heddle lockstep --step` is asked for the state after each commit, once; the page then goes to and fro.
// SPDX-License-Identifier: Apache-2.0
import { counted, el } from './dom.js';

export const STEPS = 400;
const ASK = ['where', 'print barriers', 'print stack', 'print masks'];

// The questions of the warp's commits after the first `skip`.
export const questions = (warp, skip = 0) => `warp ${warp}\n${skip ? `step ${skip}\n` : ''}` + ['step', ...ASK, ''].join('\n').repeat(STEPS) + 'quit\n';

const groups_of = (said) => [...said.matchAll(/^ {2}(\S) ([0-9a-f]{8}) (\S+(?: \S+)?)\s+PC 0x([0-9a-f]+)\s+(.*)$/gm)]
  .map((m) => ({ name: m[1], lanes: parseInt(m[2], 16) >>> 0, state: m[3], pc: parseInt(m[4], 16), text: m[5].replace(/\s+\S+:\d+(?=;|$)/, '') }));

// The state after each commit of the warp.  The one in which RTL and model differ is the last, with the model's groups.
export function answers(out) {
  const parts = out.split(/^\(heddle\) /m).slice(1), steps = [];
  let now = null;
  for (const part of parts) {
    const end = part.indexOf('\n'), asked = part.slice(0, end), said = part.slice(end + 1);
    if (asked === 'step') {
      const m = /^\s*(\d+)\s+(\d+)\s+(b\d+\.w\d+)\s+([0-9a-f]+)\s+([0-9a-f]{8})\s+(.*)\n?([^]*)/m.exec(said);
      if (!m) break;
      now = { commit: +m[1], cycle: +m[2], warp: m[3], pc: parseInt(m[4], 16), active: parseInt(m[5], 16) >>> 0, text: m[6].trim().replace(/\s+\S+:\d+$/, ''), event: m[7].replace(/^the launch has ended.*$/m, '').trim(),
        differs: /^the launch has ended: RTL and model differ/m.test(said), groups: [], model: [], barriers: [], stack: '', masks: {} };
      steps.push(now);
    } else if (now && asked === 'where') {
      const [rtl, model = ''] = said.split('the model:');
      now.groups = groups_of(rtl);
      now.model = groups_of(model);
    } else if (now && asked === 'print barriers')
      for (const m of said.matchAll(/^ {2}(B\d+) +participants ([0-9a-f]{8}), arrived ([0-9a-f]{8}), missing ([0-9a-f]{8})/gm))
        now.barriers.push({ name: m[1], all: parseInt(m[2], 16) >>> 0, here: parseInt(m[3], 16) >>> 0 });
    else if (now && asked === 'print stack') now.stack = said.trimEnd();
    else if (now && asked === 'print masks')
      for (const m of said.matchAll(/^ {2}(\w+) +([0-9a-f]{8})/gm)) now.masks[m[1]] = parseInt(m[2], 16) >>> 0;
  }
  return steps;
}

const lanes_of = (mask) => Array.from({ length: 32 }, (_, l) => mask >>> l & 1);
const count = (mask) => lanes_of(mask).reduce((a, b) => a + b, 0);

function strip(of, label) {
  return el('span', { class: 'strip', role: 'img', 'aria-label': label }, ...of.map((c, l) => el('i', { class: c, title: `lane ${l}` })));
}

function groups_table(groups) {
  return el('table', {}, el('tbody', {}, ...groups.map((g, k) => el('tr', {}, el('td', {}, el('b', { class: `key g${k % 6}` }, g.name)),
    el('td', {}, strip(lanes_of(g.lanes).map((on) => (on ? `g${k % 6} run` : '')), counted(count(g.lanes), 'lane'))), el('td', { class: 'n' }, String(count(g.lanes))),
    el('td', {}, g.state), el('td', { class: 'pc' }, g.pc.toString(16).padStart(4, '0')), el('td', {}, el('code', {}, g.text))))));
}

function lanes_strip(groups, live) {
  const lanes = Array.from({ length: 32 }, (_, l) => (live >>> l & 1 ? '' : 'dead'));
  groups.forEach((g, k) => lanes_of(g.lanes).forEach((on, l) => { if (on) lanes[l] = `g${k % 6} ${g.state === 'run' ? 'run' : 'wait'}`; }));
  return strip(lanes, `${counted(count(live), 'lane')} live`);
}

function show(step, lines, line_of) {
  const live = step.masks.live ?? 0xffffffff, line = line_of(step.pc);
  const barriers = el('tbody', {}, ...step.barriers.map((b) => el('tr', {}, el('td', {}, el('b', { class: `barrier b${b.name.slice(1) % 6}` }, b.name)),
    el('td', {}, strip(lanes_of(b.all).map((on, l) => (!on ? '' : b.here >>> l & 1 ? 'here' : 'missing')), `${count(b.here)} have come of ${counted(count(b.all), 'lane')}`)),
    el('td', {}, `${count(b.here)} of ${count(b.all)} have come`))));
  return el('div', { class: 'state' },
    el('p', { class: 'did' }, el('span', { class: 'dim' }, `commit ${step.commit}, cycle ${step.cycle}, ${step.warp}, `), el('code', {}, step.text),
      step.event ? el('em', {}, ` ${step.event}`) : '', line ? el('span', { class: 'dim' }, `  line ${line}: ${(lines[line - 1] || '').trim()}`) : ''),
    step.differs ? el('p', { class: 'differs' }, 'Here RTL and model differ.') : '',
    el('h3', {}, step.differs ? 'Lanes, in the RTL' : 'Lanes'), lanes_strip(step.groups, live), ...(step.differs ? [el('h3', {}, 'Lanes, in the model'), lanes_strip(step.model, live)] : []),
    el('h3', {}, step.differs ? 'Groups, in the RTL' : 'Groups'), groups_table(step.groups), ...(step.differs ? [el('h3', {}, 'Groups, in the model'), groups_table(step.model)] : []),
    el('h3', {}, 'Barrier registers'), step.barriers.length ? el('table', {}, barriers) : el('p', { class: 'none' }, 'No barrier register holds a lane.'),
    el('h3', {}, 'Stack'), el('pre', {}, step.stack.replace(/^\n/, '') || 'the stack is empty'));
}

// steps: what answers() gave, after the first `skip` of the warp's `total`.
export function steps_view(steps, source, line_of, mark, skip, total) {
  if (!steps.length) return el('p', { class: 'none' }, 'No step: this warp has no commit.');
  const lines = source.split('\n'), place = el('div', { 'aria-live': 'polite' }), count_of = el('output');
  const slider = el('input', { type: 'range', min: 0, max: steps.length - 1, value: 0, 'aria-label': 'commit', oninput: () => go(+slider.value) });
  const differs = steps.findIndex((s) => s.differs);
  let at = 0;
  function go(to) {
    at = Math.max(0, Math.min(steps.length - 1, to));
    slider.value = at;
    count_of.textContent = `commit ${steps[at].commit}: ${skip + at + 1} of ${Math.max(total, skip + steps.length)} of this warp` +
      (skip ? ` (the last ${steps.length} are here)` : total > steps.length ? ` (the first ${steps.length} are here)` : '');
    place.replaceChildren(show(steps[at], lines, line_of));
    mark(line_of(steps[at].pc));
  }
  const parts = (by_one) => { let k = at + by_one; while (k > 0 && k < steps.length - 1 && !/diverge/.test(steps[k].event)) k += by_one; go(k); };
  const button = (label, title, f) => el('button', { title, onclick: f }, label);
  const view = el('div', { class: 'steps', tabindex: 0, onkeydown: (e) => {
    const to = { ArrowRight: 1, n: 1, ArrowLeft: -1, p: -1, PageDown: 10, PageUp: -10 }[e.key];
    if (to === undefined || e.target === slider) return;
    e.preventDefault();
    go(at + to);
  } }, el('div', { class: 'controls' }, button('◀', 'back (left arrow)', () => go(at - 1)), button('▶', 'step (right arrow)', () => go(at + 1)),
    button('lanes part ▶▶', 'to the next commit at which lanes part', () => parts(1)),
    differs >= 0 ? button('the difference ▶▶', 'to the commit in which RTL and model differ', () => go(differs)) : null, slider, count_of), place);
  go(differs >= 0 ? differs : 0);
  return view;
}
