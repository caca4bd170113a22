// What the editor holds, as heddle reads it.  SPDX-License-Identifier: Apache-2.0
export const is_ptx = (text) => /^\s*\.(version|target|visible|entry|func)\b/m.test(text);

// Words as a shell would split them, without expansions.
export const words = (s) => (s.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) || []).map((w) => w.replace(/'([^']*)'|"([^"]*)"/g, '$1$2'));

// PTX without .loc gets one for each instruction, so that the views speak of its lines.  `line[n]` is the editor's line of line n
// of what is compiled, both from 1.
export function located(text, name) {
  const line = [0], out = [];
  if (!is_ptx(text) || /^\s*\.loc\b/m.test(text)) {
    text.split('\n').forEach((_, i) => line.push(i + 1));
    return { text, line };
  }
  let depth = 0, file = false, open = false;
  text.split('\n').forEach((s, i) => {
    const code = s.replace(/\/\/.*/, '').replace(/^\s*[\w$]+:\s*(?!:)/, '');
    if (depth && !open && /^\s*(@!?%?[\w$]+\s+)?[a-z][\w.:]*\s*[^:]*;/.test(code)) {
      if (!file) {
        out.push(`.file 1 "${name}"`);
        line.push(i + 1);
        file = true;
      }
      out.push(`.loc 1 ${i + 1} 0`);
      line.push(i + 1);
    }
    out.push(s);
    line.push(i + 1);
    depth += (code.match(/{/g) || []).length - (code.match(/}/g) || []).length;
    open = /[^;{}\s]\s*$/.test(code) && !/^\s*$/.test(code);
  });
  return { text: out.join('\n'), line };
}

// Errors `FILE:LINE:COLUMN: what' that name the editor's file: { line, column, text }, from 1.
export function errors(said, name, line) {
  const found = [];
  for (const m of said.matchAll(/^(\S+?):(\d+):(?:(\d+):)? (.*)$/gm))
    if (m[1].endsWith(name)) found.push({ line: line[+m[2]] || +m[2], column: +(m[3] || 1), text: m[4] });
  return found;
}

// Those errors in heddle's words, with the editor's lines.
export const with_lines = (said, name, line) =>
  said.replace(/^(\S+?):(\d+)(?=:)/gm, (all, file, n) => (file.endsWith(name) ? `${name.replace(/.*\//, '')}:${line[+n] || n}` : all));
