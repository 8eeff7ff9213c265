// Many copies of one shape in one draw call.

import { InstancedMesh, Matrix4, MeshBasicMaterial, Group, type BufferGeometry, type Color, type Material, type Quaternion, type Vector3 } from 'three';

const MOST = 256;

export class Instances {
  readonly group = new Group();
  readonly mesh: InstancedMesh;
  private readonly behind: InstancedMesh | null;
  private readonly matrix = new Matrix4();

  /** @param seenThrough drawn faintly where something stands in front, in this color */
  constructor(geometry: BufferGeometry, material: Material, seenThrough?: string, most = MOST) {
    this.mesh = this.make(geometry, material, most);
    this.behind = seenThrough === undefined ? null
      : this.make(geometry, new MeshBasicMaterial({ color: seenThrough, transparent: true, opacity: 0.35, depthTest: false, depthWrite: false }), most);
    if (this.behind) {
      this.behind.instanceMatrix = this.mesh.instanceMatrix;
      this.behind.renderOrder = 3;
    }
  }

  private make(geometry: BufferGeometry, material: Material, most: number): InstancedMesh {
    const mesh = new InstancedMesh(geometry, material, most);
    mesh.frustumCulled = false;
    mesh.count = 0;
    mesh.visible = false;
    mesh.raycast = () => {};
    this.group.add(mesh);
    return mesh;
  }

  clear(): void { this.mesh.count = 0; }

  add(position: Vector3, turn: Quaternion, scale: Vector3, color?: Color): void {
    this.addMatrix(this.matrix.compose(position, turn, scale), color);
  }

  addMatrix(matrix: Matrix4, color?: Color): void {
    if (this.mesh.count >= this.mesh.instanceMatrix.count) return;
    this.mesh.setMatrixAt(this.mesh.count, matrix);
    if (color) this.mesh.setColorAt(this.mesh.count, color);
    this.mesh.count++;
  }

  finish(): void {
    const { count } = this.mesh;
    this.mesh.visible = count > 0;
    this.mesh.instanceMatrix.needsUpdate = true;
    if (this.mesh.instanceColor) this.mesh.instanceColor.needsUpdate = true;
    if (!this.behind) return;
    this.behind.count = count;
    this.behind.visible = count > 0;
  }
}
