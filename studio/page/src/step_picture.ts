// The way of the data through one step of the robot, with values on its lines and the time of each stage.

import { format } from './dom';
import type { Row } from './messages';
import type { StepDiagram } from './scene_types';
import { svg } from './svg';

const BOX = { width: 142, height: 54, gapX: 84, gapY: 34 };
type Box = StepDiagram['blocks'][number];

function corner(block: Box): { x: number; y: number } {
  return { x: block.column * (BOX.width + BOX.gapX) + BOX.gapX / 2, y: block.row * (BOX.height + BOX.gapY) + BOX.gapY };
}

export class StepPicture {
  readonly element: SVGElement;
  private labels: { text: SVGElement; columns: number[]; unit: string }[] = [];
  private times: { text: SVGElement; column: number }[] = [];

  constructor(private diagram: StepDiagram) {
    const columns = 1 + Math.max(...diagram.blocks.map((block) => block.column)), rows = 1 + Math.max(...diagram.blocks.map((block) => block.row));
    const width = columns * (BOX.width + BOX.gapX), height = rows * (BOX.height + BOX.gapY) + BOX.gapY;
    this.element = svg('svg', { viewBox: `0 0 ${width} ${height}`, width: '100%' });
    this.element.innerHTML = '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 8 4 0 8z" fill="currentColor"/></marker></defs>';
    for (const line of diagram.lines) this.drawLine(line);
    for (const block of diagram.blocks) this.drawBlock(block);
  }

  private drawBlock(block: Box): void {
    const { x, y } = corner(block);
    const group = svg('g', { class: 'block' });
    group.append(svg('rect', { x, y, width: BOX.width, height: BOX.height, rx: 8 }), svg('text', { x: x + 10, y: y + 21, class: 'title' }, block.title));
    if (block.detail) group.append(svg('text', { x: x + 10, y: y + 40, class: 'detail' }, block.detail));
    if (block.time !== undefined && block.time >= 0) {
      const text = svg('text', { x: x + BOX.width - 8, y: y + 40, class: 'detail', 'text-anchor': 'end' });
      this.times.push({ text, column: block.time });
      group.append(text);
    }
    this.element.append(group);
  }

  private drawLine(line: StepDiagram['lines'][number]): void {
    const find = (id: string) => this.diagram.blocks.find((block) => block.id === id);
    const from = find(line.from), to = find(line.to);
    if (!from || !to) return;
    const a = corner(from), b = corner(to), middle = BOX.height / 2, vertical = to.column === from.column;
    let path: string, at: { x: number; y: number };
    if (vertical) {
      const down = b.y > a.y, x = a.x + BOX.width / 2;
      path = `M${x} ${down ? a.y + BOX.height : a.y} L${x} ${down ? b.y : b.y + BOX.height}`;
      at = { x: x + 4, y: (a.y + b.y + BOX.height) / 2 + 4 };
    } else {
      const right = to.column > from.column, x0 = right ? a.x + BOX.width : a.x, x1 = right ? b.x : b.x + BOX.width;
      const y0 = a.y + middle, y1 = b.y + middle, half = (x0 + x1) / 2;
      path = `M${x0} ${y0} C${half} ${y0} ${half} ${y1} ${x1} ${y1}`;
      at = { x: half, y: (y0 + y1) / 2 - 5 };
    }
    const text = svg('text', { ...at, class: 'value', 'text-anchor': vertical ? 'start' : 'middle' }, line.label ?? '');
    this.element.append(svg('path', { d: path, class: 'line', 'marker-end': 'url(#tip)' }), text);
    if (line.values?.length) this.labels.push({ text, columns: line.values, unit: line.unit ?? '' });
  }

  showValues(row: Row): void {
    for (const { text, columns, unit } of this.labels) {
      const values = columns.map((column) => row.values[column]);
      const shown = values.length === 1 ? format(values[0], 3) : `|${format(Math.hypot(...values), 3)}|`;
      text.textContent = `${shown} ${unit === '-' ? '' : unit}`;
    }
  }

  /** Mean times by column [µs]. */
  showTimes(means: Map<number, number>): void {
    for (const { text, column } of this.times) text.textContent = means.has(column) ? `${format(means.get(column), 3)} µs` : '';
  }
}
