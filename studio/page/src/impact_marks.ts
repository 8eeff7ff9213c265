// Ticks in the time line: one for each impact of what has been recorded.

import { h } from './dom';
import { COLORS } from './layers';
import type { Source } from './source';

const BETWEEN = 1500;    // two questions for the impacts of a live simulation [ms]
const PLACES = 500;      // in which an impact can be

export class ImpactMarks {
  readonly element = h('canvas', { class: 'marks', width: 2 * PLACES, height: 10 });
  /** Of the impacts that are marked [s]. */
  times: number[] = [];
  private column: number;
  private marked = '';
  private asked = -Infinity;  // [ms]
  private later = 0;          // timer of a question that waits

  constructor(private source: Source) {
    this.column = source.scene.columns.findIndex(([name]) => name === 'impact');
  }

  /** What has been recorded may have changed. */
  update(): void {
    const { epoch, start, stop } = this.source.extent, wanted = `${epoch} ${start} ${stop}`;
    if (this.column < 0 || wanted === this.marked || this.later !== 0) return;
    const wait = this.asked + BETWEEN - performance.now();
    // Later means once more, also when nothing else happens: a run that was paused has all of its ticks.
    if (wait > 0) return void (this.later = window.setTimeout(() => { this.later = 0; this.update(); }, wait));
    this.asked = performance.now();
    this.marked = wanted;
    this.source.series([this.column], start, stop, PLACES)
      .then(({ times, columns }) => this.draw(times, columns[0].values, start, stop), () => { this.marked = ''; });
  }

  private draw(times: Float64Array, impacts: Float64Array, start: number, stop: number): void {
    const pen = this.element.getContext('2d')!, { width, height } = this.element;
    this.times = [...times].filter((_, i) => impacts[i] > 0);
    pen.clearRect(0, 0, width, height);
    pen.fillStyle = COLORS.impulse;
    for (const time of this.times) pen.fillRect(((time - start) / Math.max(stop - start, 1e-9)) * width - 1, 0, 2, height);
  }
}
