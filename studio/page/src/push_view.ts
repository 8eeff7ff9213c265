// Whatever pushes at the robot from outside: pushes of the scene, wrenches of its diagram, and mice.

import { Group, Vector3 } from 'three';
import { Arrows } from './arrows';
import type { KinematicTree } from './kinematics';
import { COLORS } from './layers';
import type { Push } from './messages';

export class PushView {
  readonly group = new Group();
  readonly forces = new Arrows(COLORS.pull);
  readonly moments = new Arrows(COLORS.moment);
  private readonly place = new Vector3();
  private readonly vector = new Vector3();

  /** @param size of the robot [m]; @param weight of it [N]: forces are as long as those of contacts, moments by the lever of the size */
  constructor(private size: number, private weight: number) { this.group.add(this.forces.group, this.moments.group); }

  /** @param held somebody pulls here and now, which is drawn up to the mouse */
  show(pushes: Push[], tree: KinematicTree, arrowScale: number, held: boolean): void {
    const scale = (0.9 * arrowScale * this.size) / this.weight, thick = 0.0065 * this.size;
    for (const arrows of [this.forces, this.moments]) arrows.clear();
    for (const push of pushes) {
      if (push.mouse && held) continue;
      const place = tree.toWorld(push.link, this.place.fromArray(push.point));
      this.forces.add(place, this.vector.fromArray(push.force).multiplyScalar(scale), thick);
      this.moments.add(place, this.vector.fromArray(push.moment).multiplyScalar(scale / this.size), thick);
    }
    for (const arrows of [this.forces, this.moments]) arrows.finish();
  }
}
