// What the camera is to see at first: the robot, the place where it would land, and those parts of the ground around it that have an end.

import { Box3, Vector3 } from 'three';
import { matrixOf } from './kinematics';
import type { Ground } from './scene_types';

const REACH = 2.5;  // parts of the ground that are further away than this many radii of the robot do not count
const FALL = 10;    // nor does the place below one that hangs higher than this many

export function boxWithGround(robot: Box3, grounds: Ground[], heightBelow: (p: Vector3) => number): Box3 {
  const radius = 0.5 * robot.getSize(new Vector3()).length(), near = robot.clone().expandByScalar(REACH * radius), all = robot.clone();
  const below = robot.getCenter(new Vector3());
  below.z = heightBelow(below);
  if (robot.min.z - below.z < FALL * radius) all.expandByPoint(below);
  for (const { pose, size } of grounds.flatMap((ground) => ground.boxes ?? [])) {
    const half = new Vector3(...size).multiplyScalar(0.5);
    const box = new Box3(half.clone().negate(), half).applyMatrix4(matrixOf(pose)).intersect(near);
    if (!box.isEmpty()) all.union(box);
  }
  return all;
}
