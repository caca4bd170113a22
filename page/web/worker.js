// One command of heddle, in a worker of its own: its files go into memory, what it says and writes comes back.  The page ends the
// worker to stop it.  SPDX-License-Identifier: Apache-2.0
/* global Heddle */
self.onmessage = async ({ data: { module, args, files, input, want } }) => {
  let out = '', err = '', at = 0;
  const answer = { code: 4, files: {} }, typed = new TextEncoder().encode(input || '');
  try {
    const m = await Heddle({
      instantiateWasm(imports, done) {
        WebAssembly.instantiate(module, imports).then((i) => done(i, module));
        return {};
      },
      stdin: () => (at < typed.length ? typed[at++] : null),
      print: (s) => { out += s + '\n'; },
      // without the line of progress that a terminal would clear
      printErr: (s) => { err += s.replace(/\r\x1b\[K[^\r\n]*\r/g, '').replace(/\r(\x1b\[K)?/g, '') + '\n'; },
    });
    for (const name in files) {
      m.FS.mkdirTree(name.slice(0, name.lastIndexOf('/')) || '/');
      m.FS.writeFile(name, files[name]);
    }
    try {
      answer.code = m.callMain(args);
    } catch (e) {
      if (!e || e.status === undefined) throw e;
      answer.code = e.status;
    }
    for (const name of want)
      if (m.FS.analyzePath(name).exists) answer.files[name] = m.FS.readFile(name);
    answer.memory = m.HEAPU8.length;
  } catch (e) {
    err += /memory|grow|allocation/i.test(e) ? 'heddle: too large for this page: no memory is left\n'
      : /stack|recursion/i.test(e) ? 'heddle: too large for this page: no stack is left\n' : `heddle: ${e && e.message || e}\n`;
  }
  self.postMessage({ ...answer, out, err });
};
