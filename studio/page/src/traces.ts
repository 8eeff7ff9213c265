// The ways that frames have gone.

import { BufferGeometry, Line, LineBasicMaterial, Vector3 } from 'three';
import { setPoints } from './geometry';
import type { KinematicTree } from './kinematics';
import type { Row } from './messages';
import type { SceneDescription } from './scene_types';

const TRACE_COLORS = ['#15aabf', '#f76707', '#7048e8', '#37b24d', '#e64980', '#f59f00'];
const MOST_TRACE_POINTS = 5000;

/** The way that a frame has gone. */
export class Trace {
  readonly line: Line;
  private points: { time: number; p: Vector3 }[] = [];

  constructor(readonly frame: number, private scene: SceneDescription, private tree: KinematicTree, number: number) {
    this.line = new Line(new BufferGeometry(), new LineBasicMaterial({ color: TRACE_COLORS[number % TRACE_COLORS.length] }));
  }

  get length(): number { return this.points.length; }
  /** The time of its last point. */
  get end(): number { return this.points.at(-1)?.time ?? -Infinity; }

  private position(): Vector3 {
    const frame = this.scene.robot.frames[this.frame];
    return this.tree.toWorld(frame.link, new Vector3(...frame.X_LF.p));
  }

  clear(): void {
    this.points = [];
    this.draw();
  }

  /** In place of what it had between the first and the last of these rows; leaves the tree at the last. */
  fill(rows: Row[]): void {
    if (rows.length === 0) return;
    const first = rows[0].time, last = rows[rows.length - 1].time;
    const between = rows.map((row) => {
      this.tree.update(row.values, this.scene.state.q);
      return { time: row.time, p: this.position() };
    });
    this.setPoints([...this.points.filter(({ time }) => time < first), ...between, ...this.points.filter(({ time }) => time > last)]);
  }

  /** The tree is at this row. */
  extend(row: Row): void {
    if (row.time > this.end) this.setPoints([...this.points, { time: row.time, p: this.position() }]);
  }

  private setPoints(points: { time: number; p: Vector3 }[]): void {
    this.points = points.slice(-MOST_TRACE_POINTS);
    this.draw();
  }

  private draw(): void {
    setPoints(this.line, this.points.map((point) => point.p));
  }
}
