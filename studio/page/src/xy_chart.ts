// Channels over another one, with a dot at the shown time.

import { axisRange, isConstant } from './axis_format';
import { ChartPainter, type SvgChart } from './chart_svg';
import type { Curve } from './line_chart';
import { color } from './line_chart';
import type { Range } from './plot_spec';
import { interpolate, thinned } from './signal';
import { statisticsOf } from './statistics';
import { svg } from './svg';

const MOST_POINTS = 6000;  // of a curve

export class XyChart {
  readonly element = svg('svg', { class: 'xy', role: 'img' });
  private dots: SVGElement[] = [];
  private painter: ChartPainter | null = null;
  private times: number[] = [];
  private values: number[][] = [];
  private model: SvgChart | null = null;

  /** @param curves the first one is what the others are drawn over */
  constructor(private curves: Curve[], private noises: number[]) {}

  /** What was drawn last, for those who want to keep it. */
  get chart(): SvgChart | null { return this.model; }

  draw(times: number[], values: number[][], width: number, height: number): void {
    if (width <= 0 || values.length < this.curves.length) return;
    [this.times, this.values] = [times, values];
    this.model = this.modelOf(width, height);
    this.painter = new ChartPainter(this.model, { text: color('--text-dim'), grid: color('--grid') });
    this.dots = this.curves.slice(1).map((curve) => svg('circle', { r: 4, fill: curve.color, class: 'dot-now' }));
    this.element.replaceChildren(this.painter.element, ...this.dots);
    this.element.setAttribute('width', String(width));
    this.element.setAttribute('height', String(height));
  }

  private range(values: number[], noise: number): Range {
    const { low, high } = statisticsOf(values);
    return axisRange(low, high, isConstant(low, high, noise) ? noise : 0);
  }

  private modelOf(width: number, height: number): SvgChart {
    const [over, ...curves] = this.curves, units = [...new Set(curves.map((curve) => curve.unit))];
    // Every so many rows: extremes of two channels do not belong together.
    const every = Math.max(1, Math.ceil(this.times.length / MOST_POINTS)), some = (values: number[]) => values.filter((_, i) => i % every === 0);
    const scales = units.map((unit) => {
      const all = curves.flatMap((curve, k) => (curve.unit === unit && curve.shown ? thinned(this.times, [this.values[k + 1]], 500).curves[0] : []));
      return { unit, range: this.range(all, Math.min(...this.noises)) };
    });
    return {
      width, height, x: { unit: over.unit, title: over.name, range: this.range(this.values[0], this.noises[0]) }, scales,
      curves: curves.flatMap((curve, k) => (curve.shown ? [{ color: curve.color, dash: curve.dash, x: some(this.values[0]), y: some(this.values[k + 1]), scale: units.indexOf(curve.unit) }] : [])),
    };
  }

  setTime(time: number): void {
    const { painter, model } = this;
    if (!painter || !model) return;
    const at = (k: number) => interpolate(this.times, this.values[k], time), x = at(0);
    this.dots.forEach((dot, k) => {
      const y = at(k + 1), curve = this.curves[k + 1], seen = curve.shown && Number.isFinite(x) && Number.isFinite(y);
      dot.setAttribute('visibility', seen ? 'visible' : 'hidden');
      if (!seen) return;
      dot.setAttribute('cx', painter.xOf(x).toFixed(1));
      dot.setAttribute('cy', painter.yOf(y, model.scales.findIndex((scale) => scale.unit === curve.unit)).toFixed(1));
    });
  }
}
