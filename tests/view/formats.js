// Exports and JSON opened by programs that are not ours, and compared with the profile or the commit log.
// SPDX-License-Identifier: Apache-2.0
// use: NODE_PATH=READERS/node_modules formats.js schema SCHEMA FILE...     .jsonl: each line
//      ... speedscope FILE PROFILE.json [SCREENSHOT]    in speedscope itself
//      ... trace FILE LOG.jsonl [SCREENSHOT]            Chrome's trace events: the rules of the format, and speedscope's importer
//      ... devtools FILE LOG.jsonl                      the same in what Chromium's performance panel reads them with
//      ... processor FILE LOG.jsonl COMMAND             the same in Perfetto's trace processor
//      ... konata PARSER.js FILE PROFILE.json           in Konata's parser
//      ... konata-app FOLDER FILE SCREENSHOT            in Konata itself
'use strict';
const fs = require('fs'), path = require('path'), os = require('os');
const { execFileSync } = require('child_process');
const chromium = require('./chromium.js');
const json = (f) => JSON.parse(fs.readFileSync(f, 'utf8'));
const lines = (f) => fs.readFileSync(f, 'utf8').trim().split('\n').map((l) => JSON.parse(l));
let checks = 0;
function equal(got, want, what) {
  checks++;
  if (got !== want) throw new Error(`${what}: ${got}, but counted ${want}`);
}

function schema(file, names) {
  const Ajv = require('ajv');
  const check = new Ajv({ strict: true, allErrors: false }).compile(json(file));
  for (const name of names)
    for (const x of name.endsWith('.jsonl') ? lines(name) : [json(name)]) {
      checks++;
      if (!check(x)) throw new Error(`${name}: ${JSON.stringify(check.errors)}`);
    }
}

// The rows of speedscope's table of frames: total by name.
async function inSpeedscope(file, shot, fn) {
  const app = path.join(path.dirname(require.resolve('speedscope/package.json')), 'dist/release/index.html');
  const load = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'speedscope-')), 'load.js');
  fs.writeFileSync(load, `speedscope.loadFileFromBase64("k.json", "${fs.readFileSync(file).toString('base64')}")`);
  await chromium(`file://${app}#localProfilePath=${load}`, async (page) => {
    const title = await page.until('/\\(1\\/(\\d+)\\)/.exec(document.body.innerText) && document.body.innerText', 'profile in speedscope');
    if (shot) await page.screenshot(shot);
    await page.key('3');
    const text = await page.until('/Symbol Name\\s+\\S+ \\(/.test(document.body.innerText) && document.body.innerText', 'table in speedscope');
    const total = {};
    for (const [, n, , name] of text.matchAll(/([\d,]+)\s\([\d.<]+%\)\s+([\d,]+)\s\([\d.<]+%\)\s+(\S.*)/g))
      total[name.trim()] = Number(n.replace(/,/g, ''));
    fn(title, total);
  });
  fs.rmSync(path.dirname(load), { recursive: true });
}

async function speedscope(file, profile, shot) {
  const p = json(profile), exported = json(file);
  const format = json(path.join(path.dirname(require.resolve('speedscope/package.json')), 'dist/release/file-format-schema.json'));
  const Ajv = require('ajv'), valid = new Ajv({ strict: false }).compile(format);
  equal(valid(exported) || JSON.stringify(valid.errors), true, 'speedscope\'s schema');
  equal(exported.profiles[0].endValue, p.insns, 'warp instructions');
  equal(exported.profiles[1].endValue, p.lost, 'lost lane-slots');
  if (p.core) equal(exported.profiles[2].endValue, p.cycles, 'cycles');
  await inSpeedscope(file, shot, (title, total) => {
    equal(/warp instructions \(1\/(\d)\)/.exec(title)[1], String(exported.profiles.length), 'profiles that speedscope has');
    const seen = p.instructions.filter((i) => `${i.pc.toString(16).padStart(5, '0')} ${i.text}` in total);
    equal(seen.length > 10, true, `instructions in speedscope's table (${seen.length})`);
    for (const i of seen) equal(total[`${i.pc.toString(16).padStart(5, '0')} ${i.text}`], i.insns, i.text);
  });
}

// What the log has: commits, divergences, lanes that run.
function counted(log) {
  const w = new Map(), n = { commits: 0, diverge: 0, release: 0 };
  for (const c of lines(log)) {
    const on = [...Array(32).keys()].filter((l) => ((c.active || 0) & (c.live || 0)) >>> l & 1);
    n.commits++;
    n.release += c.released ? 1 : 0;
    n.diverge += !c.fault && new Set(on.map((l) => (c.npc || [])[l] || 0)).size > 1 ? 1 : 0;
    w.set(`block ${c.block}, warp ${c.warp}`, (w.get(`block ${c.block}, warp ${c.warp}`) || 0) + 1);
  }
  return { ...n, warps: w };
}

async function trace(file, log, shot) {
  const { traceEvents } = json(file), n = counted(log), names = new Map(), slices = new Map(), open = new Map();
  const marks = { diverge: 0, release: 0 };
  for (const e of traceEvents) {
    if (!['M', 'X', 'i', 'C'].includes(e.ph) || typeof e.name !== 'string' || !Number.isInteger(e.pid))
      throw new Error(`no trace event: ${JSON.stringify(e)}`);
    if (e.ph === 'M' && e.name === 'process_name') names.set(e.pid, e.args.name);
    if (e.ph !== 'M' && !(e.ts >= 0)) throw new Error(`no time: ${JSON.stringify(e)}`);
    if (e.ph === 'i' && e.name in marks) marks[e.name]++;
    if (e.ph !== 'X') continue;
    if (!(e.dur >= 0) || !Number.isInteger(e.tid)) throw new Error(`no slice: ${JSON.stringify(e)}`);
    const track = `${e.pid}.${e.tid}`;                  // on one track they follow each other
    if (open.has(track) && e.ts < open.get(track)) throw new Error(`slices overlap: ${JSON.stringify(e)}`);
    open.set(track, e.ts + e.dur);
    if (e.cat === 'instruction') slices.set(e.pid, (slices.get(e.pid) || 0) + 1);
  }
  equal(names.size, n.warps.size, 'warps');
  for (const [pid, k] of slices) equal(k, n.warps.get(names.get(pid)), names.get(pid));
  for (const k of Object.keys(marks)) equal(marks[k], n[k], k);
  await inSpeedscope(file, shot, (title) => {
    equal(Number(/\(1\/(\d+)\)/.exec(title)[1]), open.size, 'tracks that speedscope has');
  });
}

// The performance panel's reader: processes, tracks and slices, of a trace that is not a browser's.
async function devtools(file, log) {
  const { pathToFileURL } = require('url');
  global.DOMRect = class {};                            // a browser has it; our trace holds no page
  const { Processor } = await import(pathToFileURL(require.resolve('@paulirish/trace_engine')));
  const engine = Processor.TraceProcessor.createWithAllHandlers(), n = counted(log);
  await engine.parse(json(file).traceEvents, { isFreshRecording: false });
  const { Meta, Renderer } = engine.data, of = lines(log), last = Math.max(...of.map((c) => c.cycle));
  equal(Meta.traceIsGeneric, true, 'not a browser\'s trace');
  equal(Renderer.processes.size, n.warps.size, 'processes');
  for (const [pid, process] of Renderer.processes) {
    const name = Meta.processNames.get(pid).args.name, tracks = new Map([...process.threads.values()].map((t) => [t.name, t]));
    const instructions = tracks.get('instructions'), mine = of.filter((c) => `block ${c.block}, warp ${c.warp}` === name);
    equal(instructions.entries.map((e) => e.name.replace(/^.*: /, '')).join('\n'), mine.map((c) => c.text).join('\n'), `instructions of ${name}`);
    for (let l = 0; l < 32; l++) {
      const lane = tracks.get(`lane ${String(l).padStart(2, '0')}`);
      equal(lane ? lane.tree.maxDepth : 0, 1, `slices within slices of ${name}, lane ${l}`);
      if (lane.entries.some((e) => !(e.dur > 0) || e.ts + e.dur > last + 1)) throw new Error(`${name}, lane ${l}: a slice has no length, or ends after the last commit`);
    }
  }
}

function processor(file, log, command) {
  const n = counted(log), q = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'tp-')), 'q.sql');
  fs.writeFileSync(q, 'select count(*) as n from slice where category = "instruction";');
  const said = execFileSync(command, ['-q', q, file], { encoding: 'utf8' });
  equal(Number(said.trim().split('\n').pop()), n.commits, 'slices of the trace processor');
}

async function konata(parser, file, profile) {
  const { OnikiriParser, FileLineReader, ArrayOpStore } = require(path.resolve(parser));
  const p = json(profile), store = new ArrayOpStore(), sum = {}, warned = [];
  console.warn = (...w) => warned.push(w.join(' '));
  const trace = await new OnikiriParser(store).parse(new FileLineReader(new File([fs.readFileSync(file)], 'k.log')));
  const stage = { Is: 'issue', Po: 'port', Un: 'unit', Sb: 'scoreboard', Me: 'memory', Fi: 'fill', Cv: 'converge', Fe: 'fetch', Ba: 'barrier' };
  let ops = 0, labels = 0;
  for (let i = 0; i <= store.lastID; i++) {
    const op = store.getOp(i);
    if (!op || !op.retired) throw new Error(`instruction ${i} does not retire`);
    ops++;
    labels += /^\d+\.\d+ [0-9a-f]{5}: \S/.test(op.labelName) ? 1 : 0;
    for (const s of op.lanes[0].stages) {
      sum[s.name] = (sum[s.name] || 0) + s.endCycle - s.startCycle;
    }
  }
  equal(warned.length + trace.warningCount, 0, `warnings of Konata: ${warned[0]}`);
  equal(ops, p.insns, 'instructions');
  equal(labels, p.insns, 'labels');
  for (const s of Object.keys(stage)) equal(sum[s] || 0, p.cycles_by[stage[s]] || 0, `cycles in ${s}`);
}

async function konataApp(folder, file, shot) {
  await chromium(`file://${path.resolve(folder)}/index.html`, async (page) => {
    await page.until('document.querySelector("input[type=file]") && true', 'Konata');
    await page.file('input[type=file]', path.resolve(file));
    await page.until('/k\\.konata/.test(document.body.innerText)', 'tab of the log in Konata');
    await page.evaluate('for (const b of document.querySelectorAll("button")) if (/adjust/i.test(b.title + b.ariaLabel)) b.click()');
    await new Promise((yes) => setTimeout(yes, 1500));
    await page.screenshot(shot);
    checks++;
  });
}

const how = { schema: (s, ...f) => schema(s, f), speedscope, trace, devtools, processor, konata, 'konata-app': konataApp };
const [what, ...args] = process.argv.slice(2);
(async () => {
  try {
    await how[what](...args);
    if (!checks) throw new Error('nothing was checked');
    console.log(`formats: ${what}: ${checks} checks passed`);
  } catch (e) {
    console.log(`formats: ${what}: ${e.message}`);
    process.exit(1);
  }
})();
