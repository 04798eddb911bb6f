/* What a person does with a shared page, by events alone; data-said of the body says how it went. */
const said = [];
const check = (name, holds) => said.push(name + (holds ? ' holds' : ' FAILS'));
const canvas = (id) => document.getElementById(id);
const at = (target, x, y, type, pointerId = 1, pointerType = 'mouse') => {
  const box = target.getBoundingClientRect();
  target.dispatchEvent(new PointerEvent(type, { clientX: box.x + x, clientY: box.y + y, pointerId, pointerType, bubbles: true }));
};
const press = (key) => document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));

/* Two fingers move apart, and the page keeps one that only moves up. */
function useFingers () {
  const target = canvas('graph');
  const middle = graph.canvas.clientHeight / 2;
  graph.fit();
  at(target, 100, middle, 'pointerdown', 1, 'touch');
  at(target, 140, middle, 'pointerdown', 2, 'touch');
  at(target, 180, middle, 'pointermove', 2, 'touch');
  check('a pinch doubles', Math.abs(graph.zoom - 2) < 1e-6);
  at(target, 100, middle, 'pointerup', 1, 'touch');
  at(target, 180, middle, 'pointerup', 2, 'touch');
  graph.fit();
  at(target, 100, middle, 'pointerdown', 1, 'touch');
  at(target, 100, middle, 'pointercancel', 1, 'touch');
  at(target, 180, middle + 90, 'pointermove', 1, 'touch');
  check('a finger that the page has scrolls nothing here', graph.x === 0 && graph.y === 0 && graph.fingers.size === 0);
  check('a finger scrolls the page over a whole picture', getComputedStyle(target).touchAction === 'pan-y');
  check('a finger scrolls the page over the timeline', getComputedStyle(canvas('timeline')).touchAction === 'pan-y');
}

/* Each node can be reached by arrows from the first one, with one stop for Tab. */
function useKeys () {
  const reached = new Set();
  const queue = [0];
  canvas('graph').querySelector('button').focus();
  check('the first node has the focus', state.cursor === 0);
  press('ArrowDown');
  check('an arrow goes to another node', state.cursor > 0 && document.activeElement.getAttribute('aria-label').startsWith(nameOf(state.cursor)));
  check('Tab has one stop for all nodes', canvas('graph').querySelectorAll('button[tabindex="0"]').length === 1);
  document.activeElement.click();
  check('Enter selects', state.selected.has(state.cursor) && document.activeElement.getAttribute('aria-pressed') === 'true');
  press('End');
  check('End is the last node', state.cursor === n_items - 1);
  const camera = graphCamera(graph.canvas.clientWidth, graph.canvas.clientHeight);
  check('the node is open and in sight', listShown(camera)[state.cursor] === state.cursor
    && items[state.cursor].y0 * camera.scale + camera.y < graph.canvas.clientHeight);
  while (queue.length > 0) {
    const i = queue.pop();
    if (reached.has(i)) continue;
    reached.add(i);
    for (const [dx, dy] of [[-1, 0], [1, 0], [0, -1], [0, 1]]) queue.push(findBeside(i, dx, dy));
  }
  check('arrows reach all nodes', reached.size === n_items);
  document.activeElement.blur();
}

/* What is compared: figures, moves and lines; and both graphs on paper, where all is light. */
function usePaper () {
  const rows = [...document.querySelectorAll('#figures tr')].map((row) => [...row.children].map((cell) => cell.textContent));
  const figure = (label) => rows.find((row) => row[0].startsWith(label));
  const [first, second] = [data.plans[state.other], data.plans[state.plan]];
  const moved = [...document.querySelectorAll('#moves tr td:last-child')].reduce((sum, cell) => sum + Number(cell.textContent), 0);
  const differs = items.reduce((sum, _, i) => sum + (items[i].n === 1 && isMoved(i) ? 1 : 0), 0);
  check('figures of both plans', figure('Makespan')[1] === formatTime(first.makespan) && figure('Makespan')[2] === formatTime(second.makespan)
    && figure('Peak memory of gpu:3') && figure('Policy')[1] === 'single');
  check('nodes that moved are counted', moved > 0 && moved >= differs);
  check('lines make it again', document.getElementById('script').textContent.includes('p2 = plan.heft(g'));
  const before = document.getElementById('before');
  dispatchEvent(new Event('beforeprint'));
  check('paper has the other graph', before.classList.contains('used') && before.width > 100 && before.toDataURL() !== canvas('graph').toDataURL());
  check('paper has names of both', document.getElementById('before-caption').textContent === first.name);
  dispatchEvent(new Event('afterprint'));
  check('the page is as it was', !document.documentElement.dataset.print && state.plan === data.plans.indexOf(second));
}

function look () {
  const wide = [...document.querySelectorAll('body *')].filter((each) => each.getBoundingClientRect().right > innerWidth + 0.5);
  check('nothing is wider than ' + innerWidth, wide.length === 0 && document.documentElement.scrollWidth <= innerWidth);
  const broken = [...document.querySelectorAll('#devices td:not(:first-child)')].filter((each) => {
    const range = document.createRange();
    range.selectNodeContents(each);
    return range.getClientRects().length > 1;
  });
  check('numbers of devices are not broken', broken.length === 0);
  const low = [...document.querySelectorAll('button, input[type=search], input[type=range], td.choice label')]
    .filter((each) => each.offsetParent && !each.closest('canvas') && each.getBoundingClientRect().height < 40);
  check('fingers hit all controls', innerWidth > 700 || low.length === 0);
}
HTMLElement.prototype.setPointerCapture = () => {};
window.onerror = (message) => said.push('error: ' + message + ' FAILS');
setTimeout(() => {
  const camera = graphCamera(graph.canvas.clientWidth, graph.canvas.clientHeight);
  const box = items[5];
  const x = (box.x0 + box.x1) / 2 * camera.scale + camera.x;
  const y = (box.y0 + box.y1) / 2 * camera.scale + camera.y;
  at(canvas('graph'), x, y, 'pointermove');
  check('hover names the node', document.getElementById('tip').textContent.startsWith(nameOf(5)));
  at(canvas('graph'), x, y, 'pointerdown');
  at(canvas('graph'), x, y, 'pointerup');
  check('a click selects', state.selected.size === 1 && state.selected.has(5));
  check('details are said', document.getElementById('details').textContent.includes(nameOf(5)));
  const lane = listLanes().find((each) => each.slices && each.slices.length > 20);
  const slice = lane.slices.reduce((a, b) => (b.end - b.start > a.end - a.start ? b : a));
  const time = timeCamera(timeline.canvas.clientWidth);
  const sx = (slice.start + slice.end) / 2 * time.scale + time.x;
  at(canvas('timeline'), sx, lane.y + 5, 'pointerdown');
  at(canvas('timeline'), sx, lane.y + 5, 'pointerup');
  check('the timeline selects the node in the graph', state.selected.size === 1 && state.selected.has(slice.item));
  const zoom = graph.zoom;
  canvas('graph').dispatchEvent(new KeyboardEvent('keydown', { key: '+' }));
  check('a key zooms', graph.zoom > zoom);
  canvas('graph').dispatchEvent(new WheelEvent('wheel', { deltaY: 100, clientX: 300, clientY: 300, cancelable: true }));
  dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }));
  check('Escape clears', state.selected.size === 0);
  useFingers();
  useKeys();
  dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }));
  graph.fit();
  document.getElementById('find').value = 'conv2d_1a';
  document.getElementById('find').dispatchEvent(new Event('input'));
  check('search finds', state.selected.size > 0);
  document.getElementById('step').value = 3;
  document.getElementById('step').dispatchEvent(new Event('input'));
  check('a step is shown', state.step === 3 && /Decision|Plan/.test(document.getElementById('step-text').textContent));
  check('the difference is told', !document.getElementById('difference').hidden
    && document.querySelectorAll('#waterfall [role=row]').length > 3);
  usePaper();
  document.querySelectorAll('input[name=plan]')[2].click();
  check('a plan is chosen', state.plan === 2 && state.step === -1);
  document.querySelectorAll('#legend button')[1].click();
  check('a device is chosen', state.device === 1);
  check('a plan that fits is green, one that does not is not', senseOf({ why: '' }, '−9 %') === 'better'
    && senseOf({ why: 'gpu:0 is full' }, '−9 %') === 'worse');
  check('devices have hatches', data.cues.length === 4 && patternOf(canvas('graph').getContext('2d'), 1) !== undefined);
  document.querySelectorAll('input[name=plan]')[2].click();
  check('no empty section of steps', canvas('steps-section').hidden === (data.plans[2].steps.length === 0));
  look();
  check('the page is ready', document.body.dataset.ready === 'yes');
  check('nothing was loaded', performance.getEntriesByType('resource').length === 0);
  document.body.dataset.said = said.join('; ');
}, 300);
