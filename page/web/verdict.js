// What a run has to say, in a line.  SPDX-License-Identifier: Apache-2.0
const number = (s) => Number(s).toLocaleString('en');

// The numbers of a run that come to its end: { cycles, efficiency }; null: it has none.
export function numbers(out) {
  const m = /^cycles (\d+), warp instructions (\d+)/m.exec(out), e = /SIMT efficiency ([\d.]+)%/.exec(out);
  return m && e ? { cycles: +m[1], efficiency: e[1] } : null;
}

// was: the numbers of the run before; null: there is none to compare with.
export function figures(out, was = null) {
  const m = /^cycles (\d+), warp instructions (\d+)/m.exec(out), e = /SIMT efficiency ([\d.]+)%/.exec(out),
    d = /divergent branches (\d+) of (\d+)/.exec(out);
  const said = [];
  const times = was && m ? was.cycles / +m[1] : 1;
  if (m) said.push(`${number(m[1])} cycles${was ? ` (before ${number(was.cycles)}: x${times.toFixed(2)})` : ''}`, `${number(m[2])} warp instructions`);
  if (e) said.push(`SIMT efficiency ${e[1]}%${was ? ` (before ${was.efficiency}%)` : ''}`);
  if (d) said.push(`${d[1]} of ${d[2]} branches divergent`);
  return said.join(' · ');
}

// Of a difference: which lanes RTL and model treat otherwise, two lines of it; then where it is.
function difference(all) {
  const [, where, what, rest] = /^lockstep: difference at (.*?): (.*)\n([^]*)/m.exec(all) || [];
  if (!where) return '';
  const lanes = rest.split(/^all fields/m)[0].trim().split('\n').filter((s) => /^lanes? /.test(s));
  return [...lanes.slice(0, 2), `${where}: ${what}`].join('\n');
}

// { kind: good, warn, bad or idle; title; more }.  at(pc): the instruction there, and its line; '': not known.  was: the numbers of the
// run before.
export function verdict({ code, out, err }, at = () => '', was = null) {
  const all = out + err, word = (/^lockstep: ([^;\n]+)/m.exec(out) || [])[1] || '';
  const race = (/^(a race: .*)$/m.exec(all) || [])[1], first = (err.trim() || out.trim()).split('\n')[0];
  const differs = (/^lockstep: (difference at .*)$/m.exec(all) || [])[1];
  const of = (kind, title, more = figures(out, was)) => ({ kind, title, more });
  if (code === 130) return of('idle', 'Stopped', '');
  if (/too large for this page|no memory|out of memory|do not fit into the device's memory/i.test(err)) return of('bad', 'Too large for this page', first);
  if (/deadlock/.test(word)) return of('warn', 'Deadlock: RTL and model agree that no lane can go on');
  if (/fault/.test(word) && code === 1 && /^equal/.test(word)) return of('warn', 'Fault: RTL and model agree on it');
  if (/^equal/.test(word) && code === 0)
    return race ? of('warn', 'RTL and model agree, but the kernel has a race', race.replace(/^a race: /, '')) : of('good', 'RTL and model agree');
  if (/^equal/.test(word)) return of('warn', `RTL and model agree: ${word.replace(/^equal,? ?/, '') || 'not all is well'}`);
  if (word && code === 1) {
    const where = at(parseInt((/PC 0x([0-9a-f]+)/.exec(differs) || [])[1], 16));
    return of('bad', `RTL and model differ${where && ` at ${where}`}: a bug of the core`, difference(all) || first);
  }
  if (word) return of('warn', word[0].toUpperCase() + word.slice(1));
  if (code === 2) return of('bad', 'Not run', first.replace(/^heddle \w+: /, ''));
  return of('bad', `Ended with status ${code}`, first);
}
