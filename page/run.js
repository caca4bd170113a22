// node run.js HEDDLE.js [--planted] WORDS...: a command of heddle as the page has it; files that the words name come from the
// host, what -o, --timeline and --wave name goes there.
// SPDX-License-Identifier: Apache-2.0
'use strict';
const fs = require('fs'), path = require('path');
const [, , module_js, ...words] = process.argv;
const planted = words[0] === '--planted' && words.shift();
const Heddle = require(path.resolve(module_js));
const wasmBinary = fs.readFileSync(path.resolve(module_js.replace(/js$/, 'wasm')));
const say = (stream) => (s) => fs.writeSync(stream, s + '\n');
Heddle({ wasmBinary, print: say(1), printErr: say(2), stdin: () => null }).then((m) => {
  const back = [];
  if (planted) m.FS.writeFile('/planted', '');
  const args = words.map((word, i) => {
    if (i && /^(-o|--output|--timeline|--wave)$/.test(words[i - 1])) {
      const name = '/' + path.basename(word);
      back.push([name, word]);
      return name;
    }
    const file = word.replace(/^.*=@/, '');
    if (word.startsWith('-') || !fs.existsSync(file) || !fs.statSync(file).isFile()) return word;
    const at = path.posix.normalize('/' + file.replace(/^\//, ''));
    m.FS.mkdirTree(path.posix.dirname(at));
    m.FS.writeFile(at, fs.readFileSync(file));
    return word.slice(0, word.length - file.length) + at.replace(/^\//, '');
  });
  let code;
  try { code = m.callMain(args); } catch (e) { code = e.status === undefined ? (console.error(e), 4) : e.status; }
  for (const [from, to] of back)
    try { fs.writeFileSync(to, m.FS.readFile(from)); } catch (e) { console.error(`no ${from}`); }
  process.exitCode = code;
});
