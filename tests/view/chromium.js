// Chromium without a window, driven through its debugging pipe.
// SPDX-License-Identifier: Apache-2.0
'use strict';
const { spawn } = require('child_process');
const fs = require('fs'), os = require('os'), path = require('path');

// What fn(page) gives.  page: evaluate(expression), until(expression, what), file(selector, path), key(name), emulate(window),
// screenshot(path).
// gl: how it draws what needs WebGL; without, a page is drawn as quickly as without a graphics card.  seconds: for each step; no busy
// machine needs as many, and nothing hangs.
module.exports = async function chromium(url, fn, gl = ['--use-angle=swiftshader', '--enable-unsafe-swiftshader'], seconds = 120) {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'chromium-'));
  const browser = spawn('chromium', ['--headless=new', '--no-sandbox', ...gl,
    '--remote-debugging-pipe', '--allow-file-access-from-files', `--user-data-dir=${dir}`, '--window-size=1400,800', 'about:blank'],
  { stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'] });
  let complaint = '';
  browser.stderr.on('data', (d) => { complaint = (complaint + d).slice(-2000); });
  browser.stdio[3].on('error', () => {});
  browser.on('error', (e) => { complaint += e.message; });
  const waiting = new Map();
  let id = 0, text = '';
  browser.stdio[4].on('data', (d) => {
    text += d;
    for (let end; (end = text.indexOf('\0')) >= 0; text = text.slice(end + 1)) {
      const m = JSON.parse(text.slice(0, end));
      if (waiting.has(m.id)) waiting.get(m.id)(m);
      waiting.delete(m.id);
    }
  });
  const gone = new Promise((_, no) => browser.on('close', (code, signal) => no(new Error(`chromium has ended (${signal || code}): ${complaint.trim()}`))));
  gone.catch(() => {});
  const send = async (method, params = {}, sessionId = undefined) => {
    const answer = new Promise((yes) => waiting.set(++id, yes));
    browser.stdio[3].write(JSON.stringify({ id, method, params, sessionId }) + '\0');
    let clock;
    const late = new Promise((_, no) => { clock = setTimeout(() => no(new Error(`chromium does not answer ${method} within ${seconds} s: ${complaint.trim()}`)), 1000 * seconds); });
    const m = await Promise.race([answer, gone, late]).finally(() => clearTimeout(clock));
    if (m.error) throw new Error(`${method}: ${m.error.message}`);
    return m.result;
  };
  try {
    const { targetId } = await send('Target.createTarget', { url });
    const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true });
    const page = {
      async evaluate(expression) {
        const r = await send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true }, sessionId);
        if (r.exceptionDetails) throw new Error(JSON.stringify(r.exceptionDetails.exception));
        return r.result.value;
      },
      async until(expression, what) {
        for (const end = Date.now() + 1000 * seconds; Date.now() < end;) {
          const v = await page.evaluate(expression).catch(() => null);
          if (v) return v;
          await new Promise((yes) => setTimeout(yes, 200));
        }
        throw new Error(`no ${what}: ` + await page.evaluate('document.body.innerText.slice(0, 300)'));
      },
      async file(selector, name) {
        const { root } = await send('DOM.getDocument', {}, sessionId);
        const { nodeId } = await send('DOM.querySelector', { nodeId: root.nodeId, selector }, sessionId);
        await send('DOM.setFileInputFiles', { nodeId, files: [name] }, sessionId);
      },
      async key(key) {
        for (const type of ['keyDown', 'keyUp'])
          await send('Input.dispatchKeyEvent', { type, key, text: type === 'keyDown' ? key : undefined }, sessionId);
      },
      // As a window of that size shows it, light or dark.
      async emulate({ width, height, dark = false }) {
        await send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: width < 600 }, sessionId);
        await send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' }] }, sessionId);
      },
      async screenshot(name) {
        const { data } = await send('Page.captureScreenshot', {}, sessionId);
        fs.writeFileSync(name, Buffer.from(data, 'base64'));
      },
    };
    return await fn(page);
  } finally {
    browser.kill('SIGKILL');
    await gone.catch(() => {});
    fs.rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
  }
};
