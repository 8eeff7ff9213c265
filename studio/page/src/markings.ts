// Light and dark patches on round shapes: without them nobody sees that they turn.

import { BufferAttribute, BufferGeometry, Vector3 } from 'three';

const DARK = 0.58;        // of what rolls
const SLIGHTLY_DARK = 0.85;  // of long ones, which are mostly bars

/** Is a place of a round shape in a dark patch? Axes of cylinders and capsules are z. */
function dark(shape: string, p: Vector3): boolean {
  if (shape === 'sphere') return p.x * p.y * p.z > 0;
  return Math.floor((Math.atan2(p.y, p.x) / Math.PI + 1) * 4) % 2 === 0;
}

/** The same shape with a color for each corner, sharp at the borders of the patches. */
export function withMarks(geometry: BufferGeometry, shape: string, long: boolean): BufferGeometry {
  const flat = geometry.toNonIndexed(), places = flat.getAttribute('position');
  const colors = new Float32Array(3 * places.count), corner = new Vector3(), centre = new Vector3();
  for (let i = 0; i < places.count; i += 3) {
    centre.set(0, 0, 0);
    for (let k = 0; k < 3; ++k) centre.add(corner.fromBufferAttribute(places, i + k));
    colors.fill(dark(shape, centre) ? (long ? SLIGHTLY_DARK : DARK) : 1, 3 * i, 3 * (i + 3));
  }
  flat.setAttribute('color', new BufferAttribute(colors, 3));
  flat.setIndex(Array.from({ length: places.count }, (_, i) => i));
  return flat;
}
