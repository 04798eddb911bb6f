'use strict';

const data = JSON.parse(document.getElementById('data').textContent);
const byId = (id) => document.getElementById(id);
const dark = matchMedia('(prefers-color-scheme: dark)');
const n_items = data.names.length;

/* What is shown: the plan, the one it is compared with (-1: none), a step of the plan (-1: all of
 * it), and the selected items. */
const state = { plan: data.shown, other: data.plans.length > 1 ? 0 : -1, step: -1, selected: new Set(), device: -1, cursor: -1 };

/* --- words ------------------------------------------------------------------------------------ */

function formatNumber (value, digits) {
  return Number(value.toPrecision(digits)).toLocaleString('en', { maximumFractionDigits: 3, useGrouping: false });
}

function formatTime (us) {
  if (us === null || !isFinite(us)) return 'does not run';
  if (us >= 1e6) return formatNumber(us / 1e6, 4) + ' s';
  if (us >= 1e3) return formatNumber(us / 1e3, 4) + ' ms';
  return formatNumber(us, 4) + ' µs';
}

function formatBytes (bytes) {
  if (bytes === null || !isFinite(bytes)) return 'unlimited';
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let unit = 0;
  while (bytes >= 1000 && unit < units.length - 1) {
    bytes /= 1000;
    unit++;
  }
  return formatNumber(bytes, 3) + ' ' + units[unit];
}

function formatChange (after, before) {
  if (after === null || before === null || before === 0) return '';
  const percent = (after / before - 1) * 100;
  if (Math.abs(percent) < 0.05) return 'as long';
  return (percent > 0 ? '+' : '−') + Math.abs(percent).toFixed(1) + ' %';
}

function nodes (n) {
  return n === 1 ? '1 node' : n + ' nodes';
}

function add (parent, tag, text, className) {
  const child = document.createElement(tag);
  if (text !== undefined) child.textContent = text;
  if (className) child.className = className;
  parent.append(child);
  return child;
}

const isDark = () => dark.matches && document.documentElement.dataset.print === undefined;
const palette = () => (isDark() ? data.dark : data.light);

function colourOf (device) {
  return device >= 0 ? palette().devices[device] : css('--rule');
}

/* Hatches of devices: colour is never the only sign. As eight rows of eight bits. */
const MIN_HATCH = 4;
const patterns = new Map();

function patternOf (cr, device) {
  const key = (isDark() ? 'dark ' : 'light ') + device;
  const rows = data.cues[device];
  if (!patterns.has(key) && rows.some((bits) => bits !== 0)) {
    const tile = document.createElement('canvas');
    const tile_cr = tile.getContext('2d');
    tile.width = tile.height = 8;
    tile_cr.fillStyle = palette().hatches[device];
    rows.forEach((bits, y) => {
      for (let x = 0; x < 8; x++) if (bits >> (7 - x) & 1) tile_cr.fillRect(x, y, 1, 1);
    });
    patterns.set(key, cr.createPattern(tile, 'repeat'));
  }
  return patterns.get(key);
}

/* The colour of a device, and its hatch in the first @hatched pixels: labels are not drawn on it. */
function fillDevice (cr, device, x, y, width, height, hatched) {
  cr.fillStyle = colourOf(device);
  cr.fillRect(x, y, width, height);
  const pattern = device >= 0 && Math.min(hatched, height) >= MIN_HATCH ? patternOf(cr, device) : null;
  if (!pattern) return;
  cr.fillStyle = pattern;
  cr.fillRect(x, y, Math.min(hatched, width), height);
}

function addSwatch (parent, device) {
  const swatch = add(parent, 'canvas', undefined, 'swatch');
  const ratio = devicePixelRatio || 1;
  const cr = swatch.getContext('2d');
  swatch.width = swatch.height = 16 * ratio;
  swatch.setAttribute('aria-hidden', 'true');
  cr.scale(ratio, ratio);
  fillDevice(cr, device, 0, 0, 16, 16, 16);
}

const cssCache = new Map();
function css (name) {
  if (!cssCache.has(name))
    cssCache.set(name, getComputedStyle(document.documentElement).getPropertyValue(name).trim());
  return cssCache.get(name);
}

/* --- the data, unpacked ----------------------------------------------------------------------- */

const BOX = 6;
const item = (i) => ({
  x0: data.boxes[i * BOX], y0: data.boxes[i * BOX + 1], x1: data.boxes[i * BOX + 2], y1: data.boxes[i * BOX + 3],
  n: data.boxes[i * BOX + 4], group: data.boxes[i * BOX + 5],
});
const items = Array.from({ length: n_items }, (_, i) => item(i));
const edges = [];
for (let e = 0, tail = 0; e < data.edges.length; e += 3) {
  tail += data.edges[e];
  edges.push([tail, tail + data.edges[e + 1], data.edges[e + 2]]);
}

function unpackLane (flat) {
  const slices = [];
  let at = 0;
  for (let i = 0; i < flat.length; i += 5) {
    const start = at + flat[i];
    at = start + flat[i + 1];
    slices.push({ start: start * data.tick, end: at * data.tick, item: flat[i + 2], n: flat[i + 3], mark: flat[i + 4] });
  }
  return slices;
}

/* Calls the devices of a plan as in the first one; they are exchangeable, so only names change. */
function renameDevices (plan) {
  const moved = (list) => {
    const renamed = [];
    list.forEach((each, d) => { renamed[plan.to[d]] = each; });
    return renamed;
  };
  const renameSecond = (list) => list.map((value, i) => (i % 2 === 1 && value >= 0 ? plan.to[value] : value));
  const names = plan.devices.map((device) => device.name);
  plan.devices = moved(plan.devices);
  plan.devices.forEach((device, d) => { device.name = names[d]; });
  plan.place = plan.place.map((device) => plan.to[device]);
  for (const [i, shares] of plan.mixed)
    plan.mixed.set(i, shares.map(([device, n]) => [plan.to[device], n]).sort((a, b) => a[0] - b[0]));
  plan.lanes = moved(plan.lanes);
  plan.sends = moved(plan.sends);
  for (const slice of plan.sends.flat()) slice.mark = plan.to[slice.mark];
  for (const step of plan.steps) step.changes = renameSecond(step.changes);
}

for (const plan of data.plans) {
  plan.lanes = plan.lanes.map(unpackLane);
  plan.sends = plan.sends.map(unpackLane);
  const mixed = new Map();
  for (let i = 0; i < plan.mixed.length;) {
    const shares = [];
    const end = i + 2 + 2 * plan.mixed[i + 1];
    for (let k = i + 2; k < end; k += 2) shares.push([plan.mixed[k], plan.mixed[k + 1]]);
    mixed.set(plan.mixed[i], shares);
    i = end;
  }
  plan.mixed = mixed;
  if (plan.to.length > 0) renameDevices(plan);
}

/* Devices of the items after a step; before the first nothing is decided. */
function placesAt (plan, step) {
  if (step < 0) return plan.place;
  const places = new Array(n_items).fill(-1);
  for (let s = 0; s <= step; s++) {
    const changes = plan.steps[s].changes;
    for (let i = 0; i < changes.length; i += 2) places[changes[i]] = changes[i + 1];
  }
  return places;
}

function sharesOf (plan, i) {
  return plan.mixed.get(i) || [[plan.place[i], items[i].n]];
}

const isMoved = (i) => state.other >= 0 && state.other !== state.plan && state.step < 0
  && JSON.stringify(sharesOf(data.plans[state.plan], i)) !== JSON.stringify(sharesOf(data.plans[state.other], i));

function nameOf (i) {
  const group = items[i].group > 0 ? data.groups[items[i].group - 1][6] : '';
  return group ? group + '/' + data.names[i] : data.names[i];
}

const lastPart = (name) => name.slice(name.lastIndexOf('/') + 1);
const MAX_WORDS = 400;
const cut = (text) => (text.length > MAX_WORDS ? '…' + text.slice(-MAX_WORDS) : text);

function deviceWords (plan, i) {
  const name = (d) => plan.devices[d].name;
  return sharesOf(plan, i).map(([d, n]) => (items[i].n > 1 ? nodes(n) + ' on ' : '') + name(d)).join(', ');
}

function describe (i) {
  const plan = data.plans[state.plan];
  const lines = [cut(nameOf(i)), items[i].n > 1 ? 'a group of ' + nodes(items[i].n) : cut(data.ops[i])];
  lines.push(plan.name + ': ' + deviceWords(plan, i));
  if (state.other >= 0 && state.other !== state.plan)
    lines.push(data.plans[state.other].name + ': ' + deviceWords(data.plans[state.other], i));
  return lines;
}

function paintCanvas (canvas, width, height, paint) {
  const ratio = devicePixelRatio || 1;
  const cr = canvas.getContext('2d');
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  cr.scale(ratio, ratio);
  cr.fillStyle = css('--canvas');
  cr.fillRect(0, 0, width, height);
  paint(cr, width, height);
}

/* --- a canvas that zooms ---------------------------------------------------------------------- */

class Picture {
  constructor (canvas, paint, pick, axes) {
    Object.assign(this, { canvas, paint, pick, axes, zoom: 1, x: 0, y: 0, wait: false, fingers: new Map() });
    canvas.addEventListener('wheel', (event) => this.wheel(event), { passive: false });
    canvas.addEventListener('pointerdown', (event) => this.press(event));
    canvas.addEventListener('pointermove', (event) => this.move(event));
    canvas.addEventListener('pointerup', (event) => this.release(event));
    canvas.addEventListener('pointercancel', (event) => this.giveBack(event));
    for (const kind of ['touchstart', 'touchmove'])
      canvas.addEventListener(kind, (event) => { if (event.touches.length > 1) event.preventDefault(); }, { passive: false });
    canvas.addEventListener('pointerleave', () => { byId('tip').hidden = true; });
    canvas.addEventListener('dblclick', () => this.fit());
    canvas.addEventListener('keydown', (event) => this.key(event));
    new ResizeObserver(() => this.draw()).observe(canvas);
  }

  draw () {
    if (this.wait) return;
    this.wait = true;
    requestAnimationFrame(() => {
      this.wait = false;
      /* What is whole needs no dragging: the page scrolls. */
      this.canvas.classList.toggle('zoomed', this.axes === 2 && this.zoom > 1);
      paintCanvas(this.canvas, this.canvas.clientWidth, this.canvas.clientHeight, this.paint);
    });
  }

  fit () {
    Object.assign(this, { zoom: 1, x: 0, y: 0 });
    this.draw();
  }

  /* Keeps the point under (x, y) in place. */
  scale (factor, x, y) {
    const zoom = Math.min(Math.max(this.zoom * factor, 0.5), 2000);
    this.x = x - (x - this.x) * zoom / this.zoom;
    if (this.axes === 2) this.y = y - (y - this.y) * zoom / this.zoom;
    this.zoom = zoom;
    this.draw();
  }

  wheel (event) {
    if (this.axes === 1 && !event.ctrlKey && Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      this.x -= event.deltaX;
      this.draw();
    } else
      this.scale(Math.exp(-Math.sign(event.deltaY) * Math.min(Math.abs(event.deltaY), 100) / 400), event.offsetX, event.offsetY);
    event.preventDefault();
  }

  press (event) {
    const slop = event.pointerType === 'touch' ? 9 : 3;
    this.fingers.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
    this.start = { x: event.clientX, y: event.clientY, ox: this.x, oy: this.y, slop, moved: this.fingers.size > 1 };
    this.canvas.setPointerCapture(event.pointerId);
  }

  /* Two fingers: what is between them stays between them. */
  pinch (event) {
    const [a, b] = this.fingers.values();
    const before = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, apart: Math.hypot(a.x - b.x, a.y - b.y) };
    Object.assign(this.fingers.get(event.pointerId), { x: event.offsetX, y: event.offsetY });
    const x = (a.x + b.x) / 2;
    const y = (a.y + b.y) / 2;
    this.x += x - before.x;
    if (this.axes === 2) this.y += y - before.y;
    this.scale(Math.max(Math.hypot(a.x - b.x, a.y - b.y), 1) / Math.max(before.apart, 1), x, y);
  }

  lose (event) {
    this.fingers.delete(event.pointerId);
    this.start = null;
  }

  /* The browser has taken the finger to scroll the page: it has moved nothing here. */
  giveBack (event) {
    if (this.start && this.fingers.size === 1) Object.assign(this, { x: this.start.ox, y: this.start.oy });
    this.lose(event);
    this.draw();
  }

  move (event) {
    if (this.fingers.size === 2 && this.fingers.has(event.pointerId)) {
      this.pinch(event);
      return;
    }
    if (!this.start) {
      if (event.pointerType === 'touch') return;
      showTip(this.pick(event.offsetX, event.offsetY), event);
      return;
    }
    const dx = event.clientX - this.start.x;
    const dy = event.clientY - this.start.y;
    if (Math.hypot(dx, dy) > this.start.slop) this.start.moved = true;
    if (!this.start.moved) return;
    this.x = this.start.ox + dx;
    if (this.axes === 2) this.y = this.start.oy + dy;
    this.draw();
  }

  release (event) {
    if (this.start && !this.start.moved) {
      const found = this.pick(event.offsetX, event.offsetY);
      select(found ? found.members || [found.item] : [], event.shiftKey || event.ctrlKey);
    }
    this.lose(event);
  }

  key (event) {
    const middle = [this.canvas.clientWidth / 2, this.canvas.clientHeight / 2];
    const moves = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] };
    if (event.key === '+' || event.key === '=') this.scale(1.3, ...middle);
    else if (event.key === '-') this.scale(1 / 1.3, ...middle);
    else if (event.key === '0') this.fit();
    else if (moves[event.key]) {
      this.x += moves[event.key][0];
      if (this.axes === 2) this.y += moves[event.key][1];
      this.draw();
    } else
      return;
    event.preventDefault();
  }
}

function showTip (found, event) {
  const tip = byId('tip');
  tip.hidden = !found;
  if (!found) return;
  tip.textContent = (found.words || describe(found.item)).concat(found.lines || []).join('\n');
  tip.style.left = Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8) + 'px';
  tip.style.top = Math.min(event.clientY + 14, innerHeight - tip.offsetHeight - 8) + 'px';
}

/* --- the graph -------------------------------------------------------------------------------- */

/* Items are drawn, or in their place the outermost open groups that are too small to read: those
 * have negative numbers. */
const MIN_GROUP = 64;
const MIN_GROUP_FAR = 190; /* where nodes are specks */
const FAR = 0.1;
const groupOf = (i) => items[i].group;

function listShown (camera) {
  const least = camera.scale < FAR ? MIN_GROUP_FAR : MIN_GROUP;
  const isClosed = data.groups.map(([x0, , x1]) => (x1 - x0) * camera.scale < least);
  const outermost = data.groups.map(() => 0);
  const shown = new Array(n_items);
  data.groups.forEach((group, g) => {
    const parent = group[4];
    outermost[g] = parent > 0 && outermost[parent - 1] !== 0 ? outermost[parent - 1] : isClosed[g] ? -(g + 1) : 0;
  });
  for (let i = 0; i < n_items; i++) shown[i] = groupOf(i) > 0 && outermost[groupOf(i) - 1] || i;
  shown.isClosed = (g) => outermost[g] !== 0;
  return shown;
}

function boxOf (shown) {
  if (shown >= 0) return items[shown];
  const [x0, y0, x1, y1] = data.groups[-shown - 1];
  return { x0, y0, x1, y1 };
}

const isFaded = (i, device) => (state.selected.size > 0 && !state.selected.has(i))
  || (state.device >= 0 && device !== state.device);

function graphCamera (width, height) {
  const [x0, y0, x1, y1] = data.bounds;
  const fit = Math.min(width / (x1 - x0 + 40), height / (y1 - y0 + 40), 2);
  const scale = fit * graph.zoom;
  return {
    scale,
    x: (width - (x1 - x0) * fit) / 2 * graph.zoom - x0 * scale + graph.x,
    y: (height - (y1 - y0) * fit) / 2 * graph.zoom - y0 * scale + graph.y,
  };
}

function paintGroups (cr, camera, shown) {
  cr.strokeStyle = css('--rule');
  cr.lineWidth = 1;
  for (let g = 0; g < data.groups.length; g++) {
    const [x0, y0, x1, y1, parent, , path] = data.groups[g];
    if (shown.isClosed(g)) continue;
    const x = x0 * camera.scale + camera.x;
    const y = y0 * camera.scale + camera.y;
    const width = (x1 - x0) * camera.scale;
    cr.fillStyle = css('--panel');
    cr.globalAlpha = 0.5;
    cr.fillRect(x, y, width, (y1 - y0) * camera.scale);
    cr.globalAlpha = 1;
    cr.strokeRect(x, y, width, (y1 - y0) * camera.scale);
    if (camera.scale * 34 < 12 && (parent > 0 || width < 50)) continue;
    label(cr, lastPart(path), x + 6, y + Math.max(camera.scale * 20, 12), width - 12, css('--muted'), 12);
  }
}

/* Text that fits into a width, or none. */
function label (cr, text, x, y, width, colour, size) {
  cr.font = size + 'px system-ui, sans-serif';
  if (width < 14) return;
  /* A name can be megabytes long; hardly a letter is narrower than a pixel. */
  if (text.length > width) text = text.slice(0, Math.ceil(width));
  if (cr.measureText(text).width > width) {
    let n = Math.floor(text.length * width / cr.measureText(text).width) - 1;
    if (n < 3) return;
    text = text.slice(0, n) + '…';
  }
  cr.fillStyle = colour;
  cr.fillText(text, x, y);
}

function paintEdges (cr, camera, size, shown, places) {
  const [width, height] = size;
  const strength = Math.min(1, 40 / Math.sqrt(edges.length)) * (state.selected.size > 0 ? 0.3 : 1);
  const done = new Set();
  cr.lineWidth = 1;
  for (const [tail, head] of edges) {
    const lit = state.selected.has(tail) || state.selected.has(head);
    const key = shown[tail] * 65536 + shown[head];
    if (shown[tail] === shown[head] || done.has(key) && !lit) continue;
    done.add(key);
    const a = boxOf(shown[tail]);
    const b = boxOf(shown[head]);
    const x0 = (a.x0 + a.x1) / 2 * camera.scale + camera.x;
    const x1 = (b.x0 + b.x1) / 2 * camera.scale + camera.x;
    const down = a.y1 <= b.y0;
    const y0 = (down ? a.y1 : a.y0) * camera.scale + camera.y;
    const y1 = (down ? b.y0 : b.y1) * camera.scale + camera.y;
    if (Math.max(x0, x1) < 0 || Math.min(x0, x1) > width || Math.max(y0, y1) < 0 || Math.min(y0, y1) > height) continue;
    const cut = places[tail] !== places[head];
    cr.strokeStyle = lit ? palette().selection : cut ? palette().cut : palette().edge;
    cr.globalAlpha = lit ? 1 : (cut ? 0.8 : 0.7) * strength;
    cr.beginPath();
    cr.moveTo(x0, y0);
    cr.bezierCurveTo(x0, (y0 + y1) / 2, x1, (y0 + y1) / 2, x1, y1);
    cr.stroke();
  }
  cr.globalAlpha = 1;
}

const BAND = 8; /* the hatched part of what has a label */

function textOn (colour) {
  const [r, g, b] = [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16) / 255)
    .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.179 ? '#000000' : '#ffffff';
}

function paintItem (cr, camera, i, place) {
  const box = items[i];
  const x = box.x0 * camera.scale + camera.x;
  const y = box.y0 * camera.scale + camera.y;
  const width = Math.max((box.x1 - box.x0) * camera.scale, 1.5);
  const height = Math.max((box.y1 - box.y0) * camera.scale, 1.5);
  const shares = state.step < 0 ? sharesOf(data.plans[state.plan], i) : [[place, box.n]];
  const total = shares.reduce((sum, [, n]) => sum + n, 0);
  let at = x;
  cr.globalAlpha = isFaded(i, place) ? 0.25 : 1;
  for (const [device, n] of shares) {
    fillDevice(cr, device, at, y, width * n / total, height, height >= 13 ? BAND : width);
    at += width * n / total;
  }
  cr.lineWidth = state.selected.has(i) ? 3 : isMoved(i) ? Math.min(2.5, height / 6) : 1;
  cr.strokeStyle = state.selected.has(i) ? palette().selection : isMoved(i) ? css('--ink') : css('--rule');
  if (height > 5 || state.selected.has(i)) cr.strokeRect(x, y, width, height);
  if (height >= 13)
    label(cr, lastPart(data.names[i]) + (box.n > 1 ? ' · ' + box.n : ''), x + BAND + 4, y + height / 2 + 4, width - BAND - 8,
          shares[0][0] >= 0 ? textOn(colourOf(shares[0][0])) : css('--ink'), 12);
  cr.globalAlpha = 1;
  if (state.cursor === i) ring(cr, x, y, width, height);
}

/* Around the node that has the focus. */
function ring (cr, x, y, width, height) {
  for (const [colour, by] of [[css('--canvas'), 2], [css('--ink'), 4]]) {
    cr.strokeStyle = colour;
    cr.lineWidth = 2;
    cr.strokeRect(x - by, y - by, width + 2 * by, height + 2 * by);
  }
}

/* A small group: its devices by numbers of nodes, from left to right. */
function paintClosed (cr, camera, g, members, places) {
  const [x0, y0, x1, y1, , , path] = data.groups[g];
  const x = x0 * camera.scale + camera.x;
  const y = y0 * camera.scale + camera.y;
  const width = (x1 - x0) * camera.scale;
  const height = Math.max((y1 - y0) * camera.scale, 2);
  const counts = new Map();
  let total = 0;
  let at = x;
  for (const i of members)
    for (const [device, n] of state.step < 0 ? sharesOf(data.plans[state.plan], i) : [[places[i], items[i].n]]) {
      counts.set(device, (counts.get(device) || 0) + n);
      total += n;
    }
  cr.globalAlpha = members.every((i) => isFaded(i, places[i])) ? 0.25 : 0.9;
  for (const [device, n] of [...counts].sort((a, b) => a[0] - b[0])) {
    fillDevice(cr, device, at, y, width * n / total, height, width);
    at += width * n / total;
  }
  if (members.some((i) => state.selected.has(i))) {
    cr.strokeStyle = palette().selection;
    cr.lineWidth = 2;
    cr.strokeRect(x, y, width, height);
  }
  cr.globalAlpha = 1;
  if (members.includes(state.cursor)) ring(cr, x, y, width, height);
  if (height < 15 || width <= 30 || lastPart(path).length > width) return;
  /* On a ground of its own: it lies on several colours. */
  cr.font = '11px system-ui, sans-serif';
  if (cr.measureText(lastPart(path)).width > width - 12) return;
  cr.fillStyle = css('--canvas');
  cr.fillRect(x + 3, y + height / 2 - 7, Math.min(cr.measureText(lastPart(path)).width + 6, width - 6), 14);
  label(cr, lastPart(path), x + 6, y + height / 2 + 4, width - 12, css('--ink'), 11);
}

function paintGraph (cr, width, height) {
  const camera = graphCamera(width, height);
  const places = placesAt(data.plans[state.plan], state.step);
  const shown = listShown(camera);
  const closed = new Map();
  paintGroups(cr, camera, shown);
  paintEdges(cr, camera, [width, height], shown, places);
  for (let i = 0; i < n_items; i++) {
    const box = items[i];
    if (shown[i] < 0) {
      if (!closed.has(shown[i])) closed.set(shown[i], []);
      closed.get(shown[i]).push(i);
      continue;
    }
    if (box.x1 * camera.scale + camera.x < 0 || box.x0 * camera.scale + camera.x > width
        || box.y1 * camera.scale + camera.y < 0 || box.y0 * camera.scale + camera.y > height) continue;
    paintItem(cr, camera, i, places[i]);
  }
  for (const [group, members] of closed) paintClosed(cr, camera, -group - 1, members, places);
}

function pickItem (px, py) {
  const camera = graphCamera(graph.canvas.clientWidth, graph.canvas.clientHeight);
  const x = (px - camera.x) / camera.scale;
  const y = (py - camera.y) / camera.scale;
  const shown = listShown(camera);
  const isAt = (box) => x >= box.x0 && x <= box.x1 && y >= box.y0 && y <= box.y1;
  const found = items.findIndex((box, i) => isAt(boxOf(shown[i])));
  if (found < 0) return null;
  if (shown[found] >= 0) return { item: found };
  const group = data.groups[-shown[found] - 1];
  const members = items.map((_, i) => i).filter((i) => shown[i] === shown[found]);
  return { item: found, members, words: [cut(group[6]), 'an open group of ' + nodes(group[5]) + ': zoom in to see it'] };
}

/* --- the timelines ---------------------------------------------------------------------------- */

const LANE = 26;
const SEND = 12;
const HEAD = 24;
const LEFT = 92;

/* Lanes of the shown plan, then of the one it is compared with. */
function listLanes () {
  const lanes = [];
  let y = 22;
  for (const p of state.other >= 0 && state.other !== state.plan ? [state.plan, state.other] : [state.plan]) {
    const plan = data.plans[p];
    lanes.push({ title: plan.name + ', ' + formatTime(plan.makespan), y, height: HEAD, plan });
    y += HEAD;
    plan.lanes.forEach((slices, device) => {
      lanes.push({ plan, device, slices, y, height: LANE - 4, name: plan.devices[device].name });
      y += LANE;
      if (plan.sends[device].length > 0) {
        lanes.push({ plan, device, slices: plan.sends[device], y: y - 2, height: SEND - 3, name: '→ sends', sends: true });
        y += SEND;
      }
    });
    y += 8;
  }
  lanes.height = y + 4;
  return lanes;
}

const END = Math.max(...data.plans.map((plan) => plan.makespan || 0), 1e-9);

function timeCamera (width) {
  const scale = (width - LEFT - 16) / END * timeline.zoom;
  return { scale, x: LEFT + (timeline.x + LEFT * (timeline.zoom - 1)) };
}

function paintAxis (cr, camera, width, height) {
  const step = 10 ** Math.ceil(Math.log10(70 / camera.scale));
  const tick = step / 5 * camera.scale > 70 ? step / 5 : step / 2 * camera.scale > 70 ? step / 2 : step;
  cr.font = '11px system-ui, sans-serif';
  for (let t = Math.max(0, Math.floor((LEFT - camera.x) / camera.scale / tick) * tick); t * camera.scale + camera.x < width; t += tick) {
    const x = t * camera.scale + camera.x;
    if (x < LEFT) continue;
    cr.fillStyle = css('--rule');
    cr.fillRect(x, 16, 1, height - 16);
    cr.fillStyle = css('--muted');
    const text = t === 0 ? '0' : formatTime(t);
    if (x + 3 + cr.measureText(text).width <= width) cr.fillText(text, x + 3, 12);
  }
}

function paintSlice (cr, lane, slice, camera) {
  const x = slice.start * camera.scale + camera.x;
  const width = Math.max((slice.end - slice.start) * camera.scale - (camera.scale * (slice.end - slice.start) > 4 ? 1 : 0), 1);
  const device = lane.sends ? slice.mark : lane.device;
  const isLabelled = !lane.sends && width > 30;
  cr.globalAlpha = (isFaded(slice.item, lane.device) ? 0.2 : 1) * (lane.sends ? 0.75 : 1);
  fillDevice(cr, device, x, lane.y, width, lane.height, isLabelled ? BAND : width);
  if (!lane.sends && slice.mark === 1) {
    cr.fillStyle = palette().critical;
    cr.fillRect(x, lane.y + lane.height - 3, width, 3);
  }
  if (state.selected.has(slice.item)) {
    cr.strokeStyle = palette().selection;
    cr.lineWidth = 2;
    cr.strokeRect(x, lane.y, width, lane.height);
  }
  if (isLabelled)
    label(cr, lastPart(data.names[slice.item]) + (slice.n > 1 ? ' …' : ''), x + BAND + 4, lane.y + 15, width - BAND - 8, textOn(colourOf(device)), 11);
  cr.globalAlpha = 1;
}

function paintTimeline (cr, width, height) {
  const lanes = listLanes();
  const camera = timeCamera(width);
  if (timeline.canvas.style.height !== lanes.height + 'px') timeline.canvas.style.height = lanes.height + 'px';
  paintAxis(cr, camera, width, height);
  for (const lane of lanes) {
    cr.save();
    cr.beginPath();
    cr.rect(LEFT, lane.y - 2, width - LEFT, lane.height + 4);
    cr.clip();
    for (const slice of lane.slices || [])
      if (slice.end * camera.scale + camera.x > LEFT && slice.start * camera.scale + camera.x < width) paintSlice(cr, lane, slice, camera);
    cr.restore();
    if (lane.title) label(cr, lane.title, 10, lane.y + 17, width - 20, css('--ink'), 13);
    else {
      if (!lane.sends) fillDevice(cr, lane.device, 8, lane.y + 4, 14, 14, 14);
      label(cr, lane.name, 28, lane.y + (lane.sends ? 9 : 15), LEFT - 34, css('--muted'), lane.sends ? 10 : 12);
    }
  }
}

function pickSlice (px, py) {
  const camera = timeCamera(timeline.canvas.clientWidth);
  const lane = listLanes().find((each) => each.slices && py >= each.y && py <= each.y + each.height);
  if (!lane || px < LEFT) return null;
  const slack = 1.5 / camera.scale;
  const at = (px - camera.x) / camera.scale;
  /* A slice thinner than a pixel can be hit, but does not hide its neighbour. */
  const slice = lane.slices.find((each) => at >= each.start && at <= each.end)
    || lane.slices.find((each) => at >= each.start - slack && at <= each.end + slack);
  if (!slice) return null;
  const span = formatTime(slice.start) + ' to ' + formatTime(slice.end);
  const lines = [lane.sends ? 'sent by ' + lane.plan.devices[lane.device].name + ' to ' + lane.plan.devices[slice.mark].name + ', ' + span : span];
  if (slice.n > 1) lines.push((lane.sends ? 'and ' + (slice.n - 1) + ' more transfers' : 'and ' + (slice.n - 1) + ' more ops') + ' in this slice');
  if (!lane.sends && slice.mark === 1) lines.push('on the critical path');
  return { item: slice.item, lines };
}

/* --- nodes by keyboard ------------------------------------------------------------------------ */

/* A button for each item inside the canvas: not drawn, but found by the keyboard and read aloud.
 * One of them is in the order of Tab, the others are a step with an arrow away. */
const stops = items.map((_, i) => {
  const stop = add(byId('graph'), 'button');
  stop.type = 'button';
  stop.tabIndex = i === 0 ? 0 : -1;
  stop.addEventListener('focus', () => enter(i));
  stop.addEventListener('blur', () => { state.cursor = -1; graph.draw(); });
  stop.addEventListener('keydown', (event) => step(event, i));
  stop.addEventListener('click', (event) => select([i], event.shiftKey || event.ctrlKey));
  return stop;
});
let last_stop = 0;

function nameStops () {
  stops.forEach((stop, i) => {
    stop.setAttribute('aria-label', describe(i).join(', '));
    stop.setAttribute('aria-pressed', String(state.selected.has(i)));
  });
}

function enter (i) {
  stops[last_stop].tabIndex = -1;
  stops[i].tabIndex = 0;
  last_stop = i;
  state.cursor = i;
  reveal(i);
  byId('details').textContent = describe(i).join(' · ');
}

/* Zooms in as far as its groups are open, and moves it into sight. */
function reveal (i) {
  const { canvas } = graph;
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  let camera = graphCamera(width, height);
  if (listShown(camera)[i] < 0) {
    let least = 0;
    for (let g = groupOf(i); g > 0; g = data.groups[g - 1][4])
      least = Math.max(least, MIN_GROUP / (data.groups[g - 1][2] - data.groups[g - 1][0]));
    graph.scale(Math.max(least, FAR) * 1.01 / camera.scale, width / 2, height / 2);
    camera = graphCamera(width, height);
  }
  const box = items[i];
  const x = (box.x0 + box.x1) / 2 * camera.scale + camera.x;
  const y = (box.y0 + box.y1) / 2 * camera.scale + camera.y;
  if (x < 20 || x > width - 20) graph.x += width / 2 - x;
  if (y < 20 || y > height - 20) graph.y += height / 2 - y;
  graph.draw();
}

/* The nearest item in a direction; what lies aside counts twice. */
function findBeside (i, dx, dy) {
  const middle = (box) => [(box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2];
  const [x, y] = middle(items[i]);
  let best = i;
  let least = Infinity;
  items.forEach((box, k) => {
    const [bx, by] = middle(box);
    const ahead = (bx - x) * dx + (by - y) * dy;
    const aside = Math.abs((bx - x) * dy) + Math.abs((by - y) * dx);
    if (ahead > 0 && ahead + 2 * aside < least) [best, least] = [k, ahead + 2 * aside];
  });
  return best;
}

function step (event, i) {
  const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  const to = event.key === 'Home' ? 0 : event.key === 'End' ? n_items - 1 : ways[event.key] ? findBeside(i, ...ways[event.key]) : -1;
  if (to < 0) return;
  stops[to].focus({ preventScroll: true });
  event.preventDefault();
  event.stopPropagation();
}

/* --- one selection in all pictures ------------------------------------------------------------ */

function select (found, extend) {
  if (!extend) state.selected.clear();
  for (const i of found)
    if (extend && state.selected.has(i)) state.selected.delete(i);
    else state.selected.add(i);
  state.device = -1;
  redraw();
  showDetails();
}

function showDetails () {
  const details = byId('details');
  const chosen = [...state.selected];
  const count = chosen.reduce((sum, i) => sum + items[i].n, 0);
  if (chosen.length === 0) details.textContent = '';
  else if (chosen.length === 1) details.textContent = describe(chosen[0]).join(' · ');
  else details.textContent = chosen.length + ' selected, ' + nodes(count);
}

function find () {
  const word = byId('find').value.trim().toLowerCase();
  const found = [];
  for (let i = 0; word && i < n_items; i++)
    if (nameOf(i).toLowerCase().includes(word) || data.ops[i].toLowerCase() === word) found.push(i);
  select(found, false);
  if (word && found.length === 0) byId('details').textContent = 'Nothing has “' + word + '” in its name.';
}

function redraw () {
  nameStops();
  cssCache.clear();
  graph.draw();
  timeline.draw();
}

/* --- tables and words ------------------------------------------------------------------------- */

function addChoice (row, group, p) {
  const label = add(add(row, 'td', undefined, 'choice'), 'label');
  const radio = add(label, 'input');
  radio.type = 'radio';
  radio.name = group;
  radio.value = p;
  radio.checked = state[group] === p;
  add(label, 'span', group === 'plan' ? 'Show' : 'Compare');
  radio.setAttribute('aria-label', (group === 'plan' ? 'Show ' : 'Compare with ') + data.plans[p].name);
  radio.addEventListener('change', () => {
    state[group] = p;
    state.step = -1;
    stop();
    fillAll();
  });
}

/* A cell that says on a phone, where the head is left out, what its value is. */
function addValue (row, label, text, className) {
  const cell = add(row, 'td', text, className);
  if (text !== '') cell.dataset.label = label;
  return cell;
}

/* Shorter is better only if the plan can be run at all. */
function senseOf (plan, change) {
  if (plan.why || change.startsWith('+')) return 'worse';
  return change.startsWith('−') ? 'better' : '';
}

function fillPlans () {
  const table = byId('plans');
  const reference = state.other >= 0 ? data.plans[state.other].makespan : null;
  const several = data.plans.length > 1;
  table.replaceChildren();
  const head = add(table, 'tr');
  for (const word of ['Plan', 'Makespan', several ? 'Change' : '', '× lower bound', 'Moved', ''])
    if (word || several) add(head, 'th', word);
  if (several) {
    add(head, 'th', 'Show', 'choice');
    add(head, 'th', 'Compare', 'choice');
  }
  data.plans.forEach((plan, p) => {
    const row = add(table, 'tr', undefined, p === state.plan ? 'shown' : '');
    const change = p === state.other ? '' : formatChange(plan.makespan, reference);
    const name = add(row, 'td', plan.name);
    if (plan.why) add(name, 'span', ' does not fit or run', 'worse');
    addValue(row, 'Makespan', formatTime(plan.makespan), plan.why ? 'worse' : '');
    if (several) addValue(row, 'Change', change, senseOf(plan, change));
    addValue(row, '× lower bound', plan.ratio === null ? '–' : plan.ratio.toFixed(2));
    addValue(row, 'Moved', formatBytes(plan.moved));
    if (!several) return;
    const bar = add(add(row, 'td', undefined, 'bar'), 'span', undefined, plan.why ? 'track invalid' : 'track');
    bar.style.width = 100 * (plan.makespan || END) / END + '%';
    addChoice(row, 'plan', p);
    addChoice(row, 'other', p);
  });
  byId('why').textContent = [data.plans[state.plan].why, data.plans[state.plan].renamed].filter(Boolean).join(' · ');
}

function fillDifference () {
  const found = state.other === 0 && data.differences.find((each) => each.after === state.plan);
  fillMoves(found);
  byId('difference').hidden = !found || !found.rows;
  if (byId('difference').hidden) return;
  const chart = byId('waterfall');
  byId('sentence').textContent = found.sentence;
  byId('method').textContent = found.method;
  chart.replaceChildren();
  for (const row of found.rows) {
    const line = add(chart, 'div');
    line.setAttribute('role', 'row');
    add(line, 'span', row.label, row.kind === 'group' ? 'part' : '').setAttribute('role', 'cell');
    const bar = add(add(line, 'div', undefined, 'lane'), 'i', undefined, row.sense < 0 && !data.plans[state.plan].why ? 'gain' : row.sense > 0 ? 'loss' : '');
    bar.style.left = 100 * Math.min(row.from, row.to) + '%';
    bar.style.width = 100 * Math.abs(row.to - row.from) + '%';
    add(line, 'span', row.value).setAttribute('role', 'cell');
    add(line, 'span', row.note).setAttribute('role', 'cell');
  }
}

function fillMoves (found) {
  const devices = data.plans[0].devices;
  const table = byId('moves');
  byId('moves-section').hidden = !found || found.moves.length === 0;
  if (byId('moves-section').hidden) return;
  table.replaceChildren();
  const head = add(table, 'tr');
  for (const word of ['From', 'To', 'Nodes']) add(head, 'th', word);
  for (let i = 0; i < found.moves.length; i += 3) {
    const [from, to, count] = found.moves.slice(i, i + 3);
    const row = add(table, 'tr');
    for (const device of [from, to]) {
      const name = add(row, 'td');
      addSwatch(name, device);
      add(name, 'span', cut(devices[device].name));
    }
    add(row, 'td', String(count));
  }
}

/* Figures of the shown plan, beside those of the one it is compared with. */
function fillFigures () {
  const shown = [data.plans[state.plan]];
  const table = byId('figures');
  if (state.other >= 0 && state.other !== state.plan) shown.unshift(data.plans[state.other]);
  table.replaceChildren();
  const head = add(table, 'tr');
  add(head, 'th', '');
  for (const plan of shown) add(head, 'th', cut(plan.name));
  if (shown.length > 1) add(head, 'th', 'Change');
  const addFigure = (label, valueOf, format) => {
    const values = shown.map(valueOf);
    const row = add(table, 'tr');
    add(row, 'td', label);
    for (const value of values) add(row, 'td', format ? format(value) : value);
    if (shown.length > 1) add(row, 'td', format && values[0] !== values[1] ? formatChange(values[1], values[0]) : '');
  };
  addFigure('Makespan', (plan) => plan.makespan, formatTime);
  addFigure('Lower bound', (plan) => plan.bound, formatTime);
  addFigure('Times the bound', (plan) => plan.ratio, (ratio) => (ratio === null ? '–' : ratio.toFixed(3)));
  addFigure('Can run', (plan) => (plan.why ? 'no' : 'yes'));
  addFigure('Moved between devices', (plan) => plan.moved, formatBytes);
  shown[0].devices.forEach((device, d) => {
    if (shown.every((plan) => plan.devices[d]))
      addFigure('Peak memory of ' + cut(device.name) + ' (' + formatBytes(device.capacity) + ')', (plan) => plan.devices[d].peak, formatBytes);
  });
  addFigure('Kernels', (plan) => plan.kernels, String);
  addFigure('Policy', (plan) => plan.policy);
  addFigure('Seed', (plan) => plan.seed);
  addFigure('Simulations spent', (plan) => (plan.simulations > 0 ? String(plan.simulations) : '–'));
}

function fillDevices () {
  const plan = data.plans[state.plan];
  const table = byId('devices');
  const legend = byId('legend');
  table.replaceChildren();
  legend.replaceChildren();
  const head = add(table, 'tr');
  for (const word of ['Device', 'Busy', 'Share of the makespan', 'Peak memory', 'Of']) add(head, 'th', word);
  plan.devices.forEach((device, d) => {
    const row = add(table, 'tr');
    const name = add(row, 'td');
    addSwatch(name, d);
    add(name, 'span', cut(device.name));
    add(row, 'td', formatTime(device.busy));
    add(row, 'td', plan.makespan ? (100 * device.busy / plan.makespan).toFixed(1) + ' %' : '–');
    add(row, 'td', formatBytes(device.peak), device.capacity !== null && device.peak > device.capacity ? 'worse' : '');
    add(row, 'td', formatBytes(device.capacity));
    const button = add(legend, 'button');
    button.type = 'button';
    button.setAttribute('aria-pressed', String(state.device === d));
    addSwatch(button, d);
    add(button, 'span', cut(device.name));
    button.addEventListener('click', () => {
      state.device = state.device === d ? -1 : d;
      state.selected.clear();
      showDetails();
      fillDevices();
      redraw();
    });
  });
}

function fillCauses () {
  const plan = data.plans[state.plan];
  byId('causes-about').textContent = 'Causes along the critical path of ' + plan.name + '; they sum to its makespan.';
  byId('causes').replaceChildren();
  for (const cause of plan.causes) add(byId('causes'), 'li', cause);
}

/* --- steps ------------------------------------------------------------------------------------ */

let timer = 0;

function stop () {
  clearInterval(timer);
  timer = 0;
  byId('play').textContent = 'Play';
}

function showStep (step) {
  const plan = data.plans[state.plan];
  state.step = step;
  byId('step').value = step < 0 ? plan.steps.length - 1 : step;
  byId('leave').disabled = step < 0;
  const shown = step < 0 ? plan.steps.length + ' steps lead to the plan that is shown: move the slider, or press Play.'
    : plan.steps[step].text;
  byId('step-text').textContent = shown;
  redraw();
}

function fillSteps () {
  const n = data.plans[state.plan].steps.length;
  byId('step').max = Math.max(n - 1, 0);
  byId('steps-section').hidden = n === 0;
  if (n > 0) showStep(-1);
  else redraw();
}

function play () {
  const plan = data.plans[state.plan];
  if (timer) {
    stop();
    return;
  }
  byId('play').textContent = 'Pause';
  let step = state.step < 0 || state.step === plan.steps.length - 1 ? 0 : state.step;
  showStep(step);
  timer = setInterval(() => {
    step++;
    if (step >= plan.steps.length) stop();
    else showStep(step);
  }, 250);
}

/* --- paper ------------------------------------------------------------------------------------ */

/* Paints a graph of another plan: all that is painted asks for the shown one. */
function paintGraphOf (plan, other) {
  return (cr, width, height) => {
    const kept = { plan: state.plan, other: state.other, step: state.step };
    Object.assign(state, { plan, other, step: -1 });
    paintGraph(cr, width, height);
    Object.assign(state, kept);
  };
}

/* Before the layout changes: the size is still that of the screen, and paper scales it. */
function beforePrint () {
  const { clientWidth: width, clientHeight: height } = graph.canvas;
  const hasOther = state.other >= 0 && state.other !== state.plan;
  document.documentElement.dataset.print = 'yes';
  cssCache.clear();
  byId('graph-caption').textContent = data.plans[state.plan].name;
  byId('before-caption').textContent = hasOther ? data.plans[state.other].name : '';
  byId('before').classList.toggle('used', hasOther);
  paintCanvas(graph.canvas, width, height, paintGraphOf(state.plan, state.other));
  if (hasOther) paintCanvas(byId('before'), width, height, paintGraphOf(state.other, state.plan));
  paintCanvas(timeline.canvas, timeline.canvas.clientWidth, timeline.canvas.clientHeight, paintTimeline);
  fillAllTables();
}

function afterPrint () {
  delete document.documentElement.dataset.print;
  fillAllTables();
  redraw();
}

/* --- all of it -------------------------------------------------------------------------------- */

/* Swatches in tables have the colours of the theme. */
function fillAllTables () {
  fillPlans();
  fillDifference();
  fillFigures();
  fillDevices();
  fillCauses();
}

function fillAll () {
  fillAllTables();
  fillSteps();
  showDetails();
}

const graph = new Picture(byId('graph'), paintGraph, pickItem, 2);
const timeline = new Picture(byId('timeline'), paintTimeline, pickSlice, 1);
byId('about').textContent = data.about + (data.grouped ? '; large groups are closed on this page' : '');
byId('find').addEventListener('input', find);
byId('zoom-in').addEventListener('click', () => graph.scale(1.5, byId('graph').clientWidth / 2, byId('graph').clientHeight / 2));
byId('zoom-out').addEventListener('click', () => graph.scale(1 / 1.5, byId('graph').clientWidth / 2, byId('graph').clientHeight / 2));
byId('zoom-fit').addEventListener('click', () => graph.fit());
byId('play').addEventListener('click', play);
byId('leave').addEventListener('click', () => { stop(); showStep(-1); });
byId('step').addEventListener('input', () => { stop(); showStep(Number(byId('step').value)); });
dark.addEventListener('change', () => { fillAllTables(); redraw(); });
addEventListener('beforeprint', beforePrint);
addEventListener('afterprint', afterPrint);
byId('script').textContent = data.script;
byId('script-section').hidden = data.script === '';
addEventListener('keydown', (event) => {
  if (event.key === 'Escape') select([], false);
});
fillAll();
document.body.dataset.ready = 'yes';
