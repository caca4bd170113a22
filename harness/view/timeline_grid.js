// The overview of the timeline page: every warp of the grid over time.  SPDX-License-Identifier: Apache-2.0
//
// A row is a warp; where there are more than a screen can scroll through, it is the mean of as many warps each, and a
// click dives into them.  It is drawn once for each range, size and theme: moving the view only moves a frame over it.
'use strict';
const SINGLE = 200, ROWS = 56;               // the most warps that have a row each; rows of what is summed up
// Warps [first, first + size) are shown, `per' of them in a row of so many pixels, over the cycles [from, to) in which they
// run; drawn: of what.
const G = { first: 0, size: D.warps.length, per: 1, height: 9, from: 0, to: 1, drawn: '' };
const gridCount = () => Math.min(G.size, D.warps.length - G.first);

const viridis = [[68, 1, 84], [59, 82, 139], [33, 145, 140], [94, 201, 98], [253, 231, 37]];
function shade(s) {
  const p = Math.min(3.999, Math.max(0, s * 4)), i = Math.floor(p), f = p - i;
  return 'rgb(' + viridis[i].map((v, k) => Math.round(v + (viridis[i + 1][k] - v) * f)) + ')';
}

// Of warps [from, to): commits, and the lanes that they run, in each of `wide' columns.
function gridSums(from, to, wide) {
  const commits = new Float64Array(wide), lanes = new Float64Array(wide), scale = wide / (G.to - G.from);
  for (let i = from; i < to; i++) {
    const { bk, width } = D.warps[i];
    for (let k = 0; 3 * k < bk.length; k++) {
      if (!bk[3 * k]) continue;
      const a = Math.max(0, Math.min(wide - 1, Math.floor((k * width - G.from) * scale)));
      const b = Math.max(a + 1, Math.min(wide, Math.ceil(((k + 1) * width - G.from) * scale)));
      for (let x = a; x < b; x++) { commits[x] += bk[3 * k] / (b - a); lanes[x] += bk[3 * k + 1] / (b - a); }
    }
  }
  return [commits, lanes];
}

function gridSpan() {
  G.from = Infinity;
  G.to = 0;
  for (let i = G.first; i < G.first + gridCount(); i++) {
    G.from = Math.min(G.from, D.warps[i].first);
    G.to = Math.max(G.to, D.warps[i].last + 1);
  }
}

function gridPaint(canvas, rows) {
  const [g, w] = fit(canvas, rows * G.height + 2), wide = Math.max(1, Math.floor(w - LEFT));
  for (let r = 0; r < rows; r++) {
    const from = G.first + r * G.per, [commits, lanes] = gridSums(from, Math.min(from + G.per, G.first + gridCount()), wide);
    const level = x => commits[x] ? Math.round(lanes[x] / commits[x] / LANES * 63) : -1;
    for (let x = 0, end; x < wide; x = end) {
      for (end = x + 1; end < wide && level(end) === level(x); end++);
      if (level(x) < 0) continue;
      g.fillStyle = shade(level(x) / 63);
      g.fillRect(LEFT + x, r * G.height, end - x, G.height - 1);
    }
  }
}

function drawGrid() {
  const c = $('grid'), n = gridCount(), key = [G.first, n, c.clientWidth, devicePixelRatio, V.dark].join();
  if (G.drawn !== key) {
    G.per = n > SINGLE ? Math.ceil(n / ROWS) : 1;
    G.height = n > 60 ? 3 : 9;
    G.drawn = key;
    gridSpan();
    gridPaint(c, Math.ceil(n / G.per));
    const name = i => `block ${D.warps[i].b}, warp ${D.warps[i].w}`, all = n === D.warps.length;
    $('range').textContent = (all ? `Every warp of the grid (${n})` : `${counted(n, 'warp')} of ${D.warps.length}, ${name(G.first)} to ${name(G.first + n - 1)}`)
      + (G.per > 1 ? `, ${G.per} in a row, which a click opens` : '') + ': share of lanes that run';
    $('up').style.display = all ? 'none' : '';
  }
  const [x0, x1] = V.step ? [W().first, W().last + 1] : [V.x0, V.x1], scale = (c.clientWidth - LEFT) / (G.to - G.from), s = $('here').style;
  s.transform = `translate(${LEFT + (x0 - G.from) * scale}px, ${gridY()}px)`;
  s.width = Math.max(2, (Math.min(x1, G.to) - x0) * scale) + 'px';
  s.height = G.height - 1 + 'px';
}
const gridY = () => Math.floor((V.warp - G.first) / G.per) * G.height;

// The range in which warp i lies, as large as the one that is shown.
function gridHolds(i) {
  if (i < G.first || i >= G.first + gridCount()) G.first = Math.floor(i / G.size) * G.size;
}
function gridScroll() {                      // the warp is in sight
  const o = $('overview'), y = gridY();
  if (y < o.scrollTop || y + G.height > o.scrollTop + o.clientHeight) o.scrollTop = y - o.clientHeight / 2;
}
function gridDive(row) {
  const from = G.first + row * G.per;
  if (row < 0 || from >= G.first + gridCount()) return;
  if (G.per > 1) [G.first, G.size] = [from, G.per];
  choose(from);
}
function gridUp() {
  [G.first, G.size] = [0, D.warps.length];
  choose(V.warp);
}
