// One plot: some channels over time, and a line at the time that the 3D view shows.

import uPlot from 'uplot';
import { axisRange, axisText, axisTitle, noiseOf, type AxisText } from './axis_format';
import { h } from './dom';
import type { Frame, Row, Series, Statistics } from './messages';
import { PLOT_COLORS, PlotLegend } from './plot_legend';
import { runNames } from './run_names';
import type { Source } from './source';
import { statisticsBetween, statisticsOf } from './statistics';

const HEIGHT = 170;
const AXIS_WIDTH = 58, LABEL_HEIGHT = 18;
const BETWEEN_STATISTICS = 250;  // [ms]
const DASHES = [[6, 4], [2, 3], [10, 3, 2, 3], [12, 6]];  // of the other runs, in their order
const MOST_POINTS = 24000;  // of a live plot before it is asked for anew

export type Window = [number, number];

export interface PlotEvents {
  seek(time: number): void;
  zoom(range: Window | null): void;
  /** Channels were taken out; none left: the plot goes. */
  changed(left: string[]): void;
}

interface Line { times: number[]; values: number[][] }
interface Resampled { times: Float64Array; values: Float64Array }

/** What is drawn: our channels; those of all runs; ours less those of each other run. */
type Mode = 'alone' | 'compared' | 'difference';

function interpolate(times: ArrayLike<number>, values: ArrayLike<number>, at: number): number {
  let low = 0, high = times.length - 1;
  if (high < 0 || at < times[0] || at > times[high]) return NaN;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= at) low = middle; else high = middle;
  }
  const span = times[high] - times[low];
  return span > 0 ? values[low] + ((values[high] - values[low]) * (at - times[low])) / span : values[low];
}

export class Plot {
  readonly element = h('div', { class: 'plot' });
  readonly columns: number[];
  private readonly units: string[];
  private readonly noises: number[];
  private readonly axes = new Map<string, AxisText>();  // by scale
  private readonly legend: PlotLegend;
  private chart: uPlot | null = null;
  private host = h('div', { class: 'chart' });
  private cursor = h('div', { class: 'now', 'data-test': 'now' });
  private under = h('div', { class: 'under', hidden: true, 'data-test': 'under' });  // the time below the mouse
  private hovered: number | null = null;  // [s]
  private row: Row | null = null;
  private line: Line = { times: [], values: [] };
  private loaded: Window = [NaN, NaN];
  private complete = false;
  private statistics: Statistics[] = [];
  private time = 0;
  private window: Window = [0, 1];
  private drawn: Window = [NaN, NaN];
  private stale = false;  // the chart has not got the newest rows
  private loading = false;
  private renewed = 0;  // the statistics [ms]
  private renewal = 0;  // timer
  private described: Window = [NaN, NaN];  // what the statistics are of
  private grown = false;  // rows have come since
  private mode: Mode = 'alone';
  private readonly runs: string[];
  private last = false;
  private spare = 0;  // at the right [pixels]

  constructor(readonly names: string[], private source: Source, private others: Source[], private events: PlotEvents) {
    this.columns = names.map((name) => source.scene.columns.findIndex(([each]) => each === name));
    this.units = this.columns.map((column) => source.scene.columns[column][1]);
    this.noises = names.map((name, i) => noiseOf(name, this.units[i], weightOf(source)));
    this.runs = runNames([source, ...others]);
    this.legend = new PlotLegend(names, this.units, this.noises, this.runs, (name) => events.changed(names.filter((each) => each !== name)));
    this.element.append(this.host, this.legend.element);
    this.clear();
  }

  /** Series that are drawn: ours, then those of the other runs. */
  private get seriesNames(): string[] {
    const [mine, ...others] = this.runs;
    if (this.mode === 'difference') return others.flatMap((run) => this.names.map((name) => `Δ ${name} (${mine} − ${run})`));
    return this.mode === 'compared' ? [...this.names, ...others.flatMap((run) => this.names.map((name) => `${name} (${run})`))] : this.names;
  }

  /** What is drawn of the other runs begins here. */
  private get firstOther(): number { return this.mode === 'difference' ? 0 : this.names.length; }

  private clear(): void { this.line = { times: [], values: this.seriesNames.map(() => []) }; }

  destroy(): void { clearTimeout(this.renewal); this.chart?.destroy(); this.chart = null; }

  /** Chosen colors live in the chart: another theme needs another chart. */
  rebuild(): void {
    this.destroy();
    this.draw();
  }

  /** Axes that stand at the right. */
  get rightAxes(): number { return new Set(this.units).size - 1; }

  /** Only the last plot of a stack says what its time axis is; all have the same room at the right, so that times lie below each other. */
  setPlace(last: boolean, rightAxes: number): void {
    const spare = (AXIS_WIDTH + LABEL_HEIGHT) * (rightAxes - this.rightAxes);
    if (last === this.last && spare === this.spare) return;
    [this.last, this.spare] = [last, spare];
    this.rebuild();
  }

  resize(): void {
    const width = this.host.clientWidth;
    if (width > 0 && this.chart && this.chart.width !== width) this.chart.setSize({ width, height: HEIGHT });
    else if (width > 0 && !this.chart) this.draw();
    this.placeCursor();
  }

  /** One question at a time: a page that draws slowly would otherwise only ever get answers that are too old. */
  async load(window: Window, difference: boolean, following: boolean): Promise<boolean> {
    if (this.loading) return false;
    this.loading = true;
    const from = window[0];
    // The newest rows that there are when the answer is made: later ones come with the frames that follow it.
    const to = this.source.live && following ? Number.MAX_VALUE : window[1];
    // Of a live window all rows are kept, so that new ones can be added to them.
    const buckets = this.source.live && following ? MOST_POINTS / 2 : Math.max(200, Math.round(1.5 * (this.host.clientWidth || 500)));
    try {
      const mine = await this.source.series(this.columns, from, to, buckets);
      const theirs = await Promise.all(this.others.map((other) => this.seriesOf(other, from, to, buckets)));
      this.take(mine, theirs, difference);
      this.loaded = [from, Math.max(window[1], mine.times[mine.times.length - 1] ?? window[1])];
      this.complete = mine.complete;
      this.described = window;
      this.grown = false;
      this.draw();
    } catch { /* the connection is gone; what is drawn stays */ }
    this.loading = false;
    return true;
  }

  /** The same channels of another run; null: it has not got this one. */
  private async seriesOf(other: Source, from: number, to: number, buckets: number): Promise<(Resampled | null)[]> {
    const found = this.names.map((name) => other.scene.columns.findIndex(([each]) => each === name));
    const present = found.filter((column) => column >= 0);
    if (present.length === 0) return found.map(() => null);
    const { times, columns } = await other.series(present, from, to, buckets);
    let next = 0;
    return found.map((column) => (column >= 0 ? { times, values: columns[next++].values } : null));
  }

  private take(mine: Series, theirs: (Resampled | null)[][], difference: boolean): void {
    const mode: Mode = theirs.length === 0 ? 'alone' : difference ? 'difference' : 'compared';
    if (mode !== this.mode) { this.mode = mode; this.destroy(); }
    const own = mine.columns.map((column) => Array.from(column.values));
    const others = theirs.flatMap((run) => run.map((series) =>
      Array.from(mine.times, (time) => (series ? interpolate(series.times, series.values, time) : NaN))));
    if (mode === 'difference') others.forEach((values, k) => values.forEach((value, r) => { values[r] = own[k % own.length][r] - value; }));
    this.line = { times: Array.from(mine.times), values: mode === 'difference' ? others : [...own, ...others] };
    const ofOthers = others.map((values) => statisticsOf(values));
    this.statistics = mode === 'difference' ? ofOthers : mine.columns.map((column) => column.statistics);
    this.legend.setStatistics(this.statistics, this.byRun(ofOthers), mode === 'difference');
  }

  /** A list of all other runs' channels as a list for each run. */
  private byRun<T>(all: T[]): T[][] {
    return this.others.map((_, k) => all.slice(k * this.names.length, (k + 1) * this.names.length));
  }

  /** New rows of a live simulation: they are drawn at the next setTime(). */
  append(fresh: Frame['fresh'], order: number[]): void {
    if (!this.complete || this.others.length > 0) return;
    const places = this.columns.map((column) => order.indexOf(column) + 1);
    if (places.includes(0) || fresh.width !== order.length + 1) return;
    for (let r = 0; r < fresh.count; ++r) {
      const at = r * fresh.width, time = fresh.values[at];
      if (time <= this.line.times[this.line.times.length - 1]) continue;
      this.line.times.push(time);
      places.forEach((place, i) => this.line.values[i].push(fresh.values[at + place]));
      this.loaded[1] = Math.max(this.loaded[1], time);
      this.stale = this.grown = true;
    }
    const surplus = this.line.times.length - MOST_POINTS;
    if (surplus <= 0) return;
    this.loaded = [this.line.times[surplus], this.loaded[1]];
    this.line.times.splice(0, surplus);
    for (const values of this.line.values) values.splice(0, surplus);
  }

  /** False when something of the window is missing, and has to be loaded. */
  setTime(time: number, window: Window, row: Row | null): boolean {
    this.time = time;
    this.window = window;
    this.showValues(row);
    if (this.chart && (this.stale || window[0] !== this.drawn[0] || window[1] !== this.drawn[1])) this.draw();
    this.placeCursor();
    const slack = 0.002 * (window[1] - window[0]) + 2 * this.source.scene.physics.step;
    const away = Math.max(...window.map((edge, k) => Math.abs(edge - this.described[k])));
    // Of all rows the statistics are found here; of extremes the server must be asked, for a growing window now and then.
    if ((this.grown || away !== 0) && this.complete && this.others.length === 0) this.renewStatistics();
    else if (!(away <= (this.source.pace.playing ? slack : 0))) return false;
    return window[0] >= this.loaded[0] - slack && window[1] <= this.loaded[1] + slack;
  }

  /** Other rows are shown than those that they are of; nobody reads numbers that change all the time. */
  private renewStatistics(): void {
    const wait = this.renewed + BETWEEN_STATISTICS - performance.now();
    clearTimeout(this.renewal);
    if (wait > 0) return void (this.renewal = window.setTimeout(() => this.renewStatistics(), wait));
    this.renewed = performance.now();
    this.described = this.window;
    this.grown = false;
    this.statistics = this.line.values.map((values) => statisticsBetween(this.line.times, values, ...this.window));
    this.legend.setStatistics(this.statistics, [], false);
  }

  private showValues(row: Row | null): void {
    this.row = row;
    const at = this.hovered ?? this.time;
    const drawn = (i: number) => interpolate(this.line.times, this.line.values[i] ?? [], at);
    const own = this.names.map((_, i) => (this.mode !== 'difference' && this.hovered !== null ? drawn(i) : row ? row.values[this.columns[i]] : NaN));
    this.legend.setValues(own, this.byRun(this.line.values.slice(this.firstOther).map((_, k) => drawn(this.firstOther + k))));
  }

  /** While the mouse is in a plot, all legends tell the values below it. */
  private hover(chart: uPlot): void {
    const { left } = chart.cursor, inside = left !== undefined && left >= 0;
    this.hovered = inside ? chart.posToVal(left, 'x') : null;
    this.under.hidden = !inside;
    if (inside) this.under.textContent = `${this.hovered!.toFixed(3)} s`;
    this.legend.element.classList.toggle('hovered', inside);
    this.showValues(this.row);
  }

  private draw(): void {
    const data = [this.line.times, ...this.line.values] as uPlot.AlignedData;
    const width = this.host.clientWidth;
    if (!this.chart && width > 0) {
      this.chart = new uPlot(this.options(width), data, this.host);
      this.chart.over.append(this.cursor, this.under);
    } else {
      this.chart?.setData(data, false);
    }
    this.chart?.setScale('x', { min: this.window[0], max: Math.max(this.window[1], this.window[0] + 1e-6) });
    this.drawn = this.window;
    this.stale = false;
    this.placeCursor();
  }

  /** A line of its own, so that moving it draws nothing anew. */
  private placeCursor(): void {
    if (!this.chart) return;
    const [from, to] = this.window, part = (this.time - from) / Math.max(to - from, 1e-9);
    this.cursor.hidden = !(part >= 0 && part <= 1);
    this.cursor.style.transform = `translateX(${((part * this.chart.bbox.width) / devicePixelRatio).toFixed(1)}px)`;
  }

  private options(width: number): uPlot.Options {
    const style = getComputedStyle(document.body), text = style.getPropertyValue('--text-dim').trim(), grid = style.getPropertyValue('--grid').trim();
    const units = [...new Set(this.units)];
    const axis = (scale: string, side: number, unit: string | undefined): uPlot.Axis => ({
      scale, side, stroke: text,
      values: (_chart, ticks, _axis, _space, increment) => { this.axes.set(scale, axisText(ticks, increment)); return this.axes.get(scale)!.labels; },
      label: unit === undefined ? undefined : () => (scale === 'x' ? `time ${this.axisTitle(scale, unit)}` : this.axisTitle(scale, unit)),
      labelSize: LABEL_HEIGHT, size: side % 2 ? AXIS_WIDTH : 26, font: '11px system-ui', labelFont: '11px system-ui',
      grid: { stroke: grid, width: 1, show: side !== 1 }, ticks: { stroke: grid, width: 1, size: 4 },
    });
    const series = this.seriesNames.map((name, k): uPlot.Series => {
      const i = k % this.names.length;
      const other = Math.floor((k - this.firstOther) / this.names.length);
      return { label: name, stroke: PLOT_COLORS[i % PLOT_COLORS.length], width: 1.4, scale: this.units[i],
        dash: other >= 0 ? DASHES[other % DASHES.length] : undefined, points: { show: false } };
    });
    return {
      width, height: HEIGHT, legend: { show: false }, padding: [8, 8 + this.spare, 0, 0],
      cursor: { sync: { key: 'footfall' }, drag: { x: true, y: false, setScale: false }, bind: {
        dblclick: () => () => { this.events.zoom(null); return null; },
        mousedown: (_chart, _target, handler) => (event: MouseEvent) => (event.shiftKey ? null : handler(event)),
      } },
      scales: { x: { time: false, auto: false }, ...Object.fromEntries(units.map((unit) => [unit, { auto: true, range: (_chart: uPlot, low: number, high: number) => axisRange(low, high, this.noiseOf(unit)) }])) },
      series: [{}, ...series],
      axes: [axis('x', 2, this.last ? 's' : undefined), ...units.map((unit, k) => axis(unit, k === 0 ? 3 : 1, unit))],
      hooks: { setCursor: [(chart) => this.hover(chart)], setSelect: [(chart) => this.select(chart)], ready: [(chart) => this.listen(chart)] },
    };
  }

  private axisTitle(scale: string, unit: string): string { return axisTitle(unit, this.axes.get(scale) ?? { exponent: 0, offset: 0 }); }

  /** Of the channels with this unit. */
  private noiseOf(unit: string): number { return Math.min(...this.noises.filter((_, i) => this.units[i] === unit)); }

  private select(chart: uPlot): void {
    const { left, width } = chart.select;
    if (width > 4) this.events.zoom([chart.posToVal(left, 'x'), chart.posToVal(left + width, 'x')]);
    chart.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  }

  /** A click goes to that time, the wheel zooms around it, with Shift the time is moved. */
  private listen(chart: uPlot): void {
    const move = (seconds: number) => this.events.zoom([this.window[0] + seconds, this.window[1] + seconds]);
    const perPixel = () => (this.window[1] - this.window[0]) / chart.over.clientWidth;
    chart.over.addEventListener('wheel', (event) => {
      event.preventDefault();
      if (event.shiftKey) return move((event.deltaX || event.deltaY) * perPixel());
      const at = chart.posToVal(event.offsetX, 'x'), factor = event.deltaY > 0 ? 1.25 : 0.8;
      this.events.zoom([at + (this.window[0] - at) * factor, at + (this.window[1] - at) * factor]);
    }, { passive: false });
    let down = 0;
    chart.over.addEventListener('mousedown', (event) => { down = event.clientX; });
    chart.over.addEventListener('mousemove', (event) => {
      if (event.buttons === 1 && event.shiftKey) move(-event.movementX * perPixel());
    });
    chart.over.addEventListener('mouseup', (event) => {
      if (Math.abs(event.clientX - down) < 3 && !event.shiftKey) this.events.seek(chart.posToVal(event.offsetX, 'x'));
    });
  }

  /** Draws the plot with its legend into a picture; returns the height that it took. */
  paint(pen: CanvasRenderingContext2D, y: number, textColor: string): number {
    const canvas = this.host.querySelector('canvas'), scale = devicePixelRatio;
    if (!canvas) return 0;
    pen.drawImage(canvas, 0, y);
    return canvas.height + this.legend.paint(pen, y + canvas.height, scale, textColor);
  }

  paintedHeight(scale: number): number { return (this.host.querySelector('canvas')?.height ?? 0) + this.legend.paintedHeight(scale); }
  get width(): number { return this.host.querySelector('canvas')?.width ?? 1; }

  summary(): { names: string[]; points: number; low: number[]; high: number[]; window: Window; axes: Record<string, string[]> } {
    const points = this.line.times.length, axes = Object.fromEntries([...this.axes].map(([scale, text]) => [scale, [axisTitle(scale === 'x' ? 's' : scale, text), ...text.labels]]));
    return { axes, names: this.seriesNames, points, low: this.statistics.map((s) => s.low), high: this.statistics.map((s) => s.high), window: this.window };
  }
}

/** Of the robot [N]. */
function weightOf({ scene }: Source): number {
  return Math.hypot(...scene.robot.gravity) * scene.robot.links.reduce((sum, link) => sum + link.mass, 0);
}
