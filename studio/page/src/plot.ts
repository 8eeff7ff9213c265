// One plot: some channels over time, over frequency or over each other, and a line at the time that the 3D view shows.

import { axisRange, axisTitle, noiseOf } from './axis_format';
import type { SvgChart } from './chart_svg';
import { h } from './dom';
import { AXIS_WIDTH, color, LABEL_HEIGHT, LineChart, type Curve } from './line_chart';
import type { Frame, Row, Statistics } from './messages';
import { loadPlot, MOST_POINTS, needsEveryRow, type Mode, type PlotData } from './plot_data';
import { PLOT_COLORS, PlotLegend } from './plot_legend';
import { PlotMenu, type MenuEvents } from './plot_menu';
import { clampHeight, unitAfter, type PlotSpec, type Range } from './plot_spec';
import { dashOf } from './run_dashes';
import { runNames } from './run_names';
import { interpolate } from './signal';
import type { Source } from './source';
import { statisticsBetween } from './statistics';
import { TimeMarks } from './time_marks';
import { XyChart } from './xy_chart';

const BETWEEN_STATISTICS = 250;  // [ms]

export interface PlotEvents extends MenuEvents {
  seek(time: number): void;
  /** Null: all of the time. */
  zoom(range: Range | null): void;
  cursor(cursor: 0 | 1, time: number): void;
  /** Something of the spec has changed that needs no other plot. */
  kept(): void;
  choose(name: string): void;
}

export class Plot {
  readonly element = h('div', { class: 'plot' });
  readonly columns: number[];
  private readonly units: string[];
  private readonly noises: number[];
  private readonly runs: string[];
  private readonly legend: PlotLegend;
  private readonly marks: TimeMarks;
  private readonly lines: LineChart;
  private readonly xy: XyChart | null;
  private host = h('div', { class: 'chart' });
  private problem = h('div', { class: 'problem', hidden: true });
  private hovered: number | null = null;
  private row: Row | null = null;
  private data: PlotData;
  private loaded: Range = [NaN, NaN];
  private time = 0;
  private cursors: Range | null = null;
  private window: Range = [0, 1];
  private drawn: Range = [NaN, NaN];
  private stale = false;  // the chart has not got the newest rows
  private loading = false;
  private renewed = 0;  // the statistics [ms]
  private renewal = 0;  // timer
  private described: Range = [NaN, NaN];  // what the statistics are of
  private grown = false;  // rows have come since
  private last = false;
  private spare = 0;  // at the right [pixels]

  constructor(readonly spec: PlotSpec, private source: Source, private others: Source[], private events: PlotEvents) {
    const { names } = spec;
    this.columns = names.map((name) => source.scene.columns.findIndex(([each]) => each === name));
    this.units = this.columns.map((column) => unitAfter(spec.change, source.scene.columns[column][1]));
    this.noises = names.map((name, i) => noiseOf(name, this.units[i], weightOf(source)));
    this.runs = runNames([source, ...others]);
    this.legend = new PlotLegend({ names, units: this.units, noises: this.noises, hidden: spec.hidden }, this.runs, {
      remove: (name) => (names.length > 1 ? events.replaced({ ...spec, names: names.filter((each) => each !== name) }) : events.removed()),
      hide: (name, hidden) => this.hide(name, hidden),
      choose: (name) => events.choose(name),
    });
    this.data = { mode: 'alone', x: [], curves: names.map(() => []), statistics: [], complete: false, until: NaN };
    this.marks = new TimeMarks((cursor, pixels) => events.cursor(cursor, this.lines.valueAt(pixels)));
    this.lines = new LineChart(this.host, this.look(), {
      hover: (x) => this.hover(x),
      click: (x) => { if (spec.kind === 'time') events.seek(x); },
      zoomX: (range) => { if (spec.kind === 'time') events.zoom(range); },
      zoomY: (ranges) => this.zoomY(ranges),
      range: (unit, low, high) => spec.ranges[unit] ?? axisRange(low, high, this.noiseOf(unit)),
    }, spec.kind === 'time' ? this.marks.elements : this.marks.elements.slice(1, 2));
    this.xy = spec.kind === 'xy' ? new XyChart(this.curves(), this.noises) : null;
    if (this.xy) this.host.append(this.xy.element);
    this.host.style.height = `${spec.height}px`;
    const menu = new PlotMenu(spec, { ...events, fitted: () => this.zoomY(null) });
    this.element.append(menu.element, this.host, this.problem, this.legend.element, this.grip());
  }

  get names(): string[] { return this.spec.names; }

  // ---- how it looks ----

  /** Curves that are drawn: ours, then those of the other runs. */
  private curves(mode: Mode = this.data.mode): Curve[] {
    const [mine, ...others] = this.runs, { names, hidden } = this.spec;
    const curve = (i: number, name: string, dash?: number[]): Curve =>
      ({ name, unit: this.units[i], color: PLOT_COLORS[i % PLOT_COLORS.length], dash, shown: !hidden.includes(names[i]) });
    const own = mode === 'difference' ? [] : names.map((name, i) => curve(i, name));
    if (mode === 'alone') return own;
    const label = (name: string, run: string) => (mode === 'difference' ? `Δ ${name} (${mine} − ${run})` : `${name} (${run})`);
    return [...own, ...others.flatMap((run, k) => names.map((name, i) => curve(i, label(name, run), dashOf(k + 1))))];
  }

  private look(): ConstructorParameters<typeof LineChart>[1] {
    const overTime = this.spec.kind === 'time';
    return {
      curves: this.curves(), x: overTime ? { unit: 's', title: this.last ? 'time' : null } : { unit: 'Hz', title: 'frequency' },
      spare: this.spare, log: this.spec.kind === 'spectrum', synced: overTime,
    };
  }

  /** Of the channels with this unit. */
  private noiseOf(unit: string): number { return Math.min(...this.noises.filter((_, i) => this.units[i] === unit)); }

  destroy(): void {
    clearTimeout(this.renewal);
    this.lines.destroy();
  }

  /** Chosen colors live in the chart: another theme needs another chart. */
  rebuild(): void {
    this.lines.setLook(this.look());
    this.draw();
  }

  /** Axes that stand at the right. */
  get rightAxes(): number { return this.spec.kind === 'time' ? new Set(this.units).size - 1 : 0; }

  /** Only the last plot of a stack says what its time axis is; all have the same room at the right, so that times lie below each other. */
  setPlace(last: boolean, rightAxes: number): void {
    const spare = this.spec.kind === 'time' ? (AXIS_WIDTH + LABEL_HEIGHT) * (rightAxes - this.rightAxes) : 0;
    if (last === this.last && spare === this.spare) return;
    [this.last, this.spare] = [last, spare];
    this.rebuild();
  }

  resize(): void {
    if (this.xy ? this.host.clientWidth > 0 : !this.lines.resize(this.spec.height)) this.draw();
    this.placeMarks();
  }

  /** Its lower edge changes its height. */
  private grip(): HTMLElement {
    const grip = h('div', { class: 'grip', role: 'separator', tabIndex: 0, title: 'Drag to make the plot higher or lower (or ↑ ↓)', 'aria-label': 'Height of the plot', 'data-test': 'plot-grip' });
    const set = (height: number) => {
      this.spec.height = clampHeight(height);
      this.host.style.height = `${this.spec.height}px`;
      this.resize();
    };
    grip.onpointerdown = (event) => {
      const start = this.spec.height;
      event.preventDefault();  // nothing is to be dragged or selected meanwhile
      grip.setPointerCapture(event.pointerId);
      grip.onpointermove = (move) => set(start + move.clientY - event.clientY);
      grip.onpointerup = () => { grip.onpointermove = null; this.events.kept(); };
    };
    grip.onkeydown = (event) => {
      const by = { ArrowUp: -20, ArrowDown: 20 }[event.key];
      if (by === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      set(this.spec.height + by);
      this.events.kept();
    };
    return grip;
  }

  private hide(name: string, hidden: boolean): void {
    const { spec } = this;
    spec.hidden = hidden ? [...spec.hidden, name] : spec.hidden.filter((each) => each !== name);
    this.curves().forEach((curve, k) => this.lines.setShown(k, curve.shown));
    if (this.xy) this.draw();
    this.events.kept();
  }

  private zoomY(ranges: Record<string, Range> | null): void {
    this.spec.ranges = ranges === null ? {} : { ...this.spec.ranges, ...ranges };
    this.draw();
    this.events.kept();
  }

  // ---- what it draws ----

  /** One question at a time: a page that draws slowly would otherwise only ever get answers that are too old. */
  async load(window: Range, difference: boolean, following: boolean): Promise<boolean> {
    if (this.loading) return false;
    this.loading = true;
    try {
      const data = await loadPlot(this.spec, this.source, this.others, { window, difference, following, pixels: this.host.clientWidth || 500 });
      const other = data.mode !== this.data.mode;
      this.data = data;
      if (other) this.lines.setLook(this.look());
      this.loaded = [window[0], data.until];
      this.described = window;
      this.grown = false;
      this.problem.hidden = data.problem === undefined;
      this.problem.textContent = data.problem ?? '';
      this.tellStatistics();
      this.draw();
    } catch { /* the connection is gone; what is drawn stays */ }
    this.loading = false;
    return true;
  }

  private tellStatistics(): void {
    const { mode, statistics } = this.data, difference = mode === 'difference';
    if (this.spec.kind === 'spectrum') return;
    this.legend.setStatistics(statistics, mode === 'alone' ? [] : this.byRun(statistics.slice(difference ? 0 : this.names.length)), difference);
  }

  /** A list of all other runs' channels as a list for each run. */
  private byRun<T>(all: T[]): T[][] {
    return this.others.map((_, k) => all.slice(k * this.names.length, (k + 1) * this.names.length));
  }

  /** New rows of a live simulation: they are drawn at the next setTime(). */
  append(fresh: Frame['fresh'], order: number[]): void {
    const { complete, x, curves } = this.data;
    if (!complete) return;
    const places = this.columns.map((column) => order.indexOf(column) + 1);
    if (places.includes(0) || fresh.width !== order.length + 1) return;
    for (let r = 0; r < fresh.count; ++r) {
      const at = r * fresh.width, time = fresh.values[at];
      if (time <= x[x.length - 1]) continue;
      x.push(time);
      places.forEach((place, i) => curves[i].push(fresh.values[at + place]));
      this.loaded[1] = Math.max(this.loaded[1], time);
      this.stale = this.grown = true;
    }
    const surplus = x.length - MOST_POINTS;
    if (surplus <= 0) return;
    this.loaded = [x[surplus], this.loaded[1]];
    x.splice(0, surplus);
    for (const curve of curves) curve.splice(0, surplus);
  }

  /** False when something of the window is missing, and has to be loaded. */
  setTime(time: number, window: Range, row: Row | null, cursors: Range | null): boolean {
    this.time = time;
    this.window = window;
    this.cursors = cursors;
    this.showValues(row);
    if (this.spec.kind === 'time' && (this.stale || window[0] !== this.drawn[0] || window[1] !== this.drawn[1])) this.draw();
    this.placeMarks();
    const slack = 0.002 * (window[1] - window[0]) + 2 * this.source.scene.physics.step;
    const away = Math.max(...window.map((edge, k) => Math.abs(edge - this.described[k])));
    // Of all rows the statistics are found here; of extremes the server must be asked, for a growing window now and then.
    if ((this.grown || away !== 0) && this.data.complete) this.renewStatistics();
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
    this.data.statistics = this.data.curves.map((curve) => statisticsBetween(this.data.x, curve, ...this.window));
    this.tellStatistics();
  }

  private draw(): void {
    const { spec, data } = this;
    const range: Range = spec.kind === 'time' ? this.window : [0, data.x[data.x.length - 1] ?? 1];
    if (this.xy) this.xy.draw(data.x, data.curves, this.host.clientWidth, spec.height);
    else this.lines.draw(data.x, data.curves, range, spec.height);
    this.drawn = this.window;
    this.stale = false;
    this.placeMarks();
  }

  // ---- the shown time ----

  private placeMarks(): void {
    if (this.xy) this.xy.setTime(this.time);
    else if (this.spec.kind === 'time') this.marks.place(this.time, this.cursors, (time) => this.lines.placeOf(time));
  }

  private valueAt(curve: number, x: number): number { return interpolate(this.data.x, this.data.curves[curve] ?? [], x); }

  private showValues(row: Row | null): void {
    this.row = row;
    const { mode, curves } = this.data, { kind } = this.spec, at = this.hovered ?? (kind === 'spectrum' ? NaN : this.time), first = mode === 'difference' ? 0 : this.names.length;
    const drawn = mode !== 'difference' && (this.hovered !== null || needsEveryRow(this.spec));
    const own = this.names.map((_, i) => (drawn ? this.valueAt(i, at) : row ? row.values[this.columns[i]] : NaN));
    this.legend.setValues(own, mode === 'alone' ? [] : this.byRun(curves.slice(first).map((_, k) => this.valueAt(first + k, at))));
    const { cursors } = this;
    if (cursors === null || kind !== 'time') return this.legend.setDeltas(null);
    this.legend.setDeltas(this.names.map((_, i) => this.valueAt(i, cursors[1]) - this.valueAt(i, cursors[0])), cursors[1] - cursors[0]);
  }

  /** While the mouse is in a plot, all legends tell the values below it. */
  private hover(x: number | null): void {
    this.hovered = x;
    this.marks.hover(x === null ? null : this.spec.kind === 'time' ? `${x.toFixed(3)} s` : `${x.toPrecision(4)} Hz`);
    this.legend.element.classList.toggle('hovered', x !== null);
    this.showValues(this.row);
  }

  // ---- taking it away ----

  /** For pictures. @param width of it [pixels] */
  picture(width: number): { chart: SvgChart; legend: ReturnType<PlotLegend['texts']>; title: string } {
    const { spec, data } = this, curves = this.curves(), units = [...new Set(this.units)];
    const title = this.element.querySelector('.what')?.textContent ?? '', legend = this.legend.texts();
    if (this.xy?.chart) return { chart: this.xy.chart, legend, title };
    const log = spec.kind === 'spectrum', marks = [{ x: this.time, color: color('--danger') }, ...(this.cursors ?? []).map((x) => ({ x, color: color('--accent') }))];
    const chart: SvgChart = {
      width, height: spec.height, x: log ? { range: [0, data.x[data.x.length - 1] ?? 1], unit: 'Hz', title: 'frequency' } : { range: this.window, unit: 's', title: 'time' },
      scales: units.map((unit) => ({ unit, log, range: this.lines.rangeOf(unit) })), marks: log ? [] : marks,
      curves: curves.flatMap((curve, k) => (curve.shown ? [{ color: curve.color, dash: curve.dash, x: data.x, y: data.curves[k] ?? [], scale: units.indexOf(curve.unit) }] : [])),
    };
    return { chart, legend, title };
  }

  /** For tests. */
  summary(): { names: string[]; points: number; low: number[]; high: number[]; window: Range; axes: Record<string, string[]>; spec: PlotSpec; x: number[]; curves: number[][] } {
    const { x, curves, statistics } = this.data;
    const axes = Object.fromEntries([...this.lines.axes].map(([scale, text]) => [scale, [axisTitle(scale === 'x' ? 's' : scale, text), ...text.labels]]));
    const of = (key: keyof Statistics) => statistics.map((each) => each[key]);
    return { names: this.curves().map((curve) => curve.name), points: x.length, low: of('low'), high: of('high'), window: this.window, axes, spec: this.spec, x, curves };
  }
}

/** Of the robot [N]. */
function weightOf({ scene }: Source): number {
  return Math.hypot(...scene.robot.gravity) * scene.robot.links.reduce((sum, link) => sum + link.mass, 0);
}
