// The time that is shown. Of a live simulation the newest instant, unless somebody looks back; then, as for a log, a place
// in what has been recorded.

import type { Frame, Row } from './messages';
import type { Source } from './source';

export const SPEEDS = [0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 100, 0];  // 0: as fast as it goes

const ROWS_AHEAD = 120;     // that are fetched at once
const FASTEST_REPLAY = 200;  // "as fast as it goes" for a log

export interface PlayerEvents {
  row(row: Row): void;
  changed(): void;
}

export class Player {
  /** Shown now. */
  row: Row | null = null;
  /** Replaying what was recorded; a live simulation that goes on is `following`. */
  replaying = false;
  /** The newest instant is shown. */
  following: boolean;
  speed = 1;
  loop = false;
  private cursor = 0;          // [s]
  private lastTick = 0;        // [ms]
  private ahead: Row[] = [];   // rows around the cursor, in their order
  private fetching = false;
  private wanted: number | null = null;  // of the last scrub that waits for its turn

  constructor(private source: Source, private events: PlayerEvents) {
    this.following = source.live;
    requestAnimationFrame((now) => this.tick(now));
  }

  get time(): number { return this.cursor; }
  get playing(): boolean { return this.replaying || (this.following && this.source.live && this.source.pace.playing); }

  receive(frame: Frame): void {
    if (this.following) this.show(frame.row);
    this.events.changed();
  }

  /** Rows were taken back: what was fetched is of no use any more. */
  forget(): void {
    this.ahead = [];
    if (this.source.live) this.following = true;
    this.replaying = false;
  }

  private show(row: Row): void {
    this.row = row;
    this.cursor = row.time;
    this.events.row(row);
  }

  play(): void {
    const atEnd = this.cursor >= this.source.extent.stop - 1e-12;
    if (this.source.live && (this.following || atEnd)) {
      this.following = true;
      this.source.command({ do: 'play' });
    } else {
      if (atEnd) this.cursor = this.source.extent.start;
      this.replaying = true;
      this.lastTick = performance.now();
    }
    this.events.changed();
  }

  pause(): void {
    this.replaying = false;
    if (this.source.live) this.source.command({ do: 'pause' });
    this.events.changed();
  }

  toggle(): void { this.playing ? this.pause() : this.play(); }

  setSpeed(speed: number): void {
    this.speed = speed;
    this.ahead = [];
    if (this.source.live) this.source.command({ do: 'speed', value: speed });
    this.events.changed();
  }

  async step(direction: 1 | -1): Promise<void> {
    this.replaying = false;
    const { first, end } = this.source.extent;
    const index = (this.row?.index ?? first) + direction;
    if (this.source.live && direction === 1 && index >= end) {
      this.following = true;
      this.source.command({ do: 'step', count: 1 });
      return;
    }
    if (this.source.live) this.source.command({ do: 'pause' });
    if (index < first || index >= end) return;
    const row = await this.source.rowByIndex(index);
    if (!row) return;
    this.following = this.source.live && index === end - 1;
    this.show(row);
    this.events.changed();
  }

  /** Goes to a time; of many calls in a row the last one counts. */
  async seek(time: number): Promise<void> {
    const { start, stop } = this.source.extent;
    const target = Math.min(Math.max(time, start), stop);
    if (this.source.live && this.source.pace.playing) this.source.command({ do: 'pause' });
    this.following = false;
    this.cursor = target;
    this.wanted = target;
    this.events.changed();
    if (this.fetching) return;
    this.fetching = true;
    try {
      while (this.wanted !== null) {
        const next: number = this.wanted;
        this.wanted = null;
        const row = await this.source.rowAt(next);
        if (row && this.wanted === null) {
          this.row = row;
          this.events.row(row);
        }
      }
    } catch {
      this.wanted = null;  // the connection is gone: what is shown stays
    } finally {
      this.fetching = false;
    }
    this.events.changed();
  }

  /** What was recorded has been replayed: the simulation takes over. */
  private goOn(): void {
    this.following = true;
    this.source.command({ do: 'play' });
    this.events.changed();
  }

  /** Back to the newest instant of a live simulation. */
  toNewest(): void {
    this.replaying = false;
    if (!this.source.live) return void this.seek(this.source.extent.stop);
    void this.seek(this.source.extent.stop).then(() => { this.following = true; this.events.changed(); });
  }

  async toNextImpact(): Promise<boolean> {
    const time = await this.source.nextImpact(this.cursor);
    if (time === null) return false;
    await this.seek(time);
    return true;
  }

  private tick(now: number): void {
    requestAnimationFrame((next) => this.tick(next));
    if (!this.replaying) return;
    const passed = Math.min(now - this.lastTick, 100) / 1000;
    this.lastTick = now;
    this.advance(Math.max(0, passed) * (this.speed || FASTEST_REPLAY));
  }

  private advance(seconds: number): void {
    const { start, stop } = this.source.extent;
    let next = this.cursor + seconds;
    if (next >= stop) {
      if (this.loop) next = start;
      else {
        next = stop;
        this.replaying = false;
        if (this.source.live) return this.goOn();
      }
    }
    const row = this.fetched(next);
    if (!row) return void this.fetch(next);
    this.cursor = next;
    if (row !== this.row) {
      this.row = row;
      this.events.row(row);
    }
    if (next > this.ahead[this.ahead.length - 1].time - 0.3 * (this.speed || FASTEST_REPLAY)) void this.fetch(next);
    this.events.changed();
  }

  /** The row at or before a time, if it has been fetched. */
  private fetched(time: number): Row | null {
    const rows = this.ahead;
    if (rows.length === 0 || time < rows[0].time) return null;
    const last = rows[rows.length - 1];
    if (time > last.time && last.time < this.source.extent.stop) return null;
    let low = 0;
    for (let high = rows.length; high - low > 1; ) {
      const middle = (low + high) >> 1;
      if (rows[middle].time <= time) low = middle;
      else high = middle;
    }
    return rows[low];
  }

  private async fetch(from: number): Promise<void> {
    if (this.fetching) return;
    this.fetching = true;
    try {
      // Two seconds of pictures: never more rows than are shown.
      this.ahead = await this.source.rows(from, from + (2 * (this.speed || FASTEST_REPLAY) * ROWS_AHEAD) / 120, ROWS_AHEAD);
    } catch {
      this.replaying = false;
    } finally {
      this.fetching = false;
    }
  }
}
