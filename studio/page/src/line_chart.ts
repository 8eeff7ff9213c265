// Lines over one axis, drawn by uPlot: time, or frequency. Knows nothing of channels.

import uPlot from 'uplot';
import { axisText, axisTitle, type AxisText } from './axis_format';
import { listenToFingers } from './gestures';
import type { Range } from './plot_spec';

export const AXIS_WIDTH = 58, LABEL_HEIGHT = 18;
const DECADES = 8;  // that a logarithmic axis has at most

export interface Curve { name: string; unit: string; color: string; dash?: number[]; shown: boolean }

export interface ChartLook {
  curves: Curve[];
  x: { unit: string; title: string | null };
  /** Unused room at the right [pixels]. */
  spare: number;
  log: boolean;
  /** The mouse is at the same place in all charts that are. */
  synced: boolean;
}

export interface ChartEvents {
  hover(x: number | null): void;
  click(x: number): void;
  /** Null: all of it. */
  zoomX(range: Range | null): void;
  /** Null: as large as the curves are. */
  zoomY(ranges: Record<string, Range> | null): void;
  /** Where an axis begins and ends. */
  range(unit: string, low: number | null, high: number | null): Range;
}

function logRange(low: number | null, high: number | null): Range {
  if (low == null || high == null || !(high > 0)) return [1e-3, 1];
  const top = Math.ceil(Math.log10(high) + 1e-9);
  return [10 ** Math.max(Math.floor(Math.log10(Math.max(low, 1e-300))), top - DECADES), 10 ** top];
}

/** Where a run has no value: uPlot knows null only, and not-a-number spoils the range of all curves. */
function withGaps(curve: number[]): (number | null)[] {
  return curve.some(Number.isNaN) ? curve.map((value) => (Number.isNaN(value) ? null : value)) : curve;
}

export class LineChart {
  /** What stands at the axes now. */
  readonly axes = new Map<string, AxisText>();
  private chart: uPlot | null = null;
  private x: Range = [0, 1];

  /** @param overlays elements that lie over the curves */
  constructor(private host: HTMLElement, private look: ChartLook, private events: ChartEvents, private overlays: HTMLElement[]) {}

  get units(): string[] { return [...new Set(this.look.curves.map((curve) => curve.unit))]; }

  setLook(look: ChartLook): void {
    this.look = look;
    this.destroy();
  }

  destroy(): void {
    this.chart?.destroy();
    this.chart = null;
  }

  setShown(curve: number, shown: boolean): void {
    this.look.curves[curve].shown = shown;
    this.chart?.setSeries(curve + 1, { show: shown });
  }

  draw(x: number[], curves: number[][], range: Range, height: number): void {
    const width = this.host.clientWidth, data = [x, ...curves.map(withGaps)] as uPlot.AlignedData;
    this.x = [range[0], Math.max(range[1], range[0] + 1e-6)];
    if (width <= 0) return;
    if (!this.chart) {
      this.chart = new uPlot(this.options(width, height), data, this.host);
      this.chart.over.append(...this.overlays);
    } else {
      this.chart.setData(data, false);
    }
    this.chart.setScale('x', { min: this.x[0], max: this.x[1] });
  }

  /** False: there is no chart yet. */
  resize(height: number): boolean {
    const width = this.host.clientWidth;
    if (!this.chart || width <= 0) return false;
    if (this.chart.width !== width || this.chart.height !== height) this.chart.setSize({ width, height });
    return true;
  }

  get width(): number { return this.chart ? this.chart.bbox.width / devicePixelRatio : 0; }

  /** From the left of the curves [pixels]; null: it is not in the picture. */
  placeOf(x: number): number | null {
    const part = (x - this.x[0]) / (this.x[1] - this.x[0]);
    return this.chart && part >= 0 && part <= 1 ? part * this.width : null;
  }

  valueAt(pixels: number): number { return this.x[0] + (pixels / Math.max(1, this.width)) * (this.x[1] - this.x[0]); }

  rangeOf(unit: string): Range {
    const scale = this.chart?.scales[unit];
    return [scale?.min ?? 0, scale?.max ?? 1];
  }

  // ---- how it looks ----

  private options(width: number, height: number): uPlot.Options {
    const { look } = this, { units } = this, text = color('--text-dim'), grid = color('--grid');
    const axis = (scale: string, side: number, unit: string, title: string | null): uPlot.Axis => ({
      scale, side, stroke: text, labelSize: LABEL_HEIGHT, size: side % 2 ? AXIS_WIDTH : 26, font: '11px system-ui', labelFont: '11px system-ui',
      values: (_chart, ticks, _axis, _space, increment) => this.labels(scale, ticks, increment),
      label: title === null ? undefined : () => `${title} ${axisTitle(unit, this.axes.get(scale) ?? { exponent: 0, offset: 0 })}`.trim(),
      grid: { stroke: grid, width: 1, show: side !== 1 }, ticks: { stroke: grid, width: 1, size: 4 },
    });
    return {
      width, height, legend: { show: false }, padding: [8, 14 + look.spare, 0, 0],
      cursor: { ...(look.synced ? { sync: { key: 'footfall' } } : {}), drag: { x: true, y: true, uni: 24, setScale: false }, bind: {
        dblclick: () => () => { this.events.zoomX(null); this.events.zoomY(null); return null; },
        mousedown: (_chart, _target, handler) => (event: MouseEvent) => (event.shiftKey ? null : handler(event)),
      } },
      scales: { x: { time: false, auto: false }, ...Object.fromEntries(units.map((unit) => [unit, this.scale(unit)])) },
      series: [{}, ...look.curves.map((curve): uPlot.Series => ({ label: curve.name, stroke: curve.color, width: 1.4, scale: curve.unit, dash: curve.dash, show: curve.shown, points: { show: false } }))],
      axes: [axis('x', 2, look.x.unit, look.x.title), ...units.map((unit, k) => axis(unit, k === 0 ? 3 : 1, unit, ''))],
      hooks: { setCursor: [(chart) => this.hover(chart)], setSelect: [(chart) => this.select(chart)], ready: [(chart) => this.listen(chart)] },
    };
  }

  private scale(unit: string): uPlot.Scale {
    if (this.look.log) return { auto: true, distr: 3, range: (_chart, low, high) => logRange(low, high) };
    return { auto: true, range: (_chart, low, high) => this.events.range(unit, low, high) };
  }

  private labels(scale: string, ticks: (number | null)[], increment: number): string[] {
    const logarithmic = this.look.log && scale !== 'x';
    const text = logarithmic ? { labels: ticks.map((tick) => tick?.toExponential(0).replace('e+', 'e') ?? ''), exponent: 0, offset: 0 } : axisText(ticks as number[], increment);
    this.axes.set(scale, text);
    return text.labels;
  }

  // ---- what is done with it ----

  private hover(chart: uPlot): void {
    const { left } = chart.cursor;
    this.events.hover(left !== undefined && left >= 0 ? chart.posToVal(left, 'x') : null);
  }

  /** A drag to the side zooms along it, one up or down across, one to a corner both. */
  private select(chart: uPlot): void {
    const { left, top, width, height } = chart.select, over = chart.over;
    if (width > 4 && width < over.clientWidth) this.events.zoomX([chart.posToVal(left, 'x'), chart.posToVal(left + width, 'x')]);
    if (height > 4 && height < over.clientHeight) this.zoomY((unit) => [chart.posToVal(top + height, unit), chart.posToVal(top, unit)]);
    chart.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  }

  private zoomY(range: (unit: string) => Range, units = this.units): void {
    if (!this.look.log) this.events.zoomY(Object.fromEntries(units.map((unit) => [unit, range(unit)])));
  }

  /** A click tells where, the wheel zooms around the mouse, with Shift it moves; over a scale at the side it zooms that one. */
  private listen(chart: uPlot): void {
    const { over } = chart;
    const move = (pixels: number) => {
      const by = (pixels * (this.x[1] - this.x[0])) / Math.max(1, over.clientWidth);
      this.events.zoomX([this.x[0] + by, this.x[1] + by]);
    };
    const around = (at: number, [low, high]: Range, factor: number): Range => [at + (low - at) * factor, at + (high - at) * factor];
    const zoomAcross = (y: number, factor: number, units?: string[]) => this.zoomY((unit) => around(chart.posToVal(y, unit), this.rangeOf(unit), factor), units);
    chart.root.addEventListener('wheel', (event) => {
      event.preventDefault();
      const box = over.getBoundingClientRect(), factor = (event.deltaY || event.deltaX) > 0 ? 1.25 : 0.8, y = event.clientY - box.top;
      if (event.clientX < box.left) return zoomAcross(y, factor, this.units.slice(0, 1));
      if (event.clientX > box.right) return zoomAcross(y, factor, this.units.slice(1));
      if (event.altKey) return zoomAcross(y, factor);
      if (event.shiftKey) return move(event.deltaX || event.deltaY);
      this.events.zoomX(around(chart.posToVal(event.clientX - box.left, 'x'), this.x, factor));
    }, { passive: false });
    chart.root.addEventListener('dblclick', (event) => { if (!over.contains(event.target as Node)) this.events.zoomY(null); });
    let down = { x: 0, y: 0 };
    over.addEventListener('mousedown', ({ clientX: x, clientY: y }) => { down = { x, y }; });
    over.addEventListener('mousemove', (event) => { if (event.buttons === 1 && event.shiftKey) move(-event.movementX); });
    over.addEventListener('mouseup', (event) => {
      if (Math.hypot(event.clientX - down.x, event.clientY - down.y) < 3 && !event.shiftKey) this.events.click(chart.posToVal(event.offsetX, 'x'));
    });
    listenToFingers(over, {
      pan: (pixels) => move(-pixels),
      zoom: (at, factor) => {
        if (factor.x !== 1) this.events.zoomX(around(chart.posToVal(at.x, 'x'), this.x, factor.x));
        if (factor.y !== 1) zoomAcross(at.y, factor.y);
      },
    });
  }
}

export function color(variable: string): string { return getComputedStyle(document.body).getPropertyValue(variable).trim(); }
