// Another run beside the one that is shown: a see-through robot that stands where it was at the same time.

import { RobotView } from './robot_view';
import type { Row } from './messages';
import type { Source } from './source';

const ROWS_AHEAD = 120;  // that are fetched at once while time runs
const SECONDS_AHEAD = 2;  // of the clock

export const GHOST_COLORS = ['#f76707', '#15aabf', '#9775fa', '#37b24d', '#e64980', '#f59f00'];
export const FORMER_COLOR = '#868e96';

export class Ghost {
  readonly view: RobotView;
  /** Somebody wants to see it. */
  on = true;
  /** Shown now; null: it has not been placed yet. */
  row: Row | null = null;
  private rows: Row[] = [];  // around the shown time, in their order
  private wanted: number | null = null;
  private asking = false;

  /** @param moved it stands elsewhere now */
  constructor(readonly source: Source, readonly name: string, readonly color: string, private moved: () => void) {
    this.view = new RobotView(source, color);
    this.view.group.visible = false;
    void this.view.ready.then(moved);
  }

  /** The rows of its run are others now. */
  forget(): void { this.rows = []; }

  /**
   * Rows come ahead of their time while time runs, so that it moves together with the robot; until they are there it stays where it is.
   * @param speed of the time; 0: it stands still
   */
  show(time: number, speed: number): void {
    const last = this.rows[this.rows.length - 1], inside = this.rows.length > 0 && time >= this.rows[0].time && time <= last.time;
    if (inside) this.place(this.rowAt(time));
    if (!inside || (speed > 0 && time > last.time - 0.3 * speed && this.rows.length > 1)) this.fetch(time, speed);
  }

  private rowAt(time: number): Row {
    let low = 0;
    for (let high = this.rows.length; high - low > 1; ) {
      const middle = (low + high) >> 1;
      if (this.rows[middle].time <= time) low = middle; else high = middle;
    }
    return this.rows[low];
  }

  private place(row: Row): void {
    if (row === this.row) return;
    this.row = row;
    this.view.show(row);
    this.moved();
  }

  private fetch(time: number, speed: number): void {
    this.wanted = time;
    if (this.asking) return;
    this.asking = true;
    void this.ask(speed).catch(() => { /* the connection is gone: it stays where it is */ }).finally(() => { this.asking = false; });
  }

  private async ask(speed: number): Promise<void> {
    while (this.wanted !== null) {
      const time: number = this.wanted;
      this.wanted = null;
      const rows = await this.source.rows(time, time + SECONDS_AHEAD * speed, speed > 0 ? ROWS_AHEAD : 1);
      if (rows.length === 0) continue;
      this.rows = rows;
      this.place(this.rowAt(time));
    }
  }
}
