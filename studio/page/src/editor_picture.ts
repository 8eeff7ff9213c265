// The picture in the middle of the diagram editor: blocks that can be moved, ports that can be connected, lines.

import type { DocumentNode, NodePort, PaletteKind } from './diagram_client';
import { splitEnd, type DiagramDocument, type DocumentBlock } from './diagram_document';
import { tidied, wayOf, type Box } from './editor_layout';
import { svg, ZoomedPicture } from './svg';

/** An end of a line: "block.port", "block.bus.field", or the name of an input or output of the diagram itself. */
export interface PortEnd { end: string; side: 'in' | 'out' }

export interface Selected { blocks: Set<string>; lines: Set<number> }

export interface EditorPictureEvents {
  /** @param more to what is selected already */
  select(what: { block?: string; line?: number; within?: Set<string> }, more: boolean): void;
  moved(places: Map<string, [number, number]>): void;
  connect(from: string, to: string): void;
  /** A sub-diagram, or something else that has more to show. */
  open(block: string): void;
  say(text: string): void;
}

/** What the picture shows. */
export interface Shown {
  level: DiagramDocument;
  node(block: string): DocumentNode | undefined;
  kind(name: string): PaletteKind | undefined;
  isDiagram(kind: string): boolean;
  /** What is wrong; empty: nothing. */
  problemOf(part: { block: number } | { line: number } | { output: number }): string;
  selected: Selected;
  /** It is a sub-diagram, which can get more ports. */
  growing: boolean;
}

/** The place at a border where a line makes a port of the diagram. */
export const NEW_PORT = '+';

interface Row { name: string; label: string; port?: NodePort; indented: boolean }
interface Node { block: DocumentBlock; box: Box; inputs: Row[]; outputs: Row[] }

const HEADER = 32, ROW = 17, GRID = 8, PIN_WIDTH = 90;  // [px]
const CLICK = 4;                                        // a pointer that has moved less has not moved [px]
const TWICE = 400;                                      // between the presses of a double click [ms]
const LONG = 400;                                       // a finger that rests so long on a block adds it to what is selected [ms]
const FINGER = 22, FINGER_IN_PICTURE = 34;              // a port that is nearer to a finger is meant [px of the screen, of the picture]

/** The way of a line as a path with round corners, and an arrow at its end. */
function pathOf(points: [number, number][]): string {
  const toward = ([x, y]: [number, number], [u, v]: [number, number]) => {
    const length = Math.hypot(u - x, v - y) || 1, r = Math.min(6, length / 2);
    return `${x + ((u - x) * r) / length} ${y + ((v - y) * r) / length}`;
  };
  return points.map((point, k) => {
    if (k === 0) return `M${point[0]} ${point[1]}`;
    if (k === points.length - 1) return `L${point[0] - 6} ${point[1]}`;
    return `L${toward(point, points[k - 1])}Q${point[0]} ${point[1]} ${toward(point, points[k + 1])}`;
  }).join('');
}

export class EditorPicture {
  readonly zoomed = new ZoomedPicture(600, 400);
  private shown: Shown | null = null;
  private nodes = new Map<string, Node>();
  private ports = new Map<string, [number, number]>();  // by side and end
  private lines = svg('g');
  private blocks = svg('g');
  private pressed = false;  // on a part, not beside
  private before = { name: '', time: -Infinity };  // the press before this one
  private focusing = false;  // by us, not by a key
  private pending: { start: PortEnd; wire: SVGElement } | null = null;
  private fingers = new Map<number, PointerEvent>();  // on the picture, where each was last
  private interrupt: (() => void) | null = null;      // what the first finger does

  constructor(private events: EditorPictureEvents) {
    const { element } = this.zoomed;
    element.style.aspectRatio = '';
    element.classList.add('editor-picture');
    element.append(this.lines, this.blocks);
    // Before the picture takes the drag for itself: with Shift it selects what is inside of a frame.
    element.addEventListener('pointerdown', (event) => this.press(event), { capture: true });
    element.addEventListener('contextmenu', (event) => { if (this.fingers.size > 0) event.preventDefault(); });  // a finger that rests means something here
    window.addEventListener('pointermove', (event) => { if (this.fingers.has(event.pointerId)) this.fingers.set(event.pointerId, event); }, { capture: true });
    for (const end of ['pointerup', 'pointercancel'] as const) window.addEventListener(end, (event) => this.fingers.delete(event.pointerId), { capture: true });
    element.addEventListener('click', (event) => {
      if (this.zoomed.dragged || this.pressed) return;
      this.cancel();
      if (!event.shiftKey) this.events.select({}, false);
    });
    element.addEventListener('dblclick', (event) => { if (this.pressed) event.stopImmediatePropagation(); }, { capture: true });
  }

  /** Parts are drawn anew when they are selected, so that clicks do not find them: it counts what was pressed. */
  private press(event: PointerEvent): void {
    this.pressed = (event.target as Element).closest('[data-node], [data-line], [data-port], [data-pin]') !== null;
    const focused = document.activeElement as HTMLElement | null;
    if (focused && focused !== document.body && !this.zoomed.element.contains(focused)) focused.blur();  // keys are for the picture now
    if (event.pointerType === 'touch') this.touch(event);
    else if (event.shiftKey) this.selectWithin(event);
  }

  /** Two fingers zoom, whatever they touch; one that comes near a port means it: ports are smaller than fingers. */
  private touch(event: PointerEvent): void {
    const [first] = this.fingers.values();
    this.fingers.set(event.pointerId, event);
    if (first) {
      event.stopImmediatePropagation();
      this.interrupt?.();
      if (this.fingers.size > 2) return;
      this.zoomed.grab(first);
      return this.zoomed.grab(event);
    }
    const near = this.portNear(event.clientX, event.clientY);
    if (!near) return;
    this.pressed = true;
    this.wire(event, near);
  }

  /** The port that lies nearest to a place of the window, if it is near enough for a finger. */
  private portNear(clientX: number, clientY: number): PortEnd | null {
    const { x, y } = this.zoomed.place(clientX, clientY), inHeader = ({ box }: Node) => x > box.x && x < box.x + box.width && y > box.y && y < box.y + HEADER - 4;
    if ([...this.nodes.values()].some(inHeader)) return null;  // the block itself is meant
    const most = Math.min(FINGER * this.zoomed.scale, FINGER_IN_PICTURE);
    const away = ([u, v]: [number, number]) => Math.hypot(u - x, v - y);
    const [key] = [...this.ports].sort(([, a], [, b]) => away(a) - away(b))[0] ?? [];
    if (key === undefined || away(this.ports.get(key)!) > most) return null;
    const [side, ...end] = key.split(' ');
    return { end: end.join(' '), side: side as 'in' | 'out' };
  }

  get connecting(): boolean { return this.pending !== null; }

  // ---- what is shown ----

  show(shown: Shown): void {
    const focused = document.activeElement?.getAttribute('data-node');
    this.shown = shown;
    this.measure();
    this.blocks.replaceChildren(...[...this.nodes.values()].map((node) => this.drawNode(node)), ...this.drawPins());
    this.drawLines();
    this.zoomed.setBounds(this.bounds());
    if (focused) this.focus(this.blocks.querySelector<SVGElement>(`[data-node="${CSS.escape(focused)}"]`));
  }

  /** Nothing is selected by it: with Ctrl pressed the browser takes it for a focus by keys. */
  private focus(node: SVGElement | null): void {
    this.focusing = true;
    node?.focus({ preventScroll: true });
    this.focusing = false;
  }

  /** All of it, or what fits without becoming tiny. */
  fit(): void { this.zoomed.setBounds(this.bounds()); this.zoomed.fit(); }

  private bounds(): Box {
    const boxes = [...this.nodes.values()].map(({ box }) => box), ends = [...this.ports.values()];
    if (boxes.length === 0 && ends.length === 0) return { x: 0, y: 0, width: 640, height: 400 };
    const xs = [...boxes.flatMap((box) => [box.x, box.x + box.width]), ...ends.map(([x]) => x)], ys = [...boxes.flatMap((box) => [box.y, box.y + box.height]), ...ends.map(([, y]) => y)];
    const { inputs, outputs } = this.shown!.level, beside = inputs.length + outputs.length > 0 || this.shown!.growing ? PIN_WIDTH + 10 : 40;
    const x = Math.min(...xs) - beside, y = Math.min(...ys) - 40, width = Math.max(...xs) + beside - x, height = Math.max(...ys) + 56 - y;
    // Small diagrams are not blown up.
    const least = Math.max(0, 640 - width);
    return { x: x - least / 2, y, width: width + least, height };
  }

  /** Places of all blocks after tidying up. */
  tidy(): Map<string, [number, number]> {
    const links = this.shown!.level.lines.map(({ from, to }) => ({ from: splitEnd(from).block, to: splitEnd(to).block }));
    return tidied(new Map([...this.nodes].map(([name, { box }]) => [name, box])), links);
  }

  /** Where a new block is seen: in the middle, and beside what is there. */
  freePlace(width = 120, height = 70): [number, number] {
    const { x, y, width: w, height: h } = this.zoomed.shown;
    return this.besideOthers([x + w / 2 - width / 2, y + h / 2 - height / 2], width, height);
  }

  placeAt(clientX: number, clientY: number): [number, number] {
    const { x, y } = this.zoomed.place(clientX, clientY);
    return [this.snap(x), this.snap(y)];
  }

  private snap(value: number): number { return GRID * Math.round(value / GRID); }

  private besideOthers([x, y]: [number, number], width: number, height: number): [number, number] {
    const hits = (at: [number, number]) => [...this.nodes.values()].some(({ box }) => at[0] < box.x + box.width + 20 && at[0] + width + 20 > box.x && at[1] < box.y + box.height + 20 && at[1] + height + 20 > box.y);
    for (let ring = 0; ring < 30; ++ring)
      for (const [dx, dy] of [[0, 1], [1, 0], [0, -1], [-1, 0], [1, 1], [-1, 1], [1, -1], [-1, -1]]) {
        const at: [number, number] = [this.snap(x + dx * ring * 56), this.snap(y + dy * ring * 40)];
        if (!hits(at)) return at;
      }
    return [this.snap(x), this.snap(y)];
  }

  // ---- sizes ----

  /** What the block really has; where it could not be made, what its kind says, and what lines lead to. */
  private rows(block: DocumentBlock, side: 'in' | 'out'): Row[] {
    const { level, node, kind, selected } = this.shown!, real = node(block.name)?.[side === 'in' ? 'inputs' : 'outputs'];
    const used = level.lines.map((line) => splitEnd(side === 'in' ? line.to : line.from)).filter((end) => end.block === block.name && end.rest).map((end) => end.rest);
    const said = (kind(block.kind)?.[side === 'in' ? 'inputs' : 'outputs'] ?? []).filter(({ name }) => /^\w+$/.test(name)).map(({ name }) => name);
    const names = real ? real.map(({ name }) => name) : [...new Set([...said, ...used.map((rest) => rest.split('.')[0])])];
    return names.flatMap((name) => {
      const port = real?.find((each) => each.name === name), row: Row = { name, label: name, port, indented: false };
      if (side === 'in' || !port?.fields) return [row];
      const fields = port.fields.filter((field) => selected.blocks.has(block.name) || used.includes(`${name}.${field.name}`));
      return [row, ...fields.map((field) => ({ name: `${name}.${field.name}`, label: field.name, indented: true, port: { ...port, fields: undefined, type: field.type, short: '' } }))];
    });
  }

  private measure(): void {
    const { level } = this.shown!;
    this.nodes.clear();
    this.ports.clear();
    const text = (letters: string, size: number) => 0.58 * size * [...letters].length;
    for (const block of level.blocks) {
      const inputs = this.rows(block, 'in'), outputs = this.rows(block, 'out');
      const widest = (rows: Row[]) => Math.max(0, ...rows.map((row) => text(row.label, 10) + (row.indented ? 10 : 0)));
      const width = Math.max(96, text(block.name, 12.5) + 24, text(block.kind, 10) + 24, widest(inputs) + widest(outputs) + 40);
      const height = HEADER + ROW * Math.max(1, inputs.length, outputs.length) + 6;
      this.nodes.set(block.name, { block, inputs, outputs, box: { x: NaN, y: NaN, width: this.snap(width + 4), height } });
    }
    this.putBlocks();
    for (const [name, { box, inputs, outputs }] of this.nodes) {
      inputs.forEach((row, k) => this.ports.set(`in ${name}.${row.name}`, [box.x, box.y + HEADER + ROW * (k + 0.5)]));
      outputs.forEach((row, k) => this.ports.set(`out ${name}.${row.name}`, [box.x + box.width, box.y + HEADER + ROW * (k + 0.5)]));
    }
    this.putPins();
  }

  /** Where the document says; the others as if tidied up, or below. */
  private putBlocks(): void {
    const places = [...this.nodes.values()].some(({ block }) => block.at) ? null : this.tidy();
    let below = Math.max(0, ...[...this.nodes.values()].flatMap(({ block, box }) => (block.at ? [block.at[1] + box.height + 30] : [])));
    for (const [name, { block, box }] of this.nodes) {
      const at = block.at ?? places?.get(name) ?? [0, (below += box.height + 30) - box.height - 30];
      [box.x, box.y] = at;
    }
  }

  /** Inputs and outputs of the diagram itself stand at its borders. */
  private putPins(): void {
    const { level } = this.shown!, boxes = [...this.nodes.values()].map(({ box }) => box);
    const left = Math.min(0, ...boxes.map(({ x }) => x)) - 60, right = Math.max(120, ...boxes.map(({ x, width }) => x + width)) + 60, top = Math.min(0, ...boxes.map(({ y }) => y)) + 20;
    level.inputs.forEach((port, k) => this.ports.set(`out ${port.name}`, [left, top + 34 * k]));
    level.outputs.forEach((port, k) => this.ports.set(`in ${port.name}`, [right, top + 34 * k]));
    if (!this.shown!.growing) return;
    this.ports.set(`out ${NEW_PORT}`, [left, top + 34 * level.inputs.length]);
    this.ports.set(`in ${NEW_PORT}`, [right, top + 34 * level.outputs.length]);
  }

  /** Where an end of a line is; ports need not be named where there is one only, or one that is called in or out. */
  private portKey(end: string, side: 'in' | 'out'): string | null {
    const exact = `${side} ${end}`;
    if (this.ports.has(exact)) return exact;
    const { block, rest } = splitEnd(end), rows = this.nodes.get(block)?.[side === 'in' ? 'inputs' : 'outputs'] ?? [];
    const named = rows.find((row) => rest === row.name || rest.startsWith(`${row.name}.`));
    const usual = rest === '' ? (rows.filter((row) => !row.indented).length === 1 ? rows[0] : rows.find((row) => row.name === side)) : named;
    return usual ? `${side} ${block}.${usual.name}` : null;
  }

  /** Do two ends mean the same input? */
  sameInput(a: string, b: string): boolean {
    const key = this.portKey(a, 'in');
    return a === b || (key !== null && key === this.portKey(b, 'in'));
  }

  // ---- blocks ----

  private drawNode({ block, box, inputs, outputs }: Node): SVGElement {
    const { level, selected, isDiagram } = this.shown!, problem = this.shown!.problemOf({ block: level.blocks.indexOf(block) }), diagram = isDiagram(block.kind);
    const classes = ['node', selected.blocks.has(block.name) ? 'selected' : '', problem ? 'wrong' : '', diagram ? 'inside' : ''].filter(Boolean).join(' ');
    const group = svg('g', { class: classes, 'data-node': block.name, transform: `translate(${box.x} ${box.y})`, tabindex: 0, role: 'button', 'aria-label': `${block.kind} ${block.name}${problem ? `: ${problem}` : ''}` });
    if (block.for) group.append(svg('rect', { x: 5, y: -5, width: box.width, height: box.height, rx: 8, class: 'behind' }));
    group.append(svg('rect', { width: box.width, height: box.height, rx: 8, class: 'body' }), svg('text', { x: 10, y: 14, class: 'name' }, block.name),
      svg('text', { x: 10, y: 26, class: 'kind' }, diagram ? `${block.kind} ▸` : block.kind), svg('title', {}, problem || `${block.kind}${diagram ? ': a double click opens it' : ''}`));
    if (problem) group.append(svg('text', { x: box.width - 14, y: 15, class: 'mark' }, '!'));
    if (block.when) group.append(svg('text', { x: box.width - 8, y: 26, class: 'kind end' }, '⎇'));
    inputs.forEach((row, k) => group.append(this.drawPort(`${block.name}.${row.name}`, 'in', 0, HEADER + ROW * (k + 0.5), row)));
    outputs.forEach((row, k) => group.append(this.drawPort(`${block.name}.${row.name}`, 'out', box.width, HEADER + ROW * (k + 0.5), row)));
    group.addEventListener('pointerdown', (event) => this.drag(event, block.name));
    group.addEventListener('focus', () => { if (!this.focusing && group.matches(':focus-visible') && !this.shown!.selected.blocks.has(block.name)) this.events.select({ block: block.name }, false); });
    return group;
  }

  private drawPort(end: string, side: 'in' | 'out', x: number, y: number, { label, port, indented }: Row): SVGElement {
    const missing = side === 'in' && port && !port.optional && !port.connected;
    const group = svg('g', { class: `plug ${side}${missing ? ' missing' : ''}${port?.connected ? ' connected' : ''}`, 'data-port': end, 'data-side': side, transform: `translate(${x} ${y})` });
    const note = port ? `${label}: ${port.type}${port.optional && side === 'in' ? ', may stay unconnected' : ''}${missing ? ', not connected' : ''}` : label;
    group.append(svg('circle', { r: 10, class: 'near' }), svg('circle', { r: indented ? 3 : 4, class: 'dot' }), svg('text', { x: side === 'in' ? 9 : -9, y: 3.5, class: side === 'in' ? '' : 'end' }, label), svg('title', {}, note));
    group.addEventListener('pointerdown', (event) => this.wire(event, { end, side }));
    return group;
  }

  private drawPins(): SVGElement[] {
    const { level } = this.shown!;
    const pin = (name: string, side: 'in' | 'out', problem: string) => {
      const [x, y] = this.ports.get(`${side} ${name}`)!, left = side === 'out' ? -PIN_WIDTH : 0;
      const group = svg('g', { class: `pin-node${name === NEW_PORT ? ' new' : problem ? ' wrong' : ''}`, transform: `translate(${x} ${y})`, 'data-pin': name });
      group.append(svg('rect', { x: left, y: -12, width: PIN_WIDTH, height: 24, rx: 12 }), svg('text', { x: left + PIN_WIDTH / 2, y: 4, class: 'middle' }, name), svg('title', {}, problem || (side === 'out' ? 'An input of this diagram' : 'An output of this diagram')),
        this.drawPort(name, side, 0, 0, { name, label: '', indented: false }));
      return group;
    };
    const more = this.shown!.growing ? [pin(NEW_PORT, 'out', 'Drag from here to an input: another input of this diagram'), pin(NEW_PORT, 'in', 'Drag an output here: another output of this diagram')] : [];
    return [...more, ...level.inputs.map(({ name }) => pin(name, 'out', '')), ...level.outputs.map(({ name }, k) => pin(name, 'in', this.shown!.problemOf({ output: k })))];
  }

  // ---- lines ----

  private drawLines(): void {
    const { level, selected } = this.shown!, drawn: SVGElement[] = [], lanes = new Map<string, number>();
    const lane = (key: string) => { if (!lanes.has(key)) lanes.set(key, lanes.size); return lanes.get(key)!; };
    level.lines.forEach((line, k) => {
      const problem = this.shown!.problemOf({ line: k }), classes = ['wire', selected.lines.has(k) ? 'selected' : '', problem ? 'wrong' : ''].filter(Boolean).join(' ');
      const group = this.drawLine(line.from, line.to, lane(line.from), classes);
      if (!group) return;
      group.setAttribute('data-line', String(k));
      group.append(svg('title', {}, problem || `${line.from} → ${line.to}`));
      group.addEventListener('pointerdown', (event) => event.stopPropagation());
      group.addEventListener('click', (event) => { event.stopPropagation(); this.events.select({ line: k }, event.ctrlKey || event.shiftKey); });
      drawn.push(group);
    });
    for (const port of level.outputs) {
      const group = port.from ? this.drawLine(port.from, port.name, lane(port.from), 'wire') : null;
      if (group) drawn.push(group);
    }
    this.lines.replaceChildren(...drawn);
  }

  /** Null: it leads to something that is not shown. Names of signals are written at the port. */
  private drawLine(from: string, to: string, lane: number, classes: string): SVGElement | null {
    const start = this.portKey(from, 'out'), end = this.portKey(to, 'in');
    const group = svg('g', { class: classes });
    if (from.startsWith('<') || to.startsWith('<')) {
      const place = this.ports.get(from.startsWith('<') ? end ?? '' : start ?? '');
      if (!place) return null;
      const left = from.startsWith('<');
      group.append(svg('text', { x: place[0] + (left ? -12 : 12), y: place[1] - 4, class: left ? 'tag end' : 'tag' }, left ? from : to));
      return group;
    }
    const a = start && this.ports.get(start), b = end && this.ports.get(end);
    if (!a || !b) return null;
    const d = pathOf(wayOf(a, b, [...this.nodes.values()].map(({ box }) => box), lane));
    group.append(svg('path', { d, class: 'near' }), svg('path', { d, class: 'stroke' }), svg('path', { d: `M${b[0]} ${b[1]}l-8 -3.6v7.2z`, class: 'tip' }));
    return group;
  }

  // ---- moving and connecting ----

  private drag(event: PointerEvent, name: string): void {
    if (event.button !== 0 || event.shiftKey) return;
    event.stopPropagation();
    const twice = this.before.name === name && event.timeStamp - this.before.time < TWICE;
    this.before = { name: twice ? '' : name, time: event.timeStamp };
    if (twice) return this.events.open(name);
    const more = event.ctrlKey || event.metaKey, start = this.zoomed.place(event.clientX, event.clientY);
    this.focus(event.currentTarget as SVGElement);
    const selected = new Set(this.shown!.selected.blocks);
    if (more || !selected.has(name)) this.events.select({ block: name }, more);
    const before = new Map([...this.shown!.selected.blocks].flatMap((each) => { const node = this.nodes.get(each); return node ? [[each, [node.box.x, node.box.y] as [number, number]] as const] : []; }));
    let moved = false;
    const put = (by: [number, number]) => {
      for (const [each, [x, y]] of before) this.nodes.get(each)!.block.at = [x + by[0], y + by[1]];
      this.moveNodes();
    };
    if (event.pointerType === 'touch') this.selectAfterAWhile(event, name, selected, () => moved);
    this.follow(event, (to) => {
      if (!moved && Math.hypot(to.clientX - event.clientX, to.clientY - event.clientY) < CLICK) return;
      moved = true;
      const now = this.zoomed.place(to.clientX, to.clientY);
      put([this.snap(now.x - start.x), this.snap(now.y - start.y)]);
    }, () => {
      if (moved) this.events.moved(new Map([...before.keys()].map((each) => [each, this.nodes.get(each)!.block.at!])));
    }, () => { if (moved) put([0, 0]); });
  }

  /** Fingers have no Ctrl: one that rests on a block adds it to those that were selected before, or takes it away. */
  private selectAfterAWhile(event: PointerEvent, name: string, before: Set<string>, moved: () => boolean): void {
    window.setTimeout(() => {
      if (moved() || this.fingers.size !== 1 || !this.fingers.has(event.pointerId)) return;
      this.before = { name: '', time: -Infinity };
      const within = new Set(before);
      if (!within.delete(name)) within.add(name);
      this.events.select({ within }, false);
    }, LONG);
  }

  /** While blocks are dragged only places change. */
  private moveNodes(): void {
    this.measure();
    for (const [name, { box }] of this.nodes) this.blocks.querySelector(`[data-node="${CSS.escape(name)}"]`)?.setAttribute('transform', `translate(${box.x} ${box.y})`);
    this.drawLines();
  }

  /** From a port to another one: a drag, or two clicks. */
  private wire(event: PointerEvent, at: PortEnd): void {
    if (event.button !== 0) return;
    event.stopPropagation();
    event.preventDefault();
    if (this.pending) return this.finish(at);
    const wire = svg('path', { class: 'pending' });
    this.pending = { start: at, wire };
    this.zoomed.element.classList.add('connecting');
    this.zoomed.element.append(wire);
    let moved = false;
    const follow = (to: PointerEvent) => {
      if (Math.hypot(to.clientX - event.clientX, to.clientY - event.clientY) > CLICK) moved = true;
      const [x, y] = this.ports.get(`${at.side} ${at.end}`)!, now = this.zoomed.place(to.clientX, to.clientY);
      wire.setAttribute('d', `M${x} ${y}C${x + (at.side === 'out' ? 50 : -50)} ${y} ${now.x + (at.side === 'out' ? -50 : 50)} ${now.y} ${now.x} ${now.y}`);
    };
    this.follow(event, follow, (to) => {
      const target = document.elementFromPoint(to.clientX, to.clientY)?.closest<SVGElement>('[data-port]'), finger = to.pointerType === 'touch';
      const other = target ? { end: target.dataset.port!, side: target.dataset.side as 'in' | 'out' } : null, near = finger ? this.portNear(to.clientX, to.clientY) : other;
      if (moved && near) this.finish(near);
      else if (moved) this.cancel();
      else this.events.say(finger ? 'Tap the other port, or beside it to give up.' : 'Click the other port, or press Escape.');
    }, () => this.cancel());
  }

  private finish(other: PortEnd): void {
    const { start } = this.pending!;
    this.cancel();
    if (other.end === start.end && other.side === start.side) return;
    if (other.side === start.side) return this.events.say(start.side === 'out' ? 'refused: both are outputs; a line leads from an output to an input' : 'refused: both are inputs; a line leads from an output to an input');
    const [from, to] = start.side === 'out' ? [start.end, other.end] : [other.end, start.end];
    this.events.connect(from, to);
  }

  cancel(): void {
    this.pending?.wire.remove();
    this.pending = null;
    this.zoomed.element.classList.remove('connecting');
  }

  private selectWithin(event: PointerEvent): void {
    if (event.button !== 0) return;
    event.stopPropagation();
    const from = this.zoomed.place(event.clientX, event.clientY), frame = svg('rect', { class: 'rubber' });
    let area: Box = { x: from.x, y: from.y, width: 0, height: 0 };
    this.zoomed.element.append(frame);
    this.follow(event, (to) => {
      const now = this.zoomed.place(to.clientX, to.clientY);
      area = { x: Math.min(from.x, now.x), y: Math.min(from.y, now.y), width: Math.abs(now.x - from.x), height: Math.abs(now.y - from.y) };
      for (const [key, value] of Object.entries(area)) frame.setAttribute(key, String(value));
    }, () => {
      frame.remove();
      const hit = ({ box }: Node) => box.x < area.x + area.width && box.x + box.width > area.x && box.y < area.y + area.height && box.y + box.height > area.y;
      this.events.select({ within: new Set([...this.nodes].filter(([, node]) => hit(node)).map(([name]) => name)) }, true);
    });
  }

  /** @param undo a second finger has come, which means something else */
  private follow(event: PointerEvent, move: (to: PointerEvent) => void, end: (to: PointerEvent) => void, undo = () => {}): void {
    const moving = (to: PointerEvent) => { if (to.pointerId === event.pointerId) move(to); };
    const stop = () => {
      this.interrupt = null;
      window.removeEventListener('pointermove', moving);
      window.removeEventListener('pointerup', ending);
      window.removeEventListener('pointercancel', ending);
    };
    const ending = (to: PointerEvent) => {
      if (to.pointerId !== event.pointerId) return;
      stop();
      end(to);
    };
    this.interrupt = () => { stop(); undo(); };
    window.addEventListener('pointermove', moving);
    window.addEventListener('pointerup', ending);
    window.addEventListener('pointercancel', ending);
  }
}
