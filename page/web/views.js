// Machine code beside its source, and the profile, from what the timeline of a run holds.  SPDX-License-Identifier: Apache-2.0
import { el } from './dom.js';

// What heddle put into its page of the timeline.
export function data_of(html) {
  const from = html.indexOf('id="data">') + 'id="data">'.length, to = html.indexOf('</script>', from);
  try { return JSON.parse(html.slice(from, to)); } catch { return null; }
}

const LANES = 32, hex = (pc) => pc.toString(16).padStart(4, '0');
const percent = (part, whole) => (whole ? `${(100 * part / whole).toFixed(1)}%` : '');

// Barrier registers in the text of an instruction, each in its colour; what waits, joins and leaves stands out.
function instruction(text) {
  const out = el('code', /\b(BSSY|BSYNC|BREAK|WARPSYNC|YIELD|BAR|PUSH|POP|SSY|SYNC)\b/.test(text) ? { class: 'meets' } : {});
  for (const part of text.split(/(\bB\d+\b)/))
    out.append(/^B\d+$/.test(part) ? el('b', { class: `barrier b${part.slice(1) % 6}` }, part) : part);
  return out;
}

function bar(share, label) {
  return el('span', { class: 'bar', title: label }, el('i', { style: `width:${(100 * share).toFixed(1)}%` }), el('em', {}, label));
}

const heading = (t) => el('th', { scope: 'col', class: { line: 'n', times: 'n', instructions: 'n', source: 'source' }[t] }, t);

// The instruction at which RTL and model differ is marked, and in sight.
export function code_view(data, source, pick) {
  if (!data) return el('p', { class: 'none' }, 'No code: the run did not begin.');
  const lines = source.split('\n'), figures = new Map(data.profile.insns);
  const rows = el('tbody');
  let before = 0, differs = null;
  for (const [pc, text, , line] of data.insn) {
    const [n = 0, lanes = 0] = figures.get(pc) || [];
    const fresh = line !== before, here = data.diff && data.diff.rtl.pc === pc;
    before = line;
    rows.append(el('tr', { class: `${fresh ? 'fresh' : ''} ${here ? 'differs' : n ? '' : 'never'}`, 'data-line': line, 'data-pc': pc, onclick: () => pick(line) },
      el('td', { class: 'n' }, fresh && line ? String(line) : ''), el('td', { class: 'source' }, fresh && line ? (lines[line - 1] || '').trim() : ''),
      el('td', { class: 'pc' }, hex(pc)), el('td', { class: 'text' }, instruction(text), here ? el('strong', {}, `RTL and model differ at commit ${data.diff.commit}`) : ''), el('td', { class: 'n' }, n ? String(n) : ''),
      el('td', {}, n ? bar(lanes / (n * LANES), `${(lanes / n).toFixed(1)} of 32`) : '')));
    if (here) differs = rows.lastChild;
  }
  if (differs) requestAnimationFrame(() => differs.scrollIntoView({ block: 'center' }));
  return el('table', { class: 'code' }, el('thead', {}, el('tr', {}, ...['line', 'source', 'PC', 'machine code', 'times', 'lanes on average'].map(heading))), rows);
}

export function profile_view(data, source, pick) {
  if (!data) return el('p', { class: 'none' }, 'No profile: the run did not begin.');
  const [insns, lanes] = data.profile.all, slots = insns * LANES, lost = slots - lanes, lines = source.split('\n');
  const at = new Map(data.insn.map(([pc, text, , line]) => [pc, { text, line }]));
  const view = el('div', { class: 'profile' }, el('p', { class: 'sum' }, el('strong', {}, percent(lanes, slots)),
    ` of ${slots.toLocaleString('en')} lane slots did something; ${lost.toLocaleString('en')} were lost.`));
  if (!data.profile.losses.length) view.append(el('p', { class: 'none' }, 'No branch costs lanes.'));
  const list = el('ol', { class: 'losses' });
  for (const [pc, slots_lost, , why] of data.profile.losses) {
    const { text = '', line = 0 } = at.get(pc) || {};
    list.append(el('li', {}, el('button', { onclick: () => pick(line) }, bar(slots_lost / Math.max(lost, 1), percent(slots_lost, lost)),
      el('span', { class: 'where' }, line ? `line ${line}: ` : '', el('code', {}, line ? (lines[line - 1] || '').trim() : text)),
      el('span', { class: 'why' }, `${hex(pc)} `, instruction(text), `. ${why}`))));
  }
  view.append(list);
  const rows = el('tbody');
  for (const [, line, [n, active]] of data.profile.lines.filter(([, line]) => line))
    rows.append(el('tr', { onclick: () => pick(line), 'data-line': line }, el('td', { class: 'n' }, String(line)), el('td', { class: 'source' }, (lines[line - 1] || '').trim()),
      el('td', { class: 'n' }, n.toLocaleString('en')), el('td', {}, bar(active / (n * LANES), percent(active, n * LANES)))));
  view.append(el('table', { class: 'code' }, el('thead', {}, el('tr', {}, ...['line', 'source', 'instructions', 'efficiency'].map(heading))), rows));
  return view;
}
