// Firefox without a window, driven through its Marionette port.
// SPDX-License-Identifier: Apache-2.0
'use strict';
const { spawn } = require('child_process');
const fs = require('fs'), net = require('net'), os = require('os'), path = require('path');
const SECONDS = 120;        // for each step, as in chromium.js

const sleep = (ms) => new Promise((yes) => setTimeout(yes, ms));
const within = (promise, what) => {
  let clock;
  const late = new Promise((_, no) => { clock = setTimeout(() => no(new Error(`firefox: no ${what} within ${SECONDS} s`)), 1000 * SECONDS); });
  return Promise.race([promise, late]).finally(() => clearTimeout(clock));
};

// Messages `LENGTH:[0, id, command, parameters]', and back `LENGTH:[1, id, error, result]'.
function connection(socket) {
  const waiting = new Map();
  let bytes = Buffer.alloc(0), id = 0;
  socket.on('data', (d) => {
    bytes = Buffer.concat([bytes, d]);
    for (let colon; (colon = bytes.indexOf(':')) > 0;) {
      const end = colon + 1 + Number(bytes.subarray(0, colon).toString());
      if (bytes.length < end) return;
      const m = JSON.parse(bytes.subarray(colon + 1, end).toString());
      bytes = bytes.subarray(end);
      if (m[0] === 1 && waiting.has(m[1])) waiting.get(m[1])(m);
    }
  });
  return async (command, parameters = {}) => {
    const text = JSON.stringify([0, ++id, command, parameters]), mine = id;
    socket.write(`${Buffer.byteLength(text)}:${text}`);
    const [, , error, result] = await within(new Promise((yes) => waiting.set(mine, yes)), `answer to ${command}`);
    if (error) throw new Error(`${command}: ${error.message}`);
    return result;
  };
}

// Firefox writes it into its profile; `over' ends the wait.
async function port(dir, over) {
  for (const end = Date.now() + 1000 * SECONDS; !over() && Date.now() < end; await sleep(200))
    try {
      const n = Number(fs.readFileSync(path.join(dir, 'MarionetteActivePort'), 'utf8'));
      if (n) return n;
    } catch { /* not yet */ }
  return 0;
}

// What fn(page) gives.  page: evaluate(expression), until(expression, what), screenshot(path).  An error before fn is called has
// `unstarted': this machine has no Firefox that runs.
module.exports = async function firefox(url, fn) {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'firefox-'));
  fs.writeFileSync(path.join(dir, 'user.js'), 'user_pref("marionette.port", 0);\nuser_pref("datareporting.policy.dataSubmissionEnabled", false);\n' +
    'user_pref("app.update.enabled", false);\nuser_pref("browser.shell.checkDefaultBrowser", false);\nuser_pref("network.captive-portal-service.enabled", false);\n');
  const browser = spawn('firefox-esr', ['--headless', '--marionette', '--no-remote', '--profile', dir], { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, HOME: dir } });
  let complaint = '';
  browser.stderr.on('data', (d) => { complaint = (complaint + d).slice(-2000); });
  const gone = new Promise((_, no) => { browser.on('error', no); browser.on('close', (code, signal) => no(new Error(`firefox has ended (${signal || code}): ${complaint.trim()}`))); });
  let started = false, over = false;
  gone.catch(() => { over = true; });
  try {
    const socket = net.connect(await Promise.race([gone, within(port(dir, () => over), 'port')]), '127.0.0.1');
    const said = connection(socket), send = (...words) => Promise.race([said(...words), gone]);
    socket.on('error', () => {});
    await send('WebDriver:NewSession', { capabilities: { alwaysMatch: {} } });
    started = true;
    await send('WebDriver:SetTimeouts', { script: 1000 * SECONDS, pageLoad: 1000 * SECONDS });
    await send('WebDriver:SetWindowRect', { width: 1400, height: 900 });
    await send('WebDriver:Navigate', { url });
    const page = {
      evaluate: async (expression) => (await send('WebDriver:ExecuteScript', { script: 'return window.eval(arguments[0]);', args: [expression], sandbox: null })).value,
      async until(expression, what) {
        for (const end = Date.now() + 1000 * SECONDS; Date.now() < end; await sleep(200)) {
          const v = await page.evaluate(expression).catch(() => null);
          if (v) return v;
        }
        throw new Error(`no ${what}: ` + await page.evaluate('document.body.innerText.slice(0, 300)'));
      },
      async screenshot(name) {
        fs.writeFileSync(name, Buffer.from((await send('WebDriver:TakeScreenshot', { full: false })).value, 'base64'));
      },
    };
    return await fn(page);
  } catch (e) {
    throw Object.assign(e, { unstarted: !started });
  } finally {
    browser.kill('SIGKILL');
    await gone.catch(() => {});
    fs.rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
  }
};
