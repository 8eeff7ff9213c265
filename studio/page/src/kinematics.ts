// The robot as a tree of three.js objects: joint positions go in, poses of all links come out.

import { Group, Object3D, Quaternion, Vector3, type Matrix4 } from 'three';
import type { Link, Pose, Robot, SceneDescription } from './scene_types';

export function setPose(object: Object3D, pose: Pose): void {
  object.position.set(...pose.p);
  object.quaternion.set(...pose.q);
}

export function matrixOf(pose: Pose): Matrix4 {
  const place = new Object3D();
  setPose(place, pose);
  place.updateMatrix();
  return place.matrix;
}

/** For each joint, whether it is the last of the three joints of a ball joint: the one whose link has turned. */
function endsOfBalls({ joints }: Robot): boolean[] {
  let part = 0;
  return joints.map((joint) => joint.kind === 'ball' && ++part % 3 === 0);
}

export class KinematicTree {
  readonly root = new Group();
  readonly links: Group[] = [];
  private readonly axes: Vector3[];
  private readonly ballEnds: boolean[];
  private readonly scratch = new Quaternion();
  private readonly turn = new Vector3();

  constructor(private readonly robot: Robot) {
    this.ballEnds = endsOfBalls(robot);
    this.links.push(new Group());
    this.root.add(this.links[0]);
    this.axes = robot.joints.map((joint) => new Vector3(...joint.axis));
    for (const joint of robot.joints) {
      const place = new Group(), link = new Group();
      if (joint.kind !== 'free') setPose(place, joint.X_PJ);
      place.updateMatrix();
      place.matrixAutoUpdate = false;
      (joint.parent >= 0 ? this.links[joint.parent] : this.root).add(place);
      place.add(link);
      this.links.push(link);
    }
  }

  /** @param values of all columns of a row; @param q where the configuration is among them */
  update(values: Float64Array, q: number[]): void {
    const base = this.links[0];
    base.position.set(values[q[0]], values[q[1]], values[q[2]]);
    base.quaternion.set(values[q[3]], values[q[4]], values[q[5]], values[q[6]]);
    const free = 7 + this.robot.dofs.length;
    this.robot.joints.forEach((joint, j) => {
      if (joint.kind === 'free') {
        const at = free + 7 * joint.body;
        this.links[j + 1].position.set(values[q[at]], values[q[at + 1]], values[q[at + 2]]);
        this.links[j + 1].quaternion.set(values[q[at + 3]], values[q[at + 4]], values[q[at + 5]], values[q[at + 6]]);
      }
      if (joint.parent < 0) return;
      if (joint.kind === 'ball') {
        if (this.ballEnds[j]) this.turnBall(this.links[j + 1], values, q, 7 + joint.dof - 2);
        return;
      }
      const position = joint.multiplier * values[q[7 + joint.dof]] + joint.offset;
      const link = this.links[j + 1];
      if (joint.kind === 'revolute') link.quaternion.copy(this.scratch.setFromAxisAngle(this.axes[j], position));
      else link.position.copy(this.axes[j]).multiplyScalar(position);
    });
    this.root.updateMatrixWorld(true);
  }

  /** @param first where the rotation vector of the ball begins in q */
  private turnBall(link: Group, values: Float64Array, q: number[], first: number): void {
    this.turn.set(values[q[first]], values[q[first + 1]], values[q[first + 2]]);
    const angle = this.turn.length();
    link.quaternion.setFromAxisAngle(this.turn.normalize(), angle);
  }

  /** A point of a link in the world. */
  toWorld(link: number, p: Vector3): Vector3 { return p.applyMatrix4(this.links[link].matrixWorld); }
}

/** Mass, centre of mass, momentum and energy of motion, link by link. Rotors of motors are not counted. */
export interface Motion { mass: number; com: Vector3; linear: Vector3; angular: Vector3; kinetic: number; potential: number }

/** Where a link is and how it moves; v is that of its origin, c its centre of mass, vc the velocity of that. */
interface LinkMotion { p: Vector3; R: Quaternion; v: Vector3; w: Vector3; c: Vector3; vc: Vector3 }

/** Finds the motion of all links; called for every picture, so it makes no new vectors but those that it returns. */
export class MotionFinder {
  readonly links: LinkMotion[];
  private readonly arm = new Vector3();
  private readonly spin = new Vector3();
  private readonly inner = new Vector3();
  private readonly back = new Quaternion();
  private readonly axes: Vector3[];
  private readonly ballEnds: boolean[];

  constructor(private readonly scene: SceneDescription) {
    this.ballEnds = endsOfBalls(scene.robot);
    this.links = scene.robot.links.map(() => (
      { p: new Vector3(), R: new Quaternion(), v: new Vector3(), w: new Vector3(), c: new Vector3(), vc: new Vector3() }));
    this.axes = scene.robot.joints.map((joint) => new Vector3(...joint.axis));
  }

  /** @param tree that stands as the values say */
  find(tree: KinematicTree, values: Float64Array): Motion {
    this.findVelocities(tree, values);
    const { robot } = this.scene;
    const motion: Motion = { mass: 0, com: new Vector3(), linear: new Vector3(), angular: new Vector3(), kinetic: 0, potential: 0 };
    robot.links.forEach((link, i) => {
      motion.mass += link.mass;
      motion.com.addScaledVector(this.links[i].c, link.mass);
      motion.linear.addScaledVector(this.links[i].vc, link.mass);
    });
    if (motion.mass > 0) motion.com.divideScalar(motion.mass);
    robot.links.forEach((link, i) => this.addSpin(motion, link, this.links[i]));
    motion.potential = -motion.mass * motion.com.dot(this.arm.fromArray(robot.gravity));
    return motion;
  }

  private findVelocities(tree: KinematicTree, values: Float64Array): void {
    const { robot, state } = this.scene, { arm } = this;
    const nu = (i: number) => values[state.nu[i]];
    this.links.forEach((link, i) => {
      link.p.setFromMatrixPosition(tree.links[i].matrixWorld);
      link.R.setFromRotationMatrix(tree.links[i].matrixWorld);
      if (i === 0) {
        link.v.set(nu(0), nu(1), nu(2));
        link.w.set(nu(3), nu(4), nu(5));
      } else if (robot.joints[i - 1].parent < 0) {
        const joint = robot.joints[i - 1], at = 6 + robot.dofs.length + 6 * joint.body;
        if (joint.kind === 'free') {
          link.v.set(nu(at), nu(at + 1), nu(at + 2));
          link.w.set(nu(at + 3), nu(at + 4), nu(at + 5));
        }
      } else {
        const joint = robot.joints[i - 1], parent = this.links[joint.parent], rate = joint.multiplier * nu(6 + joint.dof);
        link.v.crossVectors(parent.w, arm.copy(link.p).sub(parent.p)).add(parent.v);
        link.w.copy(parent.w);
        // Axes of ball joints stay in the joint frame, which is that of the link before the one that turns.
        arm.copy(this.axes[i - 1]).applyQuaternion(this.ballEnds[i - 1] ? parent.R : link.R);
        (joint.kind === 'prismatic' ? link.v : link.w).addScaledVector(arm, rate);
      }
      link.c.fromArray(robot.links[i].com).applyQuaternion(link.R).add(link.p);
      link.vc.crossVectors(link.w, arm.copy(link.c).sub(link.p)).add(link.v);
    });
  }

  private addSpin(motion: Motion, link: Link, { R, w, c, vc }: LinkMotion): void {
    const { spin, inner, arm } = this, I = link.inertia;
    spin.copy(w).applyQuaternion(this.back.copy(R).invert());
    inner.set(I[0] * spin.x + I[3] * spin.y + I[6] * spin.z, I[1] * spin.x + I[4] * spin.y + I[7] * spin.z,
      I[2] * spin.x + I[5] * spin.y + I[8] * spin.z);
    motion.kinetic += 0.5 * link.mass * vc.lengthSq() + 0.5 * inner.dot(spin);
    motion.angular.add(inner.applyQuaternion(R));
    motion.angular.add(arm.copy(c).sub(motion.com).cross(spin.copy(vc).multiplyScalar(link.mass)));
  }
}
