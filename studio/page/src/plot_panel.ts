// Stacked plots over one time axis, with a list of channels to choose from.

import type { Panel } from './app';
import { ChannelList } from './channel_list';
import { h, kept, save } from './dom';
import type { Frame, Row } from './messages';
import { Plot, type Window } from './plot';
import type { Player } from './player';
import type { Source } from './source';

const LIVE_SPAN = 10;  // shown of a live simulation until somebody zooms [s]
const CSV_ROWS = 16000;  // in one answer
const REFRESH = 120;   // between two questions to the server [ms]
const BETWEEN_DRAWINGS = 30;  // while it plays [ms]

export class PlotPanel implements Panel {
  readonly title = 'Plots';
  readonly element = h('div', { class: 'panel plots', 'data-test': 'plots' });
  private stack = h('div', { class: 'stack' });
  private plots: Plot[] = [];
  /** Null: the newest seconds of a live run, all of a log. */
  private zoom: Window | 'whole' | null = null;
  private pending = 0;
  private difference = false;
  private drawn = 0;

  /** @param opened somebody wants to see the plots */
  constructor(private source: Source, private others: Source[], private player: Player, private opened: () => void) {
    const channels = new ChannelList(source.scene.columns, (name) => this.addPlot([name]));
    const button = (text: string, title: string, test: string, action: () => void) =>
      h('button', { class: 'small', title, 'data-test': test, onclick: action }, text);
    const tools = h('div', { class: 'tools' }, button('Whole run', 'Show all of the time', 'whole', () => this.setZoom('whole')),
      source.live ? button('Newest', `Show the newest ${LIVE_SPAN} s (double click)`, 'auto', () => this.setZoom(null)) : null,
      button('Repeat this', 'Repeat the time that the plots show', 'repeat-window', () => this.player.setRange(this.window())),
      button('CSV', 'Save what the plots show as a table', 'csv', () => void this.saveCsv()),
      button('PNG', 'Save the plots as a picture', 'png', () => this.savePng()),
      button('Clear', 'Remove all plots', 'clear', () => this.setLayout([])));
    if (others.length > 0) {
      const box = h('input', { type: 'checkbox', 'data-test': 'difference' });
      box.onchange = () => { this.difference = box.checked; this.refresh(); };
      tools.append(h('label', { title: 'Ours less those of the other runs' }, box, 'difference'));
    }
    const empty = h('div', { class: 'drop', 'data-test': 'drop' }, 'Drop a channel here for a new plot, or onto a plot to add it');
    this.acceptDrops(empty, (name) => this.addPlot([name]));
    this.element.append(channels.element, empty, tools, this.stack);
    this.setLayout(kept.read<string[][]>(this.layoutKey, this.firstLayout()));
  }

  /** Every robot has channels of its own. */
  private get layoutKey(): string { return `layout.${this.source.scene.robot.name}`; }

  /** Something worth seeing in any scene. */
  private firstLayout(): string[][] {
    const names = this.source.scene.columns.map(([name]) => name);
    const known = (...wanted: string[]) => wanted.filter((name) => names.includes(name));
    // Older logs know what the ground pushes with at points only.
    const matching = (pattern: RegExp) => names.filter((name) => pattern.test(name));
    const touching = [/\.ground_force\.normal$/, /\]\.force\.z$/].map(matching).find((found) => found.length > 0) ?? [];
    const feet = touching.filter((name) => /sole|foot|toe/i.test(name));
    const soles = (feet.length > 0 ? feet : touching).slice(0, 4);
    return [soles, known('base.position.z', 'com.position.z'), known('energy.kinetic')].filter((plot) => plot.length > 0);
  }

  // ---- what is plotted ----

  /** Buttons for other panels: each plots the channels whose names match, where there are some. */
  offer(choices: Record<string, RegExp>): HTMLElement {
    const names = this.source.scene.columns.map(([name]) => name);
    const found = Object.entries(choices).map(([text, pattern]) => ({ text, channels: names.filter((name) => pattern.test(name)) }));
    return h('div', { class: 'inline' }, ...found.filter(({ channels }) => channels.length > 0).map(({ text, channels }) =>
      h('button', { class: 'small', 'data-test': 'offer', onclick: () => { this.addPlot(channels); this.opened(); } }, text)));
  }

  addPlot(names: string[]): void { this.setLayout([...this.layout(), names]); }

  private layout(): string[][] { return this.plots.map((plot) => plot.names); }

  private setLayout(layout: string[][]): void {
    const names = new Set(this.source.scene.columns.map(([name]) => name));
    for (const plot of this.plots) plot.destroy();
    this.plots = layout.map((plot) => plot.filter((name) => names.has(name))).filter((plot) => plot.length > 0).map((plot) => this.makePlot(plot));
    this.stack.replaceChildren(...this.plots.map((plot) => plot.element));
    kept.write(this.layoutKey, this.layout());
    const rightAxes = Math.max(0, ...this.plots.map((plot) => plot.rightAxes));
    this.plots.forEach((plot, i) => plot.setPlace(i + 1 === this.plots.length, rightAxes));
    this.source.subscribe([...new Set(this.plots.flatMap((plot) => plot.columns))]);
    this.resize();
    this.refresh();
  }

  private makePlot(names: string[]): Plot {
    const plot: Plot = new Plot(names, this.source, this.others, {
      seek: (time) => void this.player.seek(time),
      zoom: (range) => this.setZoom(range),
      changed: (left) => this.setLayout(this.plots.map((each) => (each === plot ? left : each.names))),
    });
    this.acceptDrops(plot.element, (name) => {
      if (!plot.names.includes(name)) this.setLayout(this.plots.map((each) => (each === plot ? [...each.names, name] : each.names)));
    });
    return plot;
  }

  private acceptDrops(element: HTMLElement, take: (name: string) => void): void {
    element.addEventListener('dragover', (event) => { event.preventDefault(); element.classList.add('over'); });
    element.addEventListener('dragleave', () => element.classList.remove('over'));
    element.addEventListener('drop', (event) => {
      event.preventDefault();
      element.classList.remove('over');
      const name = event.dataTransfer?.getData('text/plain');
      if (name) take(name);
    });
  }

  // ---- which time is plotted ----

  private window(): Window {
    const { start, stop } = this.source.extent;
    if (this.zoom !== null && this.zoom !== 'whole') return this.zoom;
    if (!this.source.live || this.zoom === 'whole') return [start, stop];
    const end = this.player.following ? stop : Math.max(this.player.time + 0.2 * LIVE_SPAN, start + LIVE_SPAN);
    return [Math.max(start, Math.min(end, stop) - LIVE_SPAN), Math.min(end, stop)];
  }

  private setZoom(zoom: Window | 'whole' | null): void {
    if (zoom !== null && zoom !== 'whole' && !(zoom[1] - zoom[0] > 2 * this.source.scene.physics.step)) return;
    this.zoom = zoom === null || zoom === 'whole' ? zoom : this.inside(zoom);
    this.moved();
    this.refreshSoon();
  }

  /** Zoom ends where the run does; a window that is moved keeps its width. */
  private inside([from, to]: Window): Window | 'whole' {
    const { start, stop } = this.source.extent, span = to - from;
    if (!(span < stop - start)) return 'whole';
    const first = Math.min(Math.max(from, start), stop - span);
    return [first, first + span];
  }

  // ---- filling them ----

  receive(frame: Frame): void {
    if (frame.fresh.count > 0) for (const plot of this.plots) plot.append(frame.fresh, this.subscribedOrder());
  }

  private subscribedOrder(): number[] { return [...new Set(this.plots.flatMap((plot) => plot.columns))]; }

  forget(): void { this.refresh(); }

  show(_row: Row): void { this.moved(); }

  /** The shown time has changed. */
  moved(): void {
    const now = performance.now();
    if (this.element.hidden || (this.player.playing && now - this.drawn < BETWEEN_DRAWINGS)) return;
    this.drawn = now;
    const window = this.window();
    let complete = true;
    for (const plot of this.plots) complete = plot.setTime(this.player.time, window, this.player.row) && complete;
    if (!complete) this.refreshSoon();
  }

  private refreshSoon(): void {
    if (this.pending !== 0) return;
    this.pending = window.setTimeout(() => { this.pending = 0; this.refresh(); }, REFRESH);
  }

  refresh(): void {
    const window = this.window();
    for (const plot of this.plots) {
      void plot.load(window, this.difference, this.zoom === null).then((loaded) => {
        if (loaded) plot.setTime(this.player.time, this.window(), this.player.row);
        else this.refreshSoon();
      });
    }
  }

  resize(): void { for (const plot of this.plots) plot.resize(); }
  repaint(): void { for (const plot of this.plots) plot.rebuild(); }

  // ---- taking it away ----

  private async saveCsv(): Promise<void> {
    const columns = this.subscribedOrder(), [from, to] = this.window(), slice = CSV_ROWS * this.source.scene.physics.step;
    const name = (column: number) => { const [text, unit] = this.source.scene.columns[column]; return `${text} [${unit}]`; };
    const lines = [['time [s]', ...columns.map(name)].join(',')];
    let last = -Infinity;
    // All rows, however many: by slices that an answer can hold.
    for (let begin = from; begin <= to; begin += slice) {
      const series = await this.source.series(columns, begin, Math.min(begin + slice, to), CSV_ROWS);
      series.times.forEach((time, r) => {
        if (time <= last || time < from || time > to) return;
        last = time;
        lines.push([time, ...series.columns.map((column) => column.values[r])].join(','));
      });
    }
    save('footfall.csv', new Blob([lines.join('\n') + '\n'], { type: 'text/csv' }));
  }

  private savePng(): void {
    const style = getComputedStyle(document.body), scale = devicePixelRatio;
    const height = this.plots.reduce((sum, plot) => sum + plot.paintedHeight(scale), 0);
    const all = h('canvas', { width: Math.max(1, ...this.plots.map((plot) => plot.width)), height: Math.max(1, height) }), pen = all.getContext('2d')!;
    pen.fillStyle = style.backgroundColor;
    pen.fillRect(0, 0, all.width, all.height);
    let y = 0;
    for (const plot of this.plots) y += plot.paint(pen, y, style.color);
    all.toBlob((blob) => { if (blob) save('footfall.png', blob); });
  }

  /** For tests. */
  summary(): ReturnType<Plot['summary']>[] { return this.plots.map((plot) => plot.summary()); }
}
