// Commands of heddle, one worker each.  SPDX-License-Identifier: Apache-2.0
const text = (id) => document.getElementById(id).textContent;

export const bytes_of = (base64) => Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));

// What a stream of compression makes of bytes.
export async function through(bytes, stream) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

let core = null;
const running = new Set();

// The program, unpacked and compiled once.
export function load() {
  core ||= (async () => {
    const wasm = await through(bytes_of(text('core-wasm').trim()), new DecompressionStream('gzip'));
    const code = new Blob([text('core-js'), '\n', text('core-worker')], { type: 'text/javascript' });
    return { module: await WebAssembly.compile(wasm), url: URL.createObjectURL(code) };
  })();
  return core;
}

// { code, out, err, files }; code 130: it was stopped.
export async function heddle(args, files, { input = '', want = [] } = {}) {
  const { module, url } = await load();
  return new Promise((yes) => {
    const worker = new Worker(url);
    const end = (answer) => {
      worker.terminate();
      running.delete(end);
      yes(answer);
    };
    running.add(end);
    worker.onmessage = (e) => end(e.data);
    worker.onerror = (e) => end({ code: 4, out: '', err: `heddle: ${e.message}\n`, files: {} });
    worker.postMessage({ module, args, files, input, want });
  });
}

export function stop() {
  for (const end of [...running]) end({ code: 130, out: '', err: 'stopped\n', files: {} });
}
