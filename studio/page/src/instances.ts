// Many copies of one shape in one draw call.

import { InstancedBufferAttribute, InstancedMesh, Matrix4, MeshBasicMaterial, Group, type BufferGeometry, type Color, type Material, type Quaternion, type Vector3 } from 'three';

const ROOM = 256;  // for copies at first: it grows
const SEEN_THROUGH = 0.35;  // opacity

export class Instances {
  readonly group = new Group();
  readonly mesh: InstancedMesh;
  private readonly behind: InstancedMesh | null;
  private readonly matrix = new Matrix4();

  /** @param seenThrough drawn faintly where something stands in front, in this color; @param opacity of that */
  constructor(geometry: BufferGeometry, material: Material, seenThrough?: string, opacity = SEEN_THROUGH) {
    this.mesh = this.make(geometry, material);
    this.behind = seenThrough === undefined ? null
      : this.make(geometry, new MeshBasicMaterial({ color: seenThrough, transparent: true, opacity, depthTest: false, depthWrite: false }));
    if (this.behind) {
      this.behind.instanceMatrix = this.mesh.instanceMatrix;
      this.behind.renderOrder = 3;
    }
  }

  private make(geometry: BufferGeometry, material: Material): InstancedMesh {
    const mesh = new InstancedMesh(geometry, material, ROOM);
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
    if (this.mesh.count >= this.mesh.instanceMatrix.count) this.grow();
    this.mesh.setMatrixAt(this.mesh.count, matrix);
    if (color) this.mesh.setColorAt(this.mesh.count, color);
    this.mesh.count++;
  }

  /** Twice the room, with what is there. */
  private grow(): void {
    const larger = (of: InstancedBufferAttribute) => {
      const array = new Float32Array(2 * of.array.length);
      array.set(of.array);
      return new InstancedBufferAttribute(array, of.itemSize);
    };
    const { mesh, behind } = this;
    mesh.dispose();  // buffers of the card, which are made anew
    mesh.instanceMatrix = larger(mesh.instanceMatrix);
    if (mesh.instanceColor) mesh.instanceColor = larger(mesh.instanceColor);
    if (behind) behind.instanceMatrix = mesh.instanceMatrix;
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
