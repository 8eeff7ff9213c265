// The robot's body: meshes or simple shapes on its links.

import {
  BoxGeometry, BufferAttribute, BufferGeometry, CapsuleGeometry, Color, CylinderGeometry, DoubleSide, Group, Mesh, MeshStandardMaterial,
  SphereGeometry,
} from 'three';
import { KinematicTree, setPose } from './kinematics';
import type { Row } from './messages';
import type { Geometry, SceneDescription } from './scene_types';
import type { Source } from './source';

/** As studio/server/mesh_buffer.hpp describes it. */
function geometryOfBuffer(buffer: ArrayBuffer): BufferGeometry {
  const [vertices, triangles] = new Uint32Array(buffer, 0, 2);
  const bounds = new Float32Array(buffer, 8, 6);
  let at = 32;
  const whole = new Uint16Array(buffer, at, 3 * vertices);
  at += 2 * (3 * vertices + (3 * vertices) % 2);
  const packed = new Int8Array(buffer, at, 4 * vertices);
  at += 4 * vertices;
  const positions = new Float32Array(3 * vertices), normals = new Float32Array(3 * vertices);
  for (let i = 0; i < vertices; ++i)
    for (let c = 0; c < 3; ++c) {
      positions[3 * i + c] = bounds[c] + (bounds[3 + c] * whole[3 * i + c]) / 65535;
      normals[3 * i + c] = packed[4 * i + c] / 127;
    }
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(positions, 3));
  geometry.setAttribute('normal', new BufferAttribute(normals, 3));
  geometry.setIndex(new BufferAttribute(new Uint32Array(buffer, at, 3 * triangles), 1));
  return geometry;
}

function simpleGeometry(shape: Geometry): BufferGeometry | null {
  const radius = shape.radius ?? 0.01, length = shape.length ?? 0;
  switch (shape.shape) {
    case 'box': return new BoxGeometry(...(shape.size ?? [0.1, 0.1, 0.1]));
    case 'sphere': return new SphereGeometry(radius, 32, 20);
    case 'cylinder': return new CylinderGeometry(radius, radius, length, 40).rotateX(Math.PI / 2);
    case 'capsule': return new CapsuleGeometry(radius, length, 12, 32).rotateX(Math.PI / 2);
    default: return null;
  }
}

const DEFAULT_COLOR: [number, number, number, number] = [0.72, 0.76, 0.82, 1];

export class RobotView {
  readonly tree: KinematicTree;
  readonly group: Group;
  readonly bodies: Mesh[] = [];
  /** All meshes have been read. */
  readonly ready: Promise<void>;
  private materials = new Map<string, MeshStandardMaterial>();
  private opacity = 1;
  private visuals: Group[] = [];
  private shapesOfCollision: Group[] = [];

  /** @param ghost drawn as a see-through copy in this color */
  constructor(private source: Source, ghost?: string) {
    this.tree = new KinematicTree(source.scene.robot);
    this.group = this.tree.root;
    for (const link of this.tree.links) {
      const visual = new Group(), collision = new Group();
      collision.visible = false;
      link.add(visual, collision);
      this.visuals.push(visual);
      this.shapesOfCollision.push(collision);
    }
    this.ready = this.addBodies(source.scene, ghost);
  }

  private async addBodies(scene: SceneDescription, ghost?: string): Promise<void> {
    const meshes = new Map<number, Promise<BufferGeometry>>();
    const meshOf = (index: number) => {
      if (!meshes.has(index)) meshes.set(index, this.source.mesh(index).then(geometryOfBuffer));
      return meshes.get(index)!;
    };
    const seen = new Set(scene.geometries.filter((g) => !g.collision).map((g) => g.link));
    await Promise.all(scene.geometries.map(async (shape) => {
      const geometry = shape.mesh === undefined ? simpleGeometry(shape) : await meshOf(shape.mesh);
      if (!geometry) return;
      // Links that have nothing to look at are drawn by what they collide with.
      if (!shape.collision || !seen.has(shape.link)) this.add(this.visuals[shape.link], geometry, shape, ghost);
      if (shape.collision && !ghost) this.add(this.shapesOfCollision[shape.link], geometry, { ...shape, color: [0.2, 0.75, 0.45, 0.35] });
    }));
    if (this.visuals.every((group) => group.children.length === 0)) this.addSkeleton(scene, ghost);
  }

  private add(parent: Group, geometry: BufferGeometry, shape: Geometry, ghost?: string): void {
    const mesh = new Mesh(geometry, this.materialOf(shape, ghost));
    if (!ghost && this.visuals.includes(parent)) this.fade(mesh.material);
    setPose(mesh, shape.X_LG);
    mesh.updateMatrix();
    mesh.matrixAutoUpdate = false;  // it stands still on its link
    mesh.castShadow = mesh.receiveShadow = !ghost && !mesh.material.transparent;
    mesh.userData = { link: shape.link, name: shape.name };
    parent.add(mesh);
    if (!ghost) this.bodies.push(mesh);
  }

  /** Shapes of one color share their material: that is less work for every picture. */
  private materialOf(shape: Geometry, ghost?: string): MeshStandardMaterial {
    const color = shape.color ?? DEFAULT_COLOR, [red, green, blue, opacity] = color, key = `${color} ${shape.collision}`;
    const known = this.materials.get(key);
    if (known) return known;
    const material = new MeshStandardMaterial({
      color: ghost ? new Color(ghost) : new Color().setRGB(red, green, blue, 'srgb'), roughness: 0.62, metalness: 0.08, side: DoubleSide,
      transparent: ghost !== undefined || opacity < 1, opacity: ghost ? 0.28 : opacity, depthWrite: !ghost && opacity >= 1,
    });
    this.materials.set(key, material);
    return material;
  }

  /** A robot without any shapes is drawn as balls at its joints. */
  private addSkeleton(scene: SceneDescription, ghost?: string): void {
    scene.robot.links.forEach((link, i) => this.add(this.visuals[i], new SphereGeometry(0.03, 16, 12), {
      link: i, name: link.name, collision: false, shape: 'sphere', X_LG: { p: [0, 0, 0], q: [0, 0, 0, 1] },
    }, ghost));
  }

  show(row: Row): void { this.tree.update(row.values, this.source.scene.state.q); }

  setVisible(what: { body: boolean; collision: boolean; opacity: number }): void {
    for (const group of this.visuals) group.visible = what.body;
    for (const group of this.shapesOfCollision) group.visible = what.collision;
    this.opacity = what.opacity;
    for (const group of this.visuals) for (const mesh of group.children as Mesh[]) this.fade(mesh.material as MeshStandardMaterial);
  }

  private fade(material: MeshStandardMaterial): void {
    material.userData.own ??= material.opacity;
    material.opacity = material.userData.own * this.opacity;
    material.transparent = material.opacity < 1;
    material.depthWrite = material.opacity >= 1;
  }

  /** The picked link has materials of its own. */
  highlight(link: number | null): void {
    for (const body of this.bodies) {
      const own = (body.userData.own ??= body.material) as MeshStandardMaterial;
      body.material = own;
      if (body.userData.link !== link) continue;
      const bright = own.clone();
      bright.emissive.set('#1c5fae');
      body.material = bright;
    }
  }
}
