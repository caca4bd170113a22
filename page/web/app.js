// Heddle in a page: kernel and launch on the left, what came of them on the right.  SPDX-License-Identifier: Apache-2.0
/* global LANES */
import { by, counted, el } from './dom.js';
import { editor } from './editor.js';
import { heddle, load, stop } from './run.js';
import { pack, unpack } from './link.js';
import { errors, is_ptx, located, with_lines, words } from './source.js';
import { numbers, verdict } from './verdict.js';
import { code_view, data_of, profile_view } from './views.js';
import { STEPS, answers, questions, steps_view } from './steps.js';
import { wave_view } from './wave.js';

const examples = JSON.parse(by('examples').textContent);
const CORES = LANES.split(' '), USUAL = CORES[CORES.length - 1];     // the last is that of a launch without --lanes
const TABS = { timeline: 'Timeline', code: 'Code', profile: 'Profile', steps: 'Step', wave: 'Waveform', said: 'Output' };
const MODES = { barrier: 'barriers', stack: 'stack' };
const decoder = new TextDecoder();

let runs = [];              // of the last Run: one for each mode
let before = [];            // numbers of the Run before, of the same kernel: { of, cycles, efficiency }
let planted = false;        // the core makes its planted mistake
let tab = 'timeline', filled = {}, turn = 0;
const edit = editor(by('editor'), () => { edit.errors([]); by('errors').replaceChildren(); edit.mark(0); }, () => run());

const mode = () => document.querySelector('[name=mode]:checked').value;
const set_mode = (m) => { (document.querySelector(`[name=mode][value=${m}]`) || document.querySelector('[name=mode]')).checked = true; };

// ---- a run ----

function request(of, extra) {
  const text = edit.get(), name = is_ptx(text) ? 'kernel.ptx' : 'kernel.s';
  const source = located(text, `/${name}`), launch = words(by('launch').value);
  const files = { [`/k/${name}`]: source.text, [`/${name}`]: text };
  if (planted) files['/planted'] = '';
  const lanes = launch.some((w) => w.startsWith('--lanes')) ? [] : ['--lanes', USUAL];
  return { args: ['lockstep', `/k/${name}`, ...launch, '--mode', of, ...lanes, ...extra], files, name, line: source.line, text };
}

async function run_mode(of) {
  const q = request(of, ['--timeline', '/timeline.html']);
  const answer = await heddle(q.args, q.files, { want: ['/timeline.html'] });
  const html = answer.files['/timeline.html'] && decoder.decode(answer.files['/timeline.html']);
  return { of, ...q, ...answer, html, data: html ? data_of(html) : null };
}

function say(list, busy = false) {
  by('verdict').classList.toggle('busy', busy);
  by('verdict').replaceChildren(...list.map(({ kind, title, more, of, diff }) =>
    el('div', { class: kind }, el('strong', {}, list.length > 1 && of ? `${MODES[of]}: ${title}` : title), el('span', {}, more || ''),
      diff ? el('p', { class: 'ways' }, `commit ${diff.commit} in `, ...['timeline', 'code', 'steps', 'wave'].map((t) =>
        el('button', { onclick: () => choose(t, true) }, TABS[t]))) : null)));
}

function show_errors() {
  const first = runs[0], list = first && first.code === 2 ? errors(first.err, `/k/${first.name}`, first.line) : [];
  edit.errors(list);
  by('errors').replaceChildren(...list.slice(0, 5).map((e) => el('li', {}, el('button', { onclick: () => { edit.errors([e]); edit.focus(); } },
    `line ${e.line}: ${e.text}`, el('pre', {}, `${first.text.split('\n')[e.line - 1] || ''}\n${' '.repeat(e.column - 1)}^`)))));
}

export async function run() {
  const mine = ++turn, from = performance.now(), which = mode() === 'both' ? ['barrier', 'stack'] : [mode()];
  stop();
  for (const said of ['done', 'steps', 'wave']) delete document.body.dataset[said];
  by('run').disabled = true;
  by('stop').disabled = false;
  say([{ kind: 'idle', title: 'Running', more: 'RTL and model, commit by commit' }], true);
  const clock = setInterval(() => { by('time').textContent = `${((performance.now() - from) / 1000).toFixed(1)} s`; }, 100);
  const got = await Promise.all(which.map(run_mode));
  clearInterval(clock);
  if (mine !== turn) return;
  runs = got;
  by('time').textContent = `${((performance.now() - from) / 1000).toFixed(2)} s`;
  by('run').disabled = false;
  by('stop').disabled = true;
  const instruction = (r) => (pc) => { const [, text, , line] = (r.data && r.data.insn.find(([at]) => at === pc)) || []; return text ? `${text}${line ? ` (line ${line})` : ''}` : ''; };
  const ended = runs.map((r) => r.code === 0 && { of: r.of, ...numbers(r.out) }).filter((n) => n && n.cycles);
  const was = (r) => before.find((n) => n.of === r.of) || (runs.length === 1 && before.length === 1 ? before[0] : null);
  say(runs.map((r) => ({ diff: r.data && r.data.diff, ...verdict({ code: r.code, out: r.out, err: with_lines(r.err, `/k/${r.name}`, r.line) }, instruction(r), was(r)), of: r.of })));
  if (ended.length) before = ended;
  show_errors();
  const differs = /^all fields that differ \(kernel [^,]*, kernel\.\w+:(\d+)\)/m.exec(runs[0].out + runs[0].err);
  if (differs) edit.mark(+differs[1], innerWidth > 760);
  filled = {};
  if (runs[0].code === 2 && tab !== 'said') choose('said');
  else if (runs[0].code !== 2 && tab === 'said' && runs[0].html) choose('timeline');
  else fill();
  document.body.dataset.done = runs.map((r) => r.code).join(' ');
}

// ---- views ----

const pick = (line) => {
  edit.mark(line, true);
  document.querySelectorAll('table.code tr.now').forEach((r) => r.classList.remove('now'));
  document.querySelectorAll(`table.code tr[data-line="${line}"]`).forEach((r) => r.classList.add('now'));
};

// The timeline, as `heddle timeline' draws it; beside it is the code, so a narrow window leaves that out.
const FITTED = `<style>#report { max-height: 8.8em; overflow: auto; border-bottom: 1px solid var(--line); }
  @media (max-width: 900px) { body { display: flex !important; flex-direction: column; } #code { display: none; } #figures { display: none; }
  footer { max-height: 30vh; overflow: auto; } main { flex: 1; } } @media (max-width: 560px) { header input { display: none; } }
  header h1, #theme { display: none; } header { gap: 8px !important; align-items: center !important; }
  :root[data-theme=dark] { color-scheme: dark; }</style>`;

const fillers = {
  timeline: (r) => (r.html ? el('iframe', { title: `timeline, ${MODES[r.of]}`, srcdoc: r.html.replace('</head>', `${FITTED}</head>`) })
    : el('p', { class: 'none', style: 'padding: 0 14px' }, r.code === 130 ? 'Stopped before its end: nothing to draw.' : 'Nothing to draw: the run did not begin.')),
  code: (r) => code_view(r.data, r.text, pick),
  profile: (r) => profile_view(r.data, r.text, pick),
  said: (r) => el('pre', {}, with_lines(r.out + r.err, `/k/${r.name}`, r.line)),
  steps(r) {
    if (!r.data) return el('p', { class: 'none' }, 'No steps: the run did not begin.');
    const { diff } = r.data, name = (w) => `${w.b}.${w.w}`, differs = diff ? `${diff.block}.${diff.warp}` : '';
    const all = r.data.warps.map(name), warps = [...new Set([...(differs ? [differs] : []), ...all.slice(0, 64)])], place = el('div', {}), lines = new Map(r.data.insn.map(([pc, , , line]) => [pc, line]));
    const chooser = el('select', { 'aria-label': 'warp', onchange: () => go(chooser.value) }, ...warps.map((w) => el('option', { value: w }, `block.warp ${w}`)));
    async function go(warp) {
      place.replaceChildren(el('p', { class: 'none' }, 'Stepping …'));
      delete document.body.dataset.steps;
      const q = request(r.of, ['--step']);
      const w = r.data.warps.find((x) => name(x) === warp), total = (w ? w.n : 0) + (warp === differs ? 1 : 0);
      const skip = warp === differs ? Math.max(0, total - STEPS) : 0;        // what led there
      const got = await heddle(q.args, q.files, { input: questions(warp, skip) });
      place.replaceChildren(steps_view(answers(got.out), r.text, (pc) => lines.get(pc) || 0, (line) => edit.mark(line, innerWidth > 760), skip, total));
      if (place.isConnected) document.body.dataset.steps = 'done';    // else another run's are shown
    }
    go(warps[0]);
    return el('div', {}, el('div', { class: 'controls' }, warps.length > 1 ? chooser : null), place);
  },
  wave: (r) => wave_view(r, (extra, want) => { const q = request(r.of, extra); return heddle(q.args, q.files, { want }); },
    (args, files) => heddle(args, files)),
};

function fill() {
  const view = by(`view-${tab}`);
  for (const t in TABS) by(`view-${t}`).hidden = t !== tab;
  if (filled[tab]) return;
  filled[tab] = true;
  view.replaceChildren(...runs.map((r) => el('div', {}, runs.length > 1 ? el('h2', {}, MODES[r.of]) : null, fillers[tab](r))));
}

function choose(t, focus = false) {
  tab = t;
  for (const b of by('tabs').children) {
    const on = b.dataset.tab === t;
    b.setAttribute('aria-selected', on);
    b.tabIndex = on ? 0 : -1;
    if (on && focus) b.focus();
  }
  fill();
}

for (const [t, label] of Object.entries(TABS)) {
  by('tabs').append(el('button', { role: 'tab', id: `tab-${t}`, 'data-tab': t, 'aria-controls': `view-${t}`, onclick: () => choose(t) }, label));
  by('views').append(el('div', { class: `view ${t}`, id: `view-${t}`, role: 'tabpanel', 'aria-labelledby': `tab-${t}`, hidden: true }));
}
by('tabs').addEventListener('keydown', (e) => {
  const names = Object.keys(TABS), to = { ArrowRight: 1, ArrowLeft: -1 }[e.key];
  if (to) choose(names[(names.indexOf(tab) + to + names.length) % names.length], true);
});

// ---- examples and links ----

// The chooser of a core says what the launch says.
const show_core = () => { by('core').value = (/--lanes[ =](\d+)/.exec(by('launch').value) || [])[1] || USUAL; };
for (const n of [...CORES].reverse()) by('core').append(el('option', { value: n }, counted(+n, 'lane')));
by('core').hidden = CORES.length < 2;
by('core').onchange = () => {
  const rest = by('launch').value.replace(/\s*--lanes[ =]\S+/, '');
  by('launch').value = by('core').value === USUAL ? rest : `${rest} --lanes ${by('core').value}`;
};
by('launch').addEventListener('input', show_core);

function take(state) {
  edit.set(state.source);
  before = [];
  by('launch').value = state.launch;
  show_core();
  set_mode(state.mode);
  planted = Boolean(state.planted);
  by('altered').hidden = !planted;
  edit.errors([]);
}

for (const [k, x] of examples.entries()) by('example').append(el('option', { value: k }, x.title));
by('example').onchange = () => { take(examples[by('example').value]); history.replaceState(null, '', location.pathname + location.search); run(); };

by('link').onclick = async () => {
  location.hash = await pack({ source: edit.get(), launch: by('launch').value, mode: mode(), ...(planted && { planted }) });
  const done = () => { by('link').textContent = 'Copied'; setTimeout(() => { by('link').textContent = 'Link'; }, 1500); };
  try { await navigator.clipboard.writeText(location.href); done(); } catch { by('link').textContent = 'It is in the address'; }
};

async function from_link() {
  const state = location.hash.length > 1 ? await unpack(location.hash) : null;
  if (!state) return false;
  let option = by('example').querySelector('[value=link]');
  if (!option) by('example').prepend(option = el('option', { value: 'link' }, 'From the link'));
  examples.link = state;
  by('example').value = 'link';
  take(state);
  return true;
}
addEventListener('hashchange', async () => {
  const state = await unpack(location.hash);
  if (state && state.source !== edit.get() && await from_link()) run();
});

by('run').onclick = run;
by('stop').onclick = stop;
by('licence-show').onclick = (e) => { e.preventDefault(); by('licence').hidden = !by('licence').hidden; };
by('launch').addEventListener('keydown', (e) => { if (e.key === 'Enter') { e.preventDefault(); run(); } });
addEventListener('keydown', (e) => {
  if (e.key === 'Enter' && (e.ctrlKey || e.metaKey) && !e.defaultPrevented) run();
  if (e.key === 'Escape' && !by('stop').disabled) stop();
});

(async () => {
  choose('timeline');
  if (!await from_link()) take(examples[0]);
  say([{ kind: 'idle', title: 'Loading', more: 'the core and the model' }], true);
  try {
    await load();
    run();
  } catch (e) {
    say([{ kind: 'bad', title: 'This browser cannot run Heddle', more: String(e && e.message || e) }]);
  }
})();
