// What the entries of a vector in a diagram are called: by joints, where it has one for each of them.

import type { Robot } from './scene_types';

const BASE = ['base v x', 'base v y', 'base v z', 'base ω x', 'base ω y', 'base ω z'];
const ANGULAR = new Set(['rad', 'rad/s', 'rad/s²', 'N m']);

/** @param units of its entries; null: they have no other names than their numbers */
export function entryNames(robot: Robot, count: number, units: string[]): string[] | null {
  const joints = robot.dofs.map((dof) => dof.name);
  if (count === joints.length + BASE.length && robot.floating_base && joints.length > 0) return [...BASE, ...joints];
  if (count !== joints.length) return null;
  // Places and wrenches have three or six entries, too: only units of joints tell them apart.
  const ambiguous = count <= 3 || count === 6;
  return !ambiguous || units.every((unit) => ANGULAR.has(unit)) ? joints : null;
}
