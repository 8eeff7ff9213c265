// A chart as SVG: for files, and for plots of channels over each other.

import { axisText, axisTitle } from './axis_format';
import type { Range } from './plot_spec';
import { svg } from './svg';

export interface SvgCurve { color: string; dash?: number[]; x: ArrayLike<number>; y: ArrayLike<number>; scale: number }
export interface SvgChart {
  width: number; height: number;
  x: { range: Range; unit: string; title: string };
  /** From left to right: the first stands at the left, the others at the right. */
  scales: { range: Range; unit: string; log?: boolean }[];
  curves: SvgCurve[];
  /** Upright lines: the shown time, cursors. */
  marks?: { x: number; color: string }[];
}
export interface SvgColors { text: string; grid: string }

const LEFT = 66, RIGHT = 66, TOP = 8, BOTTOM = 34;  // for axes [pixels]
const STEPS = [1, 2, 2.5, 5, 10];
let clips = 0;

/** Round numbers in a range, not more than so many. */
export function niceTicks([low, high]: Range, most: number): { ticks: number[]; increment: number } {
  const rough = (high - low) / Math.max(1, most), power = 10 ** Math.floor(Math.log10(rough));
  const increment = power * (STEPS.find((step) => step * power >= rough * (1 - 1e-9)) ?? 10), ticks: number[] = [];
  for (let k = Math.ceil(low / increment - 1e-9); k * increment <= high + 1e-9 * increment; ++k) ticks.push(k * increment);
  return { ticks, increment };
}

/** Powers of ten in a range. */
function powersOfTen([low, high]: Range): number[] {
  const first = Math.ceil(Math.log10(low) - 1e-9), last = Math.floor(Math.log10(high) + 1e-9), every = Math.max(1, Math.ceil((last - first) / 6));
  return Array.from({ length: Math.max(0, Math.floor((last - first) / every) + 1) }, (_, k) => 10 ** (first + k * every));
}

export class ChartPainter {
  readonly element: SVGElement;
  private readonly box: { left: number; right: number; top: number; bottom: number };

  constructor(private chart: SvgChart, private colors: SvgColors) {
    const right = chart.scales.length > 1 ? RIGHT * (chart.scales.length - 1) : 12;
    this.box = { left: LEFT, right: chart.width - right, top: TOP, bottom: chart.height - BOTTOM };
    this.element = svg('g', { 'font-family': 'system-ui, sans-serif', 'font-size': 11 });
    this.paintTimeAxis();
    chart.scales.forEach((_, k) => this.paintScale(k));
    this.paintCurves();
  }

  xOf(value: number): number {
    const [low, high] = this.chart.x.range, { left, right } = this.box;
    return left + ((value - low) / (high - low)) * (right - left);
  }

  yOf(value: number, scale: number): number {
    const { range: [low, high], log } = this.chart.scales[scale], { top, bottom } = this.box;
    const part = log ? Math.log(Math.max(value, low) / low) / Math.log(high / low) : (value - low) / (high - low);
    return bottom - part * (bottom - top);
  }

  private line(x1: number, y1: number, x2: number, y2: number): void {
    this.element.append(svg('line', { x1: x1.toFixed(1), y1: y1.toFixed(1), x2: x2.toFixed(1), y2: y2.toFixed(1), stroke: this.colors.grid }));
  }

  private text(x: number, y: number, anchor: string, text: string, more: Record<string, string> = {}): void {
    this.element.append(svg('text', { x: x.toFixed(1), y: y.toFixed(1), 'text-anchor': anchor, fill: this.colors.text, ...more }, text));
  }

  private paintTimeAxis(): void {
    const { x, width } = this.chart, { left, right, top, bottom } = this.box;
    const { ticks, increment } = niceTicks(x.range, Math.max(2, (right - left) / 70)), text = axisText(ticks, increment);
    ticks.forEach((tick, i) => {
      this.line(this.xOf(tick), top, this.xOf(tick), bottom + 4);
      this.text(this.xOf(tick), bottom + 15, 'middle', text.labels[i]);
    });
    if (x.title) this.text(Math.min((left + right) / 2, width - 40), bottom + 30, 'middle', `${x.title} ${axisTitle(x.unit, text)}`);
  }

  private paintScale(k: number): void {
    const { range, unit, log } = this.chart.scales[k], { left, right, top, bottom } = this.box;
    const { ticks, increment } = log ? { ticks: powersOfTen(range), increment: 1 } : niceTicks(range, Math.max(2, (bottom - top) / 32));
    const text = log ? { labels: ticks.map((tick) => tick.toExponential(0).replace('e+', 'e')), exponent: 0, offset: 0 } : axisText(ticks, increment);
    const edge = k === 0 ? left : right + (k - 1) * RIGHT;
    ticks.forEach((tick, i) => {
      const y = this.yOf(tick, k);
      if (k === 0) this.line(left - 4, y, right, y);
      this.text(edge + (k === 0 ? -7 : 7), y + 4, k === 0 ? 'end' : 'start', text.labels[i]);
    });
    const x = k === 0 ? 12 : edge + RIGHT - 10, y = (top + bottom) / 2;
    this.text(x, y, 'middle', axisTitle(unit, text), { transform: `rotate(${k === 0 ? -90 : 90} ${x} ${y})` });
  }

  private paintCurves(): void {
    const { left, right, top, bottom } = this.box, id = `clip${++clips}`, clip = svg('clipPath', { id });
    clip.append(svg('rect', { x: left, y: top, width: Math.max(0, right - left), height: Math.max(0, bottom - top) }));
    const group = svg('g', { 'clip-path': `url(#${id})`, fill: 'none' });
    for (const curve of this.chart.curves)
      group.append(svg('path', { d: this.pathOf(curve), stroke: curve.color, 'stroke-width': 1.4, 'stroke-linejoin': 'round', ...(curve.dash ? { 'stroke-dasharray': curve.dash.join(' ') } : {}) }));
    for (const { x, color } of this.chart.marks ?? [])
      group.append(svg('line', { x1: this.xOf(x).toFixed(1), x2: this.xOf(x).toFixed(1), y1: top, y2: bottom, stroke: color, 'stroke-width': 1.5 }));
    this.element.append(clip, group);
  }

  private pathOf({ x, y, scale }: SvgCurve): string {
    let path = '', down = false;
    for (let i = 0; i < x.length; ++i) {
      const known = Number.isFinite(x[i]) && Number.isFinite(y[i]);
      if (known) path += `${down ? 'L' : 'M'}${this.xOf(x[i]).toFixed(1)} ${this.yOf(y[i], scale).toFixed(1)}`;
      down = known;
    }
    return path;
  }
}
