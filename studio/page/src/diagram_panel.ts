// The simulation as a diagram, with live values on its lines, and where the time of a step goes.

import type { Panel } from './app';
import { format, h } from './dom';
import type { Row } from './messages';
import type { PlotPanel } from './plot_panel';
import type { Diagram } from './scene_types';
import type { Source } from './source';

const BOX = { width: 142, height: 54, gapX: 84, gapY: 34 };
const SVG = 'http://www.w3.org/2000/svg';

function svg(tag: string, attributes: Record<string, string | number>, text = ''): SVGElement {
  const element = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  if (text) element.textContent = text;
  return element;
}

export class DiagramPanel implements Panel {
  readonly title = 'Diagram';
  readonly element = h('div', { class: 'panel', 'data-test': 'diagram' });
  private drawing = h('div', { class: 'diagram' });
  private stages = h('div', { class: 'stages' });
  private labels: { text: SVGElement; columns: number[]; unit: string }[] = [];
  private times: { text: SVGElement; column: number }[] = [];
  private mean = new Map<number, number>();

  constructor(private source: Source, private plots: PlotPanel) {
    this.element.append(this.drawing, h('h3', {}, 'Time of a step'), this.stages);
    this.drawDiagram();
  }

  described(): void { this.drawDiagram(); }

  private drawDiagram(): void {
    const { diagram } = this.source.scene;
    this.labels = [];
    this.times = [];
    if (!diagram) return this.drawing.replaceChildren(h('p', { class: 'dim' }, 'This run says nothing about its diagram.'));
    const columns = 1 + Math.max(...diagram.blocks.map((block) => block.column)), rows = 1 + Math.max(...diagram.blocks.map((block) => block.row));
    const width = columns * (BOX.width + BOX.gapX), height = rows * (BOX.height + BOX.gapY) + BOX.gapY;
    const picture = svg('svg', { viewBox: `0 0 ${width} ${height}`, width: '100%' });
    picture.innerHTML = '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 8 4 0 8z" fill="currentColor"/></marker></defs>';
    for (const line of diagram.lines) this.drawLine(diagram, line, picture);
    for (const block of diagram.blocks) this.drawBlock(block, picture);
    this.drawing.replaceChildren(picture);
  }

  private corner(block: Diagram['blocks'][number]): { x: number; y: number } {
    return { x: block.column * (BOX.width + BOX.gapX) + BOX.gapX / 2, y: block.row * (BOX.height + BOX.gapY) + BOX.gapY };
  }

  private drawBlock(block: Diagram['blocks'][number], picture: SVGElement): void {
    const { x, y } = this.corner(block);
    const group = svg('g', { class: 'block' });
    group.append(svg('rect', { x, y, width: BOX.width, height: BOX.height, rx: 8 }), svg('text', { x: x + 10, y: y + 21, class: 'title' }, block.title));
    if (block.detail) group.append(svg('text', { x: x + 10, y: y + 40, class: 'detail' }, block.detail));
    if (block.time !== undefined && block.time >= 0) {
      const text = svg('text', { x: x + BOX.width - 8, y: y + 40, class: 'detail', 'text-anchor': 'end' });
      this.times.push({ text, column: block.time });
      group.append(text);
    }
    picture.append(group);
  }

  private drawLine(diagram: Diagram, line: Diagram['lines'][number], picture: SVGElement): void {
    const from = diagram.blocks.find((block) => block.id === line.from), to = diagram.blocks.find((block) => block.id === line.to);
    if (!from || !to) return;
    const a = this.corner(from), b = this.corner(to), middle = BOX.height / 2;
    let path: string, at: { x: number; y: number };
    if (to.column > from.column) {
      const x0 = a.x + BOX.width, y0 = a.y + middle, x1 = b.x, y1 = b.y + middle, half = (x0 + x1) / 2;
      path = `M${x0} ${y0} C${half} ${y0} ${half} ${y1} ${x1} ${y1}`;
      at = { x: half, y: (y0 + y1) / 2 - 5 };
    } else if (to.column === from.column) {
      const down = b.y > a.y, x = a.x + BOX.width / 2;
      path = `M${x} ${down ? a.y + BOX.height : a.y} L${x} ${down ? b.y : b.y + BOX.height}`;
      at = { x: x + 4, y: (a.y + b.y + BOX.height) / 2 + 4 };
    } else {
      const x0 = a.x, y0 = a.y + middle, x1 = b.x + BOX.width, y1 = b.y + middle, half = (x0 + x1) / 2;
      path = `M${x0} ${y0} C${half} ${y0} ${half} ${y1} ${x1} ${y1}`;
      at = { x: half, y: (y0 + y1) / 2 - 5 };
    }
    picture.append(svg('path', { d: path, class: 'line', 'marker-end': 'url(#tip)' }));
    const anchor = to.column === from.column ? 'start' : 'middle';
    const text = svg('text', { ...at, class: 'value', 'text-anchor': anchor }, line.label ?? '');
    picture.append(text);
    if (line.values?.length) this.labels.push({ text, columns: line.values, unit: line.unit ?? '' });
  }

  show(row: Row): void {
    for (const { text, columns, unit } of this.labels) {
      const values = columns.map((column) => row.values[column]);
      const shown = values.length === 1 ? format(values[0], 3) : `|${format(Math.hypot(...values), 3)}|`;
      text.textContent = `${shown} ${unit === '-' ? '' : unit}`;
    }
    for (const { text, column } of this.times) text.textContent = `${format(this.smooth(column, row), 3)} µs`;
    this.showStages(row);
  }

  /** Mean over the last pictures: single steps jitter. */
  private smooth(column: number, row: Row): number {
    const before = this.mean.get(column), now = row.values[column];
    const value = before === undefined || Number.isNaN(before) ? now : before + 0.15 * (now - before);
    this.mean.set(column, value);
    return value;
  }

  private showStages(row: Row): void {
    const stages = this.source.scene.columns.map(([name], column) => ({ name, column })).filter(({ name }) => name.startsWith('stage.'));
    if (stages.length === 0) return this.stages.replaceChildren(h('p', { class: 'dim' }, 'Only live simulations measure their stages.'));
    const values = stages.map(({ column }) => this.smooth(column, row)), total = values.reduce((sum, value) => sum + value, 0);
    this.stages.replaceChildren(...stages.map(({ name }, i) => h('div', { title: 'Double click plots it', ondblclick: () => this.plots.addPlot([name]) },
      h('span', {}, name.slice(6)), h('i', { style: `width:${(60 * values[i]) / Math.max(total, 1e-9)}%` }), h('b', {}, `${format(values[i], 3)} µs`))),
    h('div', {}, h('span', {}, 'all'), h('b', {}, `${format(total, 3)} µs`)));
  }
}
