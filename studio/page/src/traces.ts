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

  private position(): Vector3 {
    const frame = this.scene.robot.frames[this.frame];
    return this.tree.toWorld(frame.link, new Vector3(...frame.X_LF.p));
  }

  /** Of all these rows; leaves the tree at the last of them. */
  setRows(rows: Row[]): void {
    this.points = rows.map((row) => {
      this.tree.update(row.values, this.scene.state.q);
      return { time: row.time, p: this.position() };
    });
    this.draw();
  }

  /** The tree is at this row. */
  extend(row: Row): void {
    const last = this.points[this.points.length - 1];
    if (last && row.time <= last.time) return;
    this.points.push({ time: row.time, p: this.position() });
    if (this.points.length > MOST_TRACE_POINTS) this.points.splice(0, this.points.length - MOST_TRACE_POINTS);
    this.draw();
  }

  private draw(): void {
    setPoints(this.line, this.points.map((point) => point.p));
  }
}
