// Shows the impulses of impacts while time runs: they last one step, and most steps fall between two pictures.

import type { Row } from './messages';
import type { Source } from './source';

const FAR_BEHIND = 0.5;  // what happened longer ago is not shown any more [s]

export class ImpactFlash {
  private from = 0;        // impacts up to here have been shown [s]
  private next: number | null = null;  // the first one after it, if it is known; Infinity: there is none
  private asking = false;

  constructor(private source: Source, private show: (row: Row) => void) {}

  /** Time has jumped. */
  forget(time: number): void {
    this.from = time;
    this.next = null;
  }

  /** Time has run on to this row. */
  moved(time: number, speed: number): void {
    const behind = FAR_BEHIND * Math.max(1, speed || 1);
    if (time < this.from || time - this.from > behind) this.forget(Math.max(0, time - behind / 2));
    if (this.asking || (this.next !== null && this.next > time)) return;
    this.asking = true;
    this.look(time).catch(() => {}).finally(() => { this.asking = false; });
  }

  private async look(time: number): Promise<void> {
    if (this.next === null) this.next = (await this.source.nextImpact(this.from)) ?? Infinity;
    if (this.next > time) {
      // Of a simulation that goes on, nobody knows what comes.
      if (this.source.live) this.forget(time);
      return;
    }
    const row = await this.source.rowAt(this.next);
    this.forget(this.next);
    if (row) this.show(row);
  }
}
