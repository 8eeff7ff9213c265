// The time that is shown. Of a live simulation the newest instant, unless somebody looks back; then, as for a log, a place
// in what has been recorded.

import type { Frame, Row } from './messages';
import type { Source } from './source';

export const SPEEDS = [0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 100, 0];  // 0: as fast as it goes

const ROWS_AHEAD = 120;     // that are fetched at once
const LATE = 1000;           // an answer that has not come by then does not come any more [ms]
const FASTEST_REPLAY = 200;  // "as fast as it goes" for a log

export interface PlayerEvents {
  /** @param jumped time did not run there */
  row(row: Row, jumped: boolean): void;
  changed(): void;
}

export class Player {
  /** Shown now. */
  row: Row | null = null;
  /** Replaying what was recorded; a live simulation that goes on is `following`. */
  replaying = false;
  /** The newest instant is shown. */
  following: boolean;
  loop = false;
  /** What is repeated; null: all of it [s]. */
  range: [number, number] | null = null;
  private cursor = 0;          // [s]
  private lastTick = 0;        // [ms]
  private ahead: Row[] = [];   // rows around the cursor, in their order
  private fetching = false;
  private wanted: number | null = null;  // of the last scrub that waits for its turn
  private replaySpeed: number;           // of a log
  private asked: { speed: number; at: number } | null = null;  // of the server, which has not said yet that it does so

  constructor(private source: Source, private events: PlayerEvents) {
    this.following = source.live;
    this.replaySpeed = source.scene.view.speed ?? 1;
    requestAnimationFrame((now) => this.tick(now));
  }

  get time(): number { return this.cursor; }
  get playing(): boolean { return this.replaying || (this.following && this.source.live && this.source.pace.playing); }

  /** Of a live simulation that of the server, which is the same for all pages. */
  get speed(): number { return this.source.live ? this.asked?.speed ?? this.source.pace.speed : this.replaySpeed; }

  /** An earlier instant than the newest one of a live simulation is shown. */
  get looksBack(): boolean { return this.source.live && !this.following && this.row !== null; }

  receive(frame: Frame): void {
    if (this.asked && (frame.pace.speed === this.asked.speed || performance.now() - this.asked.at > LATE)) this.asked = null;
    if (this.following) this.show(frame.row, !frame.pace.playing);
    this.events.changed();
  }

  /** Rows were taken back: what was fetched is of no use any more. */
  forget(): void {
    this.ahead = [];
    if (this.source.live) this.following = true;
    this.replaying = false;
  }

  private show(row: Row, jumped: boolean): void {
    this.row = row;
    this.cursor = row.time;
    this.events.row(row, jumped);
  }

  private get atEnd(): boolean { return this.cursor >= this.source.extent.stop - 1e-12; }

  /** A live simulation goes on from the shown instant: what came after an earlier one stays as a ghost. */
  play(): void {
    if (!this.source.live || this.loop) return this.replay();
    this.replaying = false;
    if (this.looksBack && !this.atEnd) this.source.command({ do: 'branch', index: this.row!.index });
    else this.following = true;
    this.source.command({ do: 'play' });
    this.events.changed();
  }

  /** Shows again what was recorded from here on; a live simulation then goes on. */
  replay(): void {
    if (this.atEnd) this.cursor = this.repeated()[0];
    if (this.source.live && this.source.pace.playing) this.source.command({ do: 'pause' });
    this.following = false;
    this.replaying = true;
    this.lastTick = performance.now();
    this.events.changed();
  }

  /** Nothing comes any more. */
  stop(): void {
    this.replaying = false;
    this.events.changed();
  }

  pause(): void {
    this.replaying = false;
    if (this.source.live) this.source.command({ do: 'pause' });
    this.events.changed();
  }

  toggle(): void { this.playing ? this.pause() : this.play(); }

  setSpeed(speed: number): void {
    this.replaySpeed = speed;
    this.ahead = [];
    if (this.source.live) {
      this.asked = { speed, at: performance.now() };
      this.source.command({ do: 'speed', value: speed });
    }
    this.events.changed();
  }

  /** The next faster or slower one; "as fast as it goes" is the fastest. */
  changeSpeed(by: 1 | -1): void {
    const fast = (speed: number) => speed || Infinity, now = fast(this.speed);
    const further = SPEEDS.filter((speed) => (by === 1 ? fast(speed) > now : fast(speed) < now));
    if (further.length > 0) this.setSpeed(by === 1 ? further[0] : further[further.length - 1]);
  }

  async step(count: number): Promise<void> {
    this.replaying = false;
    const { first, end } = this.source.extent;
    const index = (this.row?.index ?? first) + count;
    if (this.source.live && count > 0 && index >= end) {
      this.following = true;
      this.source.command({ do: 'step', count: index - end + 1 });
      return;
    }
    if (this.source.live) this.source.command({ do: 'pause' });
    const row = await this.source.rowByIndex(Math.min(Math.max(index, first), end - 1)).catch(() => null);  // the connection is gone
    if (!row) return;
    this.following = this.source.live && row.index === end - 1;
    this.show(row, true);
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
    this.lastTick = performance.now();
    this.events.changed();
    if (this.fetching) return;
    this.fetching = true;
    try {
      while (this.wanted !== null) {
        const next: number = this.wanted;
        this.wanted = null;
        const row = await this.source.rowAt(next);
        if (!row) continue;
        this.row = row;
        this.events.row(row, true);
      }
    } catch {
      // The connection is gone: what is shown stays, and so does its time.
      this.wanted = null;
      this.cursor = this.row?.time ?? this.cursor;
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

  toStart(): void { void this.seek(this.source.extent.start); }

  /** Back to the newest instant of a live simulation. */
  toNewest(): void {
    this.replaying = false;
    if (!this.source.live) return void this.seek(this.source.extent.stop);
    void this.seek(this.source.extent.stop).then(() => { this.following = true; this.events.changed(); });
  }

  /** Pauses at the next impact, or at the one before; false: there is none. */
  async toImpact(direction: 1 | -1): Promise<boolean> {
    const time = await (direction === 1 ? this.source.nextImpact(this.cursor) : this.source.previousImpact(this.cursor));
    if (time === null) return false;
    if (this.playing) this.pause();
    await this.seek(time);
    return true;
  }

  // ---- repeating ----

  setLoop(loop: boolean): void {
    this.loop = loop;
    this.events.changed();
  }

  /** The shown time is where the repeated part starts, or where it ends. */
  markRange(which: 'start' | 'end'): void {
    let [from, to] = this.repeated();
    if (which === 'start') [from, to] = [this.cursor, Math.max(to, this.cursor)];
    else [from, to] = [Math.min(from, this.cursor), this.cursor];
    if (to - from < 2 * this.source.scene.physics.step) to = this.source.extent.stop;
    this.range = [from, to];
    this.setLoop(true);
  }

  setRange(range: [number, number] | null): void {
    this.range = range;
    this.setLoop(range !== null);
  }

  private repeated(): [number, number] {
    const { start, stop } = this.source.extent;
    return this.range ? [Math.max(start, this.range[0]), Math.min(stop, this.range[1])] : [start, stop];
  }

  // ---- replaying ----

  private tick(now: number): void {
    requestAnimationFrame((next) => this.tick(next));
    if (!this.replaying) return;
    const passed = Math.min(now - this.lastTick, 100) / 1000;
    this.lastTick = now;
    this.advance(Math.max(0, passed) * (this.speed || FASTEST_REPLAY));
  }

  private advance(seconds: number): void {
    const [start, stop] = this.loop ? this.repeated() : [this.source.extent.start, this.source.extent.stop];
    let next = this.cursor + seconds;
    if (next >= stop || (this.loop && next < start)) {
      if (this.loop) next = start;
      else {
        next = stop;
        this.replaying = false;
        if (this.source.live) return this.goOn();
      }
    }
    const row = this.fetched(next);
    if (!row) return void this.fetch(next);
    const jumped = next < this.cursor;
    this.cursor = next;
    if (row !== this.row) {
      this.row = row;
      this.events.row(row, jumped);
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
    if (this.wanted !== null) void this.seek(this.wanted);  // somebody scrubbed meanwhile
  }
}
