// All shapes of a robot that are drawn alike, in one draw call.

import { BatchedMesh, Box3, Color, DoubleSide, FrontSide, Matrix4, MeshStandardMaterial, type BufferGeometry, type Intersection, type Raycaster } from 'three';
import type { KinematicTree } from './kinematics';

export interface Body { geometry: BufferGeometry; link: number; name: string; X_LG: Matrix4; color: Color }

const PICKED = new Color('#1c7ed6');

export class BodyBatch {
  readonly mesh: BatchedMesh;
  private readonly X = new Matrix4();
  private readonly color = new Color();

  /** @param opacity 1: solid, with shadows */
  constructor(private readonly bodies: Body[], private readonly material: MeshStandardMaterial, opacity: number) {
    const geometries = [...new Set(bodies.map((body) => body.geometry))];
    const count = (of: (geometry: BufferGeometry) => number) => geometries.reduce((sum, geometry) => sum + of(geometry), 0);
    this.mesh = new BatchedMesh(bodies.length, count((g) => g.getAttribute('position').count), count((g) => g.getIndex()!.count), material);
    this.mesh.frustumCulled = this.mesh.perObjectFrustumCulled = false;
    this.mesh.sortObjects = false;
    this.mesh.castShadow = this.mesh.receiveShadow = opacity >= 1;
    const ids = new Map(geometries.map((geometry) => [geometry, this.mesh.addGeometry(geometry)]));
    bodies.forEach((body, i) => {
      this.mesh.addInstance(ids.get(body.geometry)!);
      this.mesh.setColorAt(i, body.color);
    });
    this.setOpacity(opacity);
  }

  get count(): number { return this.bodies.length; }

  setOpacity(opacity: number): void {
    this.material.opacity = opacity;
    this.material.transparent = opacity < 1;
    this.material.depthWrite = opacity >= 1;
    // Of what one can look through, far sides would only make it darker; of what is solid, some meshes are inside out.
    this.material.side = opacity < 1 ? FrontSide : DoubleSide;
    this.material.needsUpdate = true;
  }

  /** The tree has moved. */
  update(tree: KinematicTree): void {
    this.bodies.forEach((body, i) => this.mesh.setMatrixAt(i, this.X.multiplyMatrices(tree.links[body.link].matrixWorld, body.X_LG)));
  }

  highlight(link: number | null): void {
    this.bodies.forEach((body, i) => {
      this.color.copy(body.color);
      this.mesh.setColorAt(i, body.link === link ? this.color.lerp(PICKED, 0.55) : this.color);
    });
  }

  show(link: number, visible: boolean): void {
    this.bodies.forEach((body, i) => { if (body.link === link) this.mesh.setVisibleAt(i, visible); });
  }

  /** Around the shapes of a link, in the world; empty: it has none. */
  boxOf(link: number): Box3 {
    const all = new Box3(), box = new Box3();
    this.bodies.forEach((body, i) => {
      if (body.link !== link) return;
      if (!body.geometry.boundingBox) body.geometry.computeBoundingBox();
      this.mesh.getMatrixAt(i, this.X);
      all.union(box.copy(body.geometry.boundingBox!).applyMatrix4(this.X));
    });
    return all;
  }

  hit(ray: Raycaster): { distance: number; point: Intersection['point']; body: Body } | null {
    const [first] = ray.intersectObject(this.mesh, false);
    return first ? { distance: first.distance, point: first.point, body: this.bodies[first.batchId!] } : null;
  }
}
