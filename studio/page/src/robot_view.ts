// The robot's body: meshes or simple shapes on its links.

import {
  Box3, BoxGeometry, BufferAttribute, BufferGeometry, CapsuleGeometry, Color, CylinderGeometry, Group, MeshStandardMaterial,
  SphereGeometry, type Raycaster, type Vector3,
} from 'three';
import { BodyBatch, type Body } from './body_batch';
import { KinematicTree, matrixOf } from './kinematics';
import { withMarks } from './markings';
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

/** Shapes of one batch have the same attributes. */
function withoutTexture(geometry: BufferGeometry): BufferGeometry {
  geometry.deleteAttribute('uv');
  return geometry;
}

const MANY_SHAPES = 60;  // from which on round ones have fewer corners: a heap is as smooth from where it is seen

/** @param detail of round shapes: 1, or less */
function simpleGeometry(shape: Geometry, detail: number): BufferGeometry | null {
  const marked = (geometry: BufferGeometry, long: boolean) => withMarks(withoutTexture(geometry), shape.shape, long);
  const around = (corners: number) => Math.round(detail * corners);
  const radius = shape.radius ?? 0.01, length = shape.length ?? 0;
  switch (shape.shape) {
    case 'box': return withoutTexture(new BoxGeometry(...(shape.size ?? [0.1, 0.1, 0.1])));
    case 'sphere': return marked(new SphereGeometry(radius, around(32), around(20)), false);
    case 'cylinder': return marked(new CylinderGeometry(radius, radius, length, 8 * around(5)).rotateX(Math.PI / 2), length > 2 * radius);
    case 'capsule': return marked(new CapsuleGeometry(radius, length, around(12), around(32)).rotateX(Math.PI / 2), true);
    default: return null;
  }
}

const hasMarks = ({ geometry }: Body) => geometry.hasAttribute('color');

const DEFAULT_COLOR: [number, number, number, number] = [0.72, 0.76, 0.82, 1];
const COLLISION_COLOR = '#33bf73';

export class RobotView {
  readonly tree: KinematicTree;
  readonly group = new Group();
  /** All meshes have been read. */
  readonly ready: Promise<void>;
  private visual: BodyBatch[] = [];
  private collision: BodyBatch[] = [];
  private visible = { body: true, collision: false, opacity: 1 };
  private picked: number | null = null;
  private hiddenLinks = new Set<number>();

  /** @param ghost drawn as a see-through copy in this color */
  constructor(private source: Source, private ghost?: string) {
    this.tree = new KinematicTree(source.scene.robot);
    this.ready = this.addBodies(source.scene);
  }

  /** Of all shapes that one can look at. */
  get bodyCount(): number { return this.visual.reduce((sum, batch) => sum + batch.count, 0); }

  private async addBodies(scene: SceneDescription): Promise<void> {
    const meshes = new Map<number, Promise<BufferGeometry>>();
    const meshOf = (index: number) => {
      if (!meshes.has(index)) meshes.set(index, this.source.mesh(index).then(geometryOfBuffer));
      return meshes.get(index)!;
    };
    const detail = scene.geometries.length > MANY_SHAPES ? 0.5 : 1;
    const seen = new Set(scene.geometries.filter((g) => !g.collision).map((g) => g.link));
    const visual: Body[] = [], glass: Body[] = [], collision: Body[] = [];
    await Promise.all(scene.geometries.map(async (shape) => {
      const geometry = shape.mesh === undefined ? simpleGeometry(shape, detail) : await meshOf(shape.mesh);
      if (!geometry) return;
      const body = this.bodyOf(shape, geometry);
      // Links that have nothing to look at are drawn by what they collide with.
      if (!shape.collision || !seen.has(shape.link)) ((shape.color?.[3] ?? 1) < 1 ? glass : visual).push(body);
      if (shape.collision) collision.push({ ...body, color: new Color(COLLISION_COLOR) });
    }));
    if (visual.length + glass.length === 0) visual.push(...this.skeleton(scene));
    for (const [bodies, opacity] of [[visual, this.ghost ? 0.3 : 1], [glass, this.ghost ? 0.3 : 0.5]] as const) {
      const round = bodies.filter(hasMarks), plain = bodies.filter((body) => !hasMarks(body));
      if (plain.length > 0) this.visual.push(this.batch(plain, opacity, false));
      if (round.length > 0) this.visual.push(this.batch(round, opacity, !this.ghost));
    }
    if (collision.length > 0 && !this.ghost) this.collision = [collision.filter(hasMarks), collision.filter((body) => !hasMarks(body))]
      .filter((bodies) => bodies.length > 0).map((bodies) => this.batch(bodies, 0.35, false));
    this.setVisible(this.visible);
    this.highlight(this.picked);
    for (const link of this.hiddenLinks) this.showLink(link, false);
    this.place();
  }

  private bodyOf(shape: Geometry, geometry: BufferGeometry): Body {
    const [red, green, blue] = shape.color ?? DEFAULT_COLOR;
    return { geometry, link: shape.link, name: shape.name, X_LG: matrixOf(shape.X_LG),
      color: this.ghost ? new Color(this.ghost) : new Color().setRGB(red, green, blue, 'srgb') };
  }

  /** Bodies of a batch have the same attributes: either all of them have marks, or none. */
  private batch(bodies: Body[], opacity: number, vertexColors: boolean): BodyBatch {
    const material = new MeshStandardMaterial({ roughness: 0.62, metalness: 0.08, vertexColors });
    // Where a ghost stands exactly where the robot does, it is behind it, always.
    if (this.ghost) Object.assign(material, { polygonOffset: true, polygonOffsetFactor: 2, polygonOffsetUnits: 8 });
    const batch = new BodyBatch(bodies, material, opacity);
    batch.mesh.userData.opacity = opacity;
    this.group.add(batch.mesh);
    return batch;
  }

  /** A robot without any shapes is drawn as balls at its joints. */
  private skeleton(scene: SceneDescription): Body[] {
    const geometry = withoutTexture(new SphereGeometry(0.03, 16, 12));
    return scene.robot.links.map((link, i) => this.bodyOf(
      { link: i, name: link.name, collision: false, shape: 'sphere', X_LG: { p: [0, 0, 0], q: [0, 0, 0, 1] } }, geometry));
  }

  show(row: Row): void {
    this.tree.update(row.values, this.source.scene.state.q);
    this.place();
  }

  private place(): void {
    for (const batch of this.visual) batch.update(this.tree);
    for (const batch of this.collision) batch.update(this.tree);
  }

  setVisible(what: { body: boolean; collision: boolean; opacity: number }): void {
    this.visible = what;
    for (const batch of this.visual) {
      batch.mesh.visible = what.body;
      batch.setOpacity(batch.mesh.userData.opacity * what.opacity);
    }
    for (const batch of this.collision) batch.mesh.visible = what.collision;
  }

  private get batches(): BodyBatch[] { return [...this.visual, ...this.collision]; }

  /** A link is drawn, or not. */
  showLink(link: number, visible: boolean): void {
    visible ? this.hiddenLinks.delete(link) : this.hiddenLinks.add(link);
    for (const batch of this.batches) batch.show(link, visible);
  }

  /** Around all of it, in the world, where it stands now. */
  box(): Box3 {
    for (const { mesh } of this.batches) mesh.computeBoundingBox();
    return new Box3().setFromObject(this.group);
  }

  /** Around a link, in the world; empty: it has no shape. */
  boxOf(link: number): Box3 {
    return this.batches.reduce((box, batch) => box.union(batch.boxOf(link)), new Box3());
  }

  highlight(link: number | null): void {
    this.picked = link;
    for (const batch of this.batches) batch.highlight(link);
  }

  /** The first shape on a ray. */
  hit(ray: Raycaster): { link: number; name: string; point: Vector3 } | null {
    const hits = this.batches.filter((batch) => batch.mesh.visible).map((batch) => batch.hit(ray)).filter((hit) => hit !== null).sort((a, b) => a.distance - b.distance);
    return hits.length > 0 ? { link: hits[0].body.link, name: hits[0].body.name, point: hits[0].point } : null;
  }
}
