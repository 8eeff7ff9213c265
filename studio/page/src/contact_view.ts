// Contacts of the shown instant: points, force and impulse arrows, friction cones.

import {
  Color, ConeGeometry, CylinderGeometry, DoubleSide, Group, InstancedMesh, Matrix4, MeshBasicMaterial, MeshStandardMaterial, Quaternion,
  SphereGeometry, Vector3, type BufferGeometry, type Material,
} from 'three';
import type { Contact } from './messages';

const MOST = 256;
export const MODE_COLORS = { open: '#8b95a5', sticking: '#2f9e44', sliding: '#f08c00' };
export const MODE_NAMES = ['open', 'sticking', 'sliding'] as const;
const FORCE_COLOR = '#e03131', IMPULSE_COLOR = '#9c36b5';
const Z = new Vector3(0, 0, 1);

class Instances {
  readonly mesh: InstancedMesh;
  private readonly matrix = new Matrix4();
  constructor(geometry: BufferGeometry, material: Material) {
    this.mesh = new InstancedMesh(geometry, material, MOST);
    this.mesh.frustumCulled = false;
    this.mesh.count = 0;
    this.mesh.raycast = () => {};
  }
  add(position: Vector3, turn: Quaternion, scale: Vector3, color?: Color): void {
    if (this.mesh.count >= MOST) return;
    this.mesh.setMatrixAt(this.mesh.count, this.matrix.compose(position, turn, scale));
    if (color) this.mesh.setColorAt(this.mesh.count, color);
    this.mesh.count++;
  }
  clear(): void { this.mesh.count = 0; }
  finish(): void {
    this.mesh.instanceMatrix.needsUpdate = true;
    if (this.mesh.instanceColor) this.mesh.instanceColor.needsUpdate = true;
  }
}

/** Arrows along any direction, from their tail. */
export class Arrows {
  readonly group = new Group();
  private shafts: Instances;
  private heads: Instances;
  constructor(color: string) {
    const material = new MeshStandardMaterial({ color, roughness: 0.5, emissive: new Color(color), emissiveIntensity: 0.25 });
    this.shafts = new Instances(new CylinderGeometry(1, 1, 1, 12).rotateX(Math.PI / 2).translate(0, 0, 0.5), material);
    this.heads = new Instances(new ConeGeometry(1, 1, 16).rotateX(Math.PI / 2).translate(0, 0, 0.5), material);
    this.group.add(this.shafts.mesh, this.heads.mesh);
  }
  clear(): void { this.shafts.clear(); this.heads.clear(); }
  add(tail: Vector3, vector: Vector3, thickness: number): void {
    const length = vector.length();
    if (!(length > 1e-9)) return;
    const turn = new Quaternion().setFromUnitVectors(Z, vector.clone().divideScalar(length));
    const head = Math.min(4 * thickness, 0.5 * length);
    this.shafts.add(tail, turn, new Vector3(thickness, thickness, length - head));
    this.heads.add(tail.clone().addScaledVector(vector, (length - head) / length), turn, new Vector3(2.2 * thickness, 2.2 * thickness, head));
  }
  finish(): void { this.shafts.finish(); this.heads.finish(); }
}

export class ContactView {
  readonly points = new Group();
  readonly forces = new Arrows(FORCE_COLOR);
  readonly impulses = new Arrows(IMPULSE_COLOR);
  readonly cones = new Group();
  private balls = new Instances(new SphereGeometry(1, 16, 12), new MeshStandardMaterial({ roughness: 0.5 }));
  private funnels: Instances;
  private colors = MODE_NAMES.map((name) => new Color(MODE_COLORS[name]));

  /** @param size of the robot [m]; @param weight of it [N]: a force of that size is drawn half as long as the robot */
  constructor(private size: number, private weight: number) {
    // The tip is at the contact, the opening looks along the normal.
    const funnel = new ConeGeometry(1, 1, 28, 1, true).rotateX(-Math.PI / 2).translate(0, 0, 0.5);
    this.funnels = new Instances(funnel, new MeshBasicMaterial({ transparent: true, opacity: 0.28, side: DoubleSide, depthWrite: false }));
    this.points.add(this.balls.mesh);
    this.cones.add(this.funnels.mesh);
  }

  show(contacts: Contact[]): void {
    for (const part of [this.balls, this.funnels, this.forces, this.impulses]) part.clear();
    const ball = 0.009 * this.size, thick = 0.0055 * this.size, height = 0.1 * this.size;
    for (const contact of contacts) {
      const p = new Vector3(...contact.point), color = this.colors[contact.mode];
      const turn = new Quaternion().setFromUnitVectors(Z, new Vector3(...contact.normal));
      this.balls.add(p, turn, new Vector3(ball, ball, ball), color);
      this.funnels.add(p, turn, new Vector3(contact.friction * height, contact.friction * height, height), color);
      this.forces.add(p, new Vector3(...contact.force).multiplyScalar((0.9 * this.size) / this.weight), thick);
      // Impulses of a fall from the robot's own height are about as long as the robot.
      this.impulses.add(p, new Vector3(...contact.impulse).multiplyScalar((3 * this.size) / this.weight), 1.3 * thick);
    }
    for (const part of [this.balls, this.funnels, this.forces, this.impulses]) part.finish();
  }
}
