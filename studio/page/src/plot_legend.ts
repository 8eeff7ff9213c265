// Below a plot: name, value at the shown time and statistics of each channel.

import { isConstant } from './axis_format';
import { format, h } from './dom';
import type { Statistics } from './messages';
import { dashOf, dashPicture } from './run_dashes';

export const PLOT_COLORS = ['#339af0', '#f76707', '#37b24d', '#cc5de8', '#f59f00', '#f06595', '#15aabf', '#868e96'];

interface Entry { line: HTMLElement; swatch: HTMLElement; name: HTMLElement; value: HTMLElement; delta: HTMLElement; statistics: HTMLElement }

export interface LegendEvents {
  /** A channel is taken out. */
  remove(name: string): void;
  hide(name: string, hidden: boolean): void;
  /** Somebody wants to know what a channel belongs to. */
  choose(name: string): void;
}

export interface LegendChannels {
  names: string[];
  units: string[];
  /** See noiseOf(). */
  noises: number[];
  hidden: string[];
}

export class PlotLegend {
  readonly element = h('div', { class: 'plot-legend' });
  private own: Entry[];
  private others: Entry[][];  // of each other run

  /** @param runs names of this run and of those that it is compared with */
  constructor(private channels: LegendChannels, private runs: string[], private events: LegendEvents) {
    const { names } = channels;
    this.own = names.map((name, i) => this.entry(name, i, 0));
    this.others = runs.slice(1).map((_, k) => names.map((name, i) => this.entry(name, i, k + 1)));
    names.forEach((_, i) => this.element.append(this.own[i].line, ...this.others.map((run) => run[i].line)));
  }

  private entry(name: string, i: number, run: number): Entry {
    const value = h('b'), delta = h('span', { class: 'delta', hidden: true }), statistics = h('small', { class: 'dim' });
    const stroke = h('i', { class: run > 0 ? 'dashed' : '', style: `--color:${PLOT_COLORS[i % PLOT_COLORS.length]};${run > 0 ? `--dash:${dashPicture(dashOf(run))}` : ''}` });
    const swatch = h('button', { class: 'swatch', disabled: run > 0, 'aria-label': `Hide or show ${name}`, title: 'Hide or show this line' }, stroke);
    const label = h('span', { class: 'name', title: `${name}: drag it into another plot; a click picks what it belongs to`, tabIndex: 0, role: 'button', onclick: () => this.events.choose(name),
      onkeydown: (event: Event) => { if ((event as KeyboardEvent).key === 'Enter') this.events.choose(name); } }, run > 0 ? this.runs[run] : name);
    const line = h('div', { draggable: true, hidden: run > 0, 'data-entry': name }, swatch, label, value, delta, statistics);
    line.ondragstart = (event) => event.dataTransfer?.setData('text/plain', name);
    if (run > 0) return { line, swatch, name: label, value, delta, statistics };
    const show = (hidden: boolean) => { line.classList.toggle('off', hidden); swatch.setAttribute('aria-pressed', String(!hidden)); };
    show(this.channels.hidden.includes(name));
    swatch.onclick = () => {
      const hidden = !line.classList.contains('off');
      show(hidden);
      this.events.hide(name, hidden);
    };
    line.append(h('button', { class: 'x', title: 'Take out', 'aria-label': `Take ${name} out`, onclick: () => this.events.remove(name) }, '×'));
    return { line, swatch, name: label, value, delta, statistics };
  }

  private unit(i: number): string { return this.channels.units[i] === '-' ? '' : ` ${this.channels.units[i]}`; }

  private describe(s: Statistics | undefined, i: number): string {
    if (!s) return '';
    if (isConstant(s.low, s.high, this.channels.noises[i])) return s.high > s.low ? `constant ± ${format((s.high - s.low) / 2, 3)}` : 'constant';
    return `min ${format(s.low)} · max ${format(s.high)} · mean ${format(s.mean)} · rms ${format(s.rms)}`;
  }

  /** @param others of each other run; @param difference what is drawn are ours less those of the others */
  setStatistics(own: Statistics[], others: Statistics[][], difference: boolean): void {
    this.channels.names.forEach((name, i) => {
      const [mine] = this.runs;
      this.own[i].name.textContent = this.runs.length > 1 && !difference ? `${name} · ${mine}` : name;
      this.own[i].statistics.textContent = this.own[i].statistics.title = difference ? '' : this.describe(own[i], i);
      this.others.forEach((run, k) => {
        const statistics = others[k]?.[i];
        run[i].line.hidden = !statistics || !(statistics.low <= statistics.high);  // it has no such channel
        run[i].name.textContent = difference ? `Δ ${mine} − ${this.runs[k + 1]}` : this.runs[k + 1];
        run[i].statistics.textContent = run[i].statistics.title = this.describe(statistics, i);
      });
    });
  }

  /** @param others of each other run, or differences to it */
  setValues(own: number[], others: number[][]): void {
    this.channels.names.forEach((_, i) => {
      this.own[i].value.textContent = `${format(own[i])}${this.unit(i)}`;
      others.forEach((values, k) => { this.others[k][i].value.textContent = `${format(values[i])}${this.unit(i)}`; });
    });
  }

  /** From cursor A to cursor B. @param seconds between them; null: there are no cursors */
  setDeltas(deltas: number[] | null, seconds = NaN): void {
    this.own.forEach(({ delta, line }, i) => {
      delta.hidden = deltas === null;
      line.classList.toggle('with-delta', deltas !== null);
      if (deltas) delta.textContent = `Δ ${format(deltas[i])}${this.unit(i)} · ${format(deltas[i] / seconds)}${this.unit(i)}/s`;
    });
  }

  /** What stands there, for pictures. */
  texts(): { color: string; text: string; hidden: boolean }[] {
    return this.own.map(({ name, statistics, line }, i) => ({
      color: PLOT_COLORS[i % PLOT_COLORS.length], hidden: line.classList.contains('off'),
      text: `${name.textContent}${this.unit(i) && ` [${this.channels.units[i]}]`}   ${statistics.textContent}`,
    }));
  }
}
