// Plane and spatial geometry.

import { BufferAttribute, BufferGeometry, Vector3, type Line, type Mesh } from 'three';
import type { Contact } from './messages';

export type Point = [number, number];

/** Draws a line (or triangles) anew through some points, of which there may be more than before. */
export function setPoints(object: Line | Mesh, points: Vector3[]): void {
  let places = object.geometry.getAttribute('position') as BufferAttribute | undefined;
  if (!places || places.count < points.length) {
    object.geometry.dispose();
    object.geometry = new BufferGeometry();
    places = new BufferAttribute(new Float32Array(3 * Math.max(8, 2 * points.length)), 3);
    object.geometry.setAttribute('position', places);
    object.frustumCulled = false;  // nobody keeps its bounds up to date
  }
  points.forEach((p, i) => places.setXYZ(i, p.x, p.y, p.z));
  places.needsUpdate = true;
  object.geometry.setDrawRange(0, points.length);
}

/** Corners counter-clockwise, seen from above (Andrew's monotone chain). */
export function convexHull(points: Vector3[]): Vector3[] {
  const sorted = [...points].sort((a, b) => a.x - b.x || a.y - b.y);
  if (sorted.length < 3) return sorted;
  const turn = (o: Vector3, a: Vector3, b: Vector3) => (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x);
  const half = (list: Vector3[]) => {
    const chain: Vector3[] = [];
    for (const point of list) {
      while (chain.length >= 2 && turn(chain[chain.length - 2], chain[chain.length - 1], point) <= 0) chain.pop();
      chain.push(point);
    }
    return chain.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

/** Where the contact forces have no horizontal moment, at a height; null when nothing carries. */
export function zeroMomentPoint(contacts: Contact[], height: number): Point | null {
  let normal = 0, x = 0, y = 0;
  for (const { point: p, force: f } of contacts) {
    normal += f[2];
    x += p[0] * f[2] - (p[2] - height) * f[0];
    y += p[1] * f[2] - (p[2] - height) * f[1];
  }
  return normal > 1e-6 ? [x / normal, y / normal] : null;
}

/** Principal moments and right-handed axes of a symmetric 3 × 3 matrix given by columns (Jacobi's rotations). */
export function principalAxes(matrix: number[]): { moments: number[]; axes: [Vector3, Vector3, Vector3] } {
  const a = [[matrix[0], matrix[3], matrix[6]], [matrix[1], matrix[4], matrix[7]], [matrix[2], matrix[5], matrix[8]]];
  const v = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
  for (let sweep = 0; sweep < 12; ++sweep)
    for (const [p, q] of [[0, 1], [0, 2], [1, 2]]) {
      if (Math.abs(a[p][q]) < 1e-18) continue;
      const theta = 0.5 * Math.atan2(2 * a[p][q], a[q][q] - a[p][p]), c = Math.cos(theta), s = Math.sin(theta);
      for (let k = 0; k < 3; ++k) [a[k][p], a[k][q]] = [c * a[k][p] - s * a[k][q], s * a[k][p] + c * a[k][q]];
      for (let k = 0; k < 3; ++k) [a[p][k], a[q][k]] = [c * a[p][k] - s * a[q][k], s * a[p][k] + c * a[q][k]];
      for (let k = 0; k < 3; ++k) [v[k][p], v[k][q]] = [c * v[k][p] - s * v[k][q], s * v[k][p] + c * v[k][q]];
    }
  const x = new Vector3(v[0][0], v[1][0], v[2][0]), y = new Vector3(v[0][1], v[1][1], v[2][1]);
  return { moments: [a[0][0], a[1][1], a[2][2]], axes: [x, y, x.clone().cross(y)] };
}
