// Arrows along any direction, from their tail; what is hidden by the robot shines through it.

import { Color, ConeGeometry, CylinderGeometry, Group, MeshStandardMaterial, Quaternion, Vector3 } from 'three';
import { Instances } from './instances';

const Z = new Vector3(0, 0, 1);

export class Arrows {
  readonly group = new Group();
  private shafts: Instances;
  private heads: Instances;
  private readonly turn = new Quaternion();
  private readonly direction = new Vector3();
  private readonly scale = new Vector3();
  private readonly neck = new Vector3();

  constructor(color: string) {
    const material = new MeshStandardMaterial({ color, roughness: 0.5, emissive: new Color(color), emissiveIntensity: 0.25 });
    this.shafts = new Instances(new CylinderGeometry(1, 1, 1, 12).rotateX(Math.PI / 2).translate(0, 0, 0.5), material, color);
    this.heads = new Instances(new ConeGeometry(1, 1, 16).rotateX(Math.PI / 2).translate(0, 0, 0.5), material, color);
    this.group.add(this.shafts.group, this.heads.group);
  }

  get count(): number { return this.heads.mesh.count; }

  clear(): void { this.shafts.clear(); this.heads.clear(); }

  add(tail: Vector3, vector: Vector3, thickness: number): void {
    const length = vector.length();
    if (!(length > 1e-9)) return;
    this.turn.setFromUnitVectors(Z, this.direction.copy(vector).divideScalar(length));
    const head = Math.min(4 * thickness, 0.5 * length);
    this.shafts.add(tail, this.turn, this.scale.set(thickness, thickness, length - head));
    this.neck.copy(tail).addScaledVector(this.direction, length - head);
    this.heads.add(this.neck, this.turn, this.scale.set(2.2 * thickness, 2.2 * thickness, head));
  }

  finish(): void { this.shafts.finish(); this.heads.finish(); }
}
