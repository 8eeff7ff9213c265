// The robot as a tree of three.js objects: joint positions go in, poses of all links come out.

import { Group, Quaternion, Vector3 } from 'three';
import type { Pose, Robot, SceneDescription } from './scene_types';

export function setPose(object: Group | import('three').Object3D, pose: Pose): void {
  object.position.set(...pose.p);
  object.quaternion.set(...pose.q);
}

export class KinematicTree {
  readonly root = new Group();
  readonly links: Group[] = [];
  private readonly axes: Vector3[];
  private readonly scratch = new Quaternion();

  constructor(private readonly robot: Robot) {
    this.links.push(new Group());
    this.root.add(this.links[0]);
    this.axes = robot.joints.map((joint) => new Vector3(...joint.axis));
    for (const joint of robot.joints) {
      const place = new Group(), link = new Group();
      setPose(place, joint.X_PJ);
      this.links[joint.parent].add(place);
      place.add(link);
      this.links.push(link);
    }
  }

  /** @param values of all columns of a row; @param q where the configuration is among them */
  update(values: Float64Array, q: number[]): void {
    const base = this.links[0];
    base.position.set(values[q[0]], values[q[1]], values[q[2]]);
    base.quaternion.set(values[q[3]], values[q[4]], values[q[5]], values[q[6]]);
    this.robot.joints.forEach((joint, j) => {
      const position = joint.multiplier * values[q[7 + joint.dof]] + joint.offset;
      const link = this.links[j + 1];
      if (joint.kind === 'revolute') link.quaternion.copy(this.scratch.setFromAxisAngle(this.axes[j], position));
      else link.position.copy(this.axes[j]).multiplyScalar(position);
    });
    this.root.updateMatrixWorld(true);
  }

  /** A point of a link in the world. */
  toWorld(link: number, p: Vector3): Vector3 { return p.applyMatrix4(this.links[link].matrixWorld); }
}

/** Mass, centre of mass, momentum and energy of motion, link by link. Rotors of motors are not counted. */
export interface Motion { mass: number; com: Vector3; linear: Vector3; angular: Vector3; kinetic: number; potential: number }

export function motionOf(tree: KinematicTree, scene: SceneDescription, values: Float64Array): Motion {
  const { robot, state } = scene;
  const nu = (i: number) => values[state.nu[i]];
  const v: Vector3[] = [new Vector3(nu(0), nu(1), nu(2))], w: Vector3[] = [new Vector3(nu(3), nu(4), nu(5))];
  const p = tree.links.map((link) => new Vector3().setFromMatrixPosition(link.matrixWorld));
  const R = tree.links.map((link) => link.getWorldQuaternion(new Quaternion()));
  robot.joints.forEach((joint, j) => {
    const rate = joint.multiplier * nu(6 + joint.dof);
    const axis = new Vector3(...joint.axis).applyQuaternion(R[j + 1]);
    const arm = p[j + 1].clone().sub(p[joint.parent]);
    const velocity = v[joint.parent].clone().add(w[joint.parent].clone().cross(arm));
    const turning = w[joint.parent].clone();
    if (joint.kind === 'revolute') turning.addScaledVector(axis, rate);
    else velocity.addScaledVector(axis, rate);
    v.push(velocity);
    w.push(turning);
  });
  const motion: Motion = { mass: 0, com: new Vector3(), linear: new Vector3(), angular: new Vector3(), kinetic: 0, potential: 0 };
  const centres = robot.links.map((link, i) => new Vector3(...link.com).applyQuaternion(R[i]).add(p[i]));
  const speeds = robot.links.map((_, i) => v[i].clone().add(w[i].clone().cross(centres[i].clone().sub(p[i]))));
  robot.links.forEach((link, i) => {
    motion.mass += link.mass;
    motion.com.addScaledVector(centres[i], link.mass);
    motion.linear.addScaledVector(speeds[i], link.mass);
  });
  if (motion.mass > 0) motion.com.divideScalar(motion.mass);
  robot.links.forEach((link, i) => {
    const spin = w[i].clone().applyQuaternion(R[i].clone().invert());
    const I = link.inertia;
    const inner = new Vector3(
      I[0] * spin.x + I[3] * spin.y + I[6] * spin.z, I[1] * spin.x + I[4] * spin.y + I[7] * spin.z,
      I[2] * spin.x + I[5] * spin.y + I[8] * spin.z);
    motion.kinetic += 0.5 * link.mass * speeds[i].lengthSq() + 0.5 * inner.dot(spin);
    motion.angular.add(inner.applyQuaternion(R[i]));
    motion.angular.add(centres[i].clone().sub(motion.com).cross(speeds[i].clone().multiplyScalar(link.mass)));
  });
  motion.potential = -motion.mass * motion.com.dot(new Vector3(...robot.gravity));
  return motion;
}
