// What a run has to say, in a line.  SPDX-License-Identifier: Apache-2.0
const number = (s) => Number(s).toLocaleString('en');

export function figures(out) {
  const m = /^cycles (\d+), warp instructions (\d+)/m.exec(out), e = /SIMT efficiency ([\d.]+)%/.exec(out),
    d = /divergent branches (\d+) of (\d+)/.exec(out);
  const said = [];
  if (m) said.push(`${number(m[1])} cycles`, `${number(m[2])} warp instructions`);
  if (e) said.push(`SIMT efficiency ${e[1]}%`);
  if (d) said.push(`${d[1]} of ${d[2]} branches divergent`);
  return said.join(' · ');
}

// { kind: good, warn, bad or idle; title; more }.  at(pc): the instruction there, and its line; '': not known.
export function verdict({ code, out, err }, at = () => '') {
  const all = out + err, word = (/^lockstep: ([^;\n]+)/m.exec(out) || [])[1] || '';
  const race = (/^(a race: .*)$/m.exec(all) || [])[1], first = (err.trim() || out.trim()).split('\n')[0];
  const differs = (/^lockstep: (difference at .*)$/m.exec(all) || [])[1];
  const of = (kind, title, more = figures(out)) => ({ kind, title, more });
  if (code === 130) return of('idle', 'Stopped', '');
  if (/too large for this page|no memory|out of memory|do not fit into the device's memory/i.test(err)) return of('bad', 'Too large for this page', first);
  if (/deadlock/.test(word)) return of('warn', 'Deadlock: RTL and model agree that no lane can go on');
  if (/fault/.test(word) && code === 1 && /^equal/.test(word)) return of('warn', 'Fault: RTL and model agree on it');
  if (/^equal/.test(word) && code === 0)
    return race ? of('warn', 'RTL and model agree, but the kernel has a race', race.replace(/^a race: /, '')) : of('good', 'RTL and model agree');
  if (/^equal/.test(word)) return of('warn', `RTL and model agree: ${word.replace(/^equal,? ?/, '') || 'not all is well'}`);
  if (word && code === 1) {
    const where = at(parseInt((/PC 0x([0-9a-f]+)/.exec(differs) || [])[1], 16));
    return of('bad', `RTL and model differ${where && ` at ${where}`}: a bug of the core`, differs || first);
  }
  if (word) return of('warn', word[0].toUpperCase() + word.slice(1));
  if (code === 2) return of('bad', 'Not run', first.replace(/^heddle \w+: /, ''));
  return of('bad', `Ended with status ${code}`, first);
}
