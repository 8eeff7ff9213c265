// The blocks and lines of a diagram, with values on the lines and times in the blocks. Places come from the server: footfall::drawDiagram().

import { format } from './dom';
import type { BlockDiagram, Drawing } from './scene_types';
import { svg, ZoomedPicture } from './svg';

/** What somebody points at: a signal or a block, by its name. */
export type Part = { signal: string } | { block: string };

export interface PictureEvents {
  /** Null: nothing any more. */
  pointed(part: Part | null): void;
  chosen(part: Part): void;
  /** A scope was clicked twice. */
  opened(block: string): void;
}

const RATES = ['#4dabf7', '#ff922b', '#51cf66', '#cc5de8', '#fcc419', '#20c997'];

/** Sample times from fast to slow, each with its colour; what never changes is grey. */
export function rateColour(drawing: Drawing, rate: number): string {
  return drawing.rates[rate] === 'constant' ? '#868e96' : RATES[rate % RATES.length];
}

/** As many numbers as fit: "0.02 −0.1 0.6 …". */
export function abbreviated(values: number[], whole: number, unit: string, letters: number): string {
  const end = unit ? ` ${unit}` : '';
  if (whole === 1) return format(values[0], 4) + end;
  const written = (value: number, digits: number) => format(Math.abs(value) < 1e-9 ? 0 : value, digits);
  for (const digits of [2, 1]) {  // a unit is worth a digit
    const text = values.map((value) => written(value, digits)).join(' ') + end;
    if (values.length === whole && text.length <= letters) return text;
  }
  let text = '';
  for (let k = 0; k < values.length; ++k) {
    const next = `${text}${k > 0 ? ' ' : ''}${written(values[k], 2)}`;
    if (next.length + (k + 1 < whole ? 2 : 0) > letters) return `${text} …`;
    text = next;
  }
  return values.length < whole ? `${text} …` : text;
}

/** Right angles with round corners. */
function path(points: [number, number][], shorter: number): string {
  const toward = ([x, y]: [number, number], [u, v]: [number, number]) => {
    const length = Math.hypot(u - x, v - y) || 1, r = Math.min(5, length / 2);
    return `${x + ((u - x) * r) / length} ${y + ((v - y) * r) / length}`;
  };
  const last = points.length - 1;
  return points.map((point, k) => {
    if (k === 0) return `M${point[0]} ${point[1]}`;
    if (k === last) return `L${point[0] - shorter} ${point[1]}`;
    return `L${toward(point, points[k - 1])}Q${point[0]} ${point[1]} ${toward(point, points[k + 1])}`;
  }).join('');
}

export class DiagramPicture {
  readonly zoomed: ZoomedPicture;
  private labels: { text: SVGElement; signal: string; letters: number; fallback: string }[] = [];
  private times = new Map<string, { text: SVGElement; bar: SVGElement; width: number }>();
  private parts = new Map<string, SVGElement[]>();

  constructor(private diagram: BlockDiagram, private columns: [string, string][], private events: PictureEvents) {
    const { drawing } = diagram;
    this.zoomed = new ZoomedPicture(drawing.width + 20, drawing.height + 20);
    const picture = this.zoomed.element;
    for (const frame of drawing.frames) this.drawFrame(frame, picture);
    for (const line of drawing.lines) this.drawLine(line, picture);
    for (const block of drawing.blocks) this.drawBlock(block, picture);
    for (const pin of drawing.pins) this.drawPin(pin, picture);
    for (const line of drawing.lines) this.drawLabel(line, picture);
    picture.addEventListener('pointerleave', () => events.pointed(null));
  }

  // ---- what is drawn once ----

  private reacts(element: SVGElement, part: Part): void {
    const key = JSON.stringify(part);
    this.parts.set(key, [...(this.parts.get(key) ?? []), element]);
    element.addEventListener('pointerenter', () => this.events.pointed(part));
    element.addEventListener('click', () => { if (!this.zoomed.dragged) this.events.chosen(part); });
  }

  private drawFrame(frame: Drawing['frames'][number], picture: SVGElement): void {
    const [x, y, width, height] = frame.box;
    picture.append(svg('rect', { x, y, width, height, rx: 9, class: 'frame' }), svg('text', { x: x + 10, y: y + 18, class: 'name' }, frame.name),
      svg('text', { x: x + width - 10, y: y + 18, class: 'kind end' }, frame.kind));
  }

  private drawLine(line: Drawing['lines'][number], picture: SVGElement): void {
    if (line.points.length < 2) return;
    const colour = rateColour(this.diagram.drawing, line.rate), group = svg('g', { class: 'line', 'data-signal': line.source, style: `color:${colour}` });
    const d = path(line.points, line.arrives ? 6 : 0), [x, y] = line.points[line.points.length - 1];
    group.append(svg('path', { d, class: 'near' }), svg('path', { d, class: 'stroke' }));
    if (line.arrives) group.append(svg('path', { d: `M${x} ${y}l-7 -3.4v6.8z`, class: 'tip' }));
    for (const [cx, cy] of line.junctions) group.append(svg('circle', { cx, cy, r: 2.6, class: 'tip' }));
    this.reacts(group, { signal: line.source });
    picture.append(group);
  }

  private drawBlock(block: Drawing['blocks'][number], picture: SVGElement): void {
    const [x, y, width, height] = block.box, colour = rateColour(this.diagram.drawing, block.rate);
    const group = svg('g', { class: 'block', 'data-block': block.path });
    const bar = svg('rect', { x: x + 1, y: y + 30, width: 0, height: 3.5, class: 'heat' });
    const text = svg('text', { x: x + width - 8, y: y + 13.5, class: 'time end' });
    group.append(svg('rect', { x, y, width, height, rx: 6 }), svg('path', { d: `M${x} ${y + 30}v-24a6 6 0 0 1 6 -6h${width - 12}a6 6 0 0 1 6 6v24z`, class: 'header' }), bar,
      svg('text', { x: x + 8, y: y + 13.5, class: 'name' }, block.name), text, svg('text', { x: x + 8, y: y + 25.5, class: 'kind' }, block.kind),
      svg('text', { x: x + width - 8, y: y + 25.5, class: 'rate end', style: `fill:${colour}` }, block.sample));
    this.drawPorts(block.inputs, x + 9, 'port', group);
    this.drawPorts(block.outputs, x + width - 9, 'port end', group);
    this.times.set(block.path, { text, bar, width: width - 2 });
    this.reacts(group, { block: block.path });
    // Other blocks leave a double click to the picture.
    if (block.kind === 'Scope') group.addEventListener('dblclick', (event) => { event.stopPropagation(); this.events.opened(block.path); });
    picture.append(group);
  }

  /** Ports that are not connected lie in one row: they are counted there; the block's details name them. */
  private drawPorts(ports: Drawing['blocks'][number]['inputs'], x: number, kind: string, group: SVGElement): void {
    const idle = new Map<number, string[]>();
    for (const { name, at: [, y], connected } of ports) {
      if (connected) group.append(svg('text', { x, y: y + 3.3, class: kind }, name));
      else idle.set(y, [...(idle.get(y) ?? []), name]);
    }
    for (const [y, names] of idle)
      group.append(svg('text', { x, y: y + 3.3, class: `${kind} idle` }, names.length === 1 ? names[0] : `+ ${names.length} idle`));
  }

  private drawPin(pin: Drawing['pins'][number], picture: SVGElement): void {
    const [x, y] = pin.at;
    picture.append(svg('path', { d: `M${pin.input ? x - 1 : x - 5} ${y - 4}l6 4l-6 4z`, class: 'pin' }),
      svg('text', { x: x + (pin.input ? 9 : -9), y: y + 3.3, class: pin.input ? 'port' : 'port end' }, pin.name));
  }

  private drawLabel(line: Drawing['lines'][number], picture: SVGElement): void {
    if (line.room <= 0 || line.points.length < 2) return;
    const [x, y] = line.points[0], text = svg('text', { x: x + 6, y: y - 4, class: 'value', 'data-value': line.source });
    this.reacts(text, { signal: line.source });
    this.labels.push({ text, signal: line.source, letters: Math.floor((line.room - 8) / 5.2), fallback: line.label });
    picture.append(text);
  }

  // ---- what changes ----

  unitOf(signal: string): string {
    const units = new Set((this.diagram.signals[signal]?.columns ?? []).map((column) => this.columns[column][1]));
    const [unit] = units;
    return units.size === 1 && unit !== '-' ? unit : '';
  }

  showValues(values: Float64Array): void {
    for (const { text, signal, letters, fallback } of this.labels) {
      const { columns, numbers } = this.diagram.signals[signal] ?? {};
      const known = columns !== undefined && columns.length > 0;
      text.classList.toggle('missing', !known);
      text.textContent = known ? abbreviated(columns.map((column) => values[column]), numbers ?? columns.length, this.unitOf(signal), letters) : fallback;
    }
  }

  /** Mean time of each block in a step [µs]. */
  showTimes(times: Map<string, number>): void {
    let all = 0;
    for (const time of times.values()) all += time;
    for (const [block, { text, bar, width }] of this.times) {
      const time = times.get(block);
      text.textContent = time === undefined ? '' : `${format(time, 2)} µs`;
      bar.setAttribute('width', String(time === undefined ? 0 : (width * time) / Math.max(all, 1e-9)));
    }
  }

  highlight(part: Part | null): void {
    for (const [key, elements] of this.parts)
      for (const element of elements) element.classList.toggle('marked', part !== null && key === JSON.stringify(part));
  }
}
