// Below a plot: name, value at the shown time and statistics of each channel.

import { isConstant } from './axis_format';
import { format, h } from './dom';
import type { Statistics } from './messages';

export const PLOT_COLORS = ['#339af0', '#f76707', '#37b24d', '#cc5de8', '#f59f00', '#f06595', '#15aabf', '#868e96'];

interface Entry { value: HTMLElement; statistics: HTMLElement; line: HTMLElement }

const LINE_HEIGHT = 16;  // in pictures [pixels]

export class PlotLegend {
  readonly element = h('div', { class: 'plot-legend' });
  private own: Entry[];
  private others: Entry[][];  // of each other run

  /** @param noises see noiseOf(); @param runs names of this run and of those that it is compared with; @param remove takes a channel out */
  constructor(private names: string[], private units: string[], private noises: number[], private runs: string[], remove: (name: string) => void) {
    this.own = names.map((name, i) => this.entry(name, i, 0, remove));
    this.others = runs.slice(1).map((_, k) => names.map((name, i) => this.entry(name, i, k + 1, remove)));
    names.forEach((_, i) => this.element.append(this.own[i].line, ...this.others.map((run) => run[i].line)));
  }

  private entry(name: string, i: number, run: number, remove: (name: string) => void): Entry {
    const color = PLOT_COLORS[i % PLOT_COLORS.length], value = h('b'), statistics = h('small', { class: 'dim' });
    const swatch = h('i', { class: run > 0 ? 'dashed' : '', style: `--color:${color}` });
    const label = h('span', { class: 'name', title: `${name}: drag it into another plot` }, run > 0 ? this.runs[run] : name);
    const line = h('div', { draggable: true, hidden: run > 0 }, swatch, label, value, statistics);
    line.ondragstart = (event) => event.dataTransfer?.setData('text/plain', name);
    if (run === 0) line.append(h('button', { class: 'x', title: 'Take out', 'aria-label': `Take ${name} out`, onclick: () => remove(name) }, '×'));
    return { value, statistics, line };
  }

  private unit(i: number): string { return this.units[i] === '-' ? '' : ` ${this.units[i]}`; }

  private describe(s: Statistics | undefined, i: number): string {
    if (!s) return '';
    if (isConstant(s.low, s.high, this.noises[i])) return s.high > s.low ? `constant ± ${format((s.high - s.low) / 2, 3)}` : 'constant';
    return `min ${format(s.low)} · max ${format(s.high)} · mean ${format(s.mean)} · rms ${format(s.rms)}`;
  }

  /** @param others of each other run; @param difference what is drawn are ours less those of the others */
  setStatistics(own: Statistics[], others: Statistics[][], difference: boolean): void {
    this.names.forEach((name, i) => {
      const [mine] = this.runs;
      this.own[i].line.querySelector('.name')!.textContent = this.runs.length > 1 && !difference ? `${name} · ${mine}` : name;
      this.own[i].statistics.textContent = difference ? '' : this.describe(own[i], i);
      this.others.forEach((run, k) => {
        run[i].line.hidden = others.length === 0;
        run[i].line.querySelector('.name')!.textContent = difference ? `Δ ${mine} − ${this.runs[k + 1]}` : this.runs[k + 1];
        run[i].statistics.textContent = this.describe(others[k]?.[i], i);
      });
    });
  }

  /** @param others of each other run, or differences to it */
  setValues(own: number[], others: number[][]): void {
    this.names.forEach((_, i) => {
      this.own[i].value.textContent = `${format(own[i])}${this.unit(i)}`;
      others.forEach((values, k) => { this.others[k][i].value.textContent = `${format(values[i])}${this.unit(i)}`; });
    });
  }

  /** Into a picture; returns the height that it took. */
  paint(pen: CanvasRenderingContext2D, y: number, scale: number, textColor: string): number {
    pen.font = `${11 * scale}px system-ui`;
    pen.textBaseline = 'middle';
    this.names.forEach((_, i) => {
      const middle = y + (i + 0.5) * LINE_HEIGHT * scale;
      pen.fillStyle = PLOT_COLORS[i % PLOT_COLORS.length];
      pen.fillRect(14 * scale, middle - scale, 14 * scale, 2 * scale);
      pen.fillStyle = textColor;
      pen.fillText(`${this.own[i].line.querySelector('.name')!.textContent}${this.unit(i) && ` [${this.units[i]}]`}   ${this.own[i].statistics.textContent}`,
        36 * scale, middle);
    });
    return (this.names.length * LINE_HEIGHT + 8) * scale;
  }

  paintedHeight(scale: number): number { return (this.names.length * LINE_HEIGHT + 8) * scale; }
}
