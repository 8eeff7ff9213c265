// What is not there but helps to understand: centre of mass, support polygon, ZMP, frames, inertias, loops.

import {
  BufferAttribute, BufferGeometry, Color, DoubleSide, Group, Line, LineBasicMaterial, LineSegments, Matrix4, Mesh, MeshBasicMaterial,
  MeshStandardMaterial, Quaternion, RingGeometry, SphereGeometry, TorusGeometry, Vector3,
} from 'three';
import { mergeGeometries } from 'three/examples/jsm/utils/BufferGeometryUtils.js';
import { isAtGround } from './contact_id';
import { convexHull, principalAxes, setPoints, zeroMomentPoint, type Point } from './geometry';
import { Instances } from './instances';
import { matrixOf, type KinematicTree } from './kinematics';
import { COLORS } from './layers';
import type { Contact, Tie } from './messages';
import type { Robot } from './scene_types';

const OPACITY_OF_ALL = 0.02, OPACITY_OF_ONE = 0.14;  // of inertia ellipsoids, which lie in each other
const HOVER = 0.002;  // above the ground, so that nothing flickers [m]

/** Drawn over everything else: feet stand on what is under the robot. */
function onTop<T extends Mesh | Line>(object: T): T {
  const material = object.material as MeshBasicMaterial;
  material.depthTest = false;
  material.transparent = true;
  object.renderOrder = 5;
  object.raycast = () => {};
  return object;
}

function ring(radius: number, hole: number, color: string): Mesh {
  return onTop(new Mesh(new RingGeometry(hole * radius, radius, 32), new MeshBasicMaterial({ color, side: DoubleSide })));
}

/** Mean height of what carries [m]. */
function floorHeight(carrying: Contact[]): number {
  return carrying.length === 0 ? 0 : carrying.reduce((sum, c) => sum + c.point[2], 0) / carrying.length;
}

/** Centre of mass with its projection, support polygon, ZMP. */
export class BalanceView {
  readonly com = new Group();
  readonly support = new Group();
  readonly zmp: Mesh;
  zmpPoint: Point | null = null;
  private centre: Mesh;
  private projection: Mesh;
  private plumb = onTop(new Line(new BufferGeometry(), new LineBasicMaterial({ color: COLORS.com, opacity: 0.7 })));
  private area = new Mesh(new BufferGeometry(),
    new MeshBasicMaterial({ color: COLORS.support, transparent: true, opacity: 0.25, side: DoubleSide, depthWrite: false }));
  private border = onTop(new Line(new BufferGeometry(), new LineBasicMaterial({ color: COLORS.support, opacity: 0.75 })));

  constructor(size: number) {
    this.centre = onTop(new Mesh(new SphereGeometry(0.018 * size, 24, 16), new MeshStandardMaterial({ color: COLORS.com, roughness: 0.4 })));
    this.projection = ring(0.02 * size, 0.6, COLORS.com);
    this.zmp = ring(0.014 * size, 0, COLORS.zmp);
    this.zmp.renderOrder = 6;
    this.com.add(this.plumb, this.centre, this.projection);
    this.support.add(this.area, this.border);
    this.area.raycast = () => {};
  }

  /** @param heightBelow of the ground under a point [m] */
  show(com: Vector3, contacts: Contact[], heightBelow: (p: Vector3) => number): void {
    const carrying = contacts.filter((c) => c.mode !== 0 && isAtGround(c)), floor = floorHeight(carrying);
    this.centre.position.copy(com);
    this.projection.position.set(com.x, com.y, heightBelow(com) + HOVER);
    setPoints(this.plumb, [com, this.projection.position]);
    this.showPolygon(convexHull(carrying.map(({ point }) => new Vector3(point[0], point[1], point[2] + HOVER))));
    this.zmpPoint = zeroMomentPoint(carrying, floor);
    if (this.zmpPoint) this.zmp.position.set(this.zmpPoint[0], this.zmpPoint[1], floor + 2 * HOVER);
  }

  private showPolygon(corners: Vector3[]): void {
    const triangles: Vector3[] = [];
    for (let i = 2; i < corners.length; ++i) triangles.push(corners[0], corners[i - 1], corners[i]);
    setPoints(this.area, triangles);
    setPoints(this.border, corners.length > 0 ? [...corners, corners[0]] : []);
  }
}

/** Axes (red, green, blue) of frames that matter: of links and soles, and all of the picked link. */
export class FrameAxes {
  readonly lines: LineSegments;
  private readonly places: { link: number; X: Matrix4; always: boolean }[];
  private readonly X = new Matrix4();
  private readonly tip = new Vector3();
  private readonly origin = new Vector3();

  constructor(robot: Robot, private tree: KinematicTree, private length: number) {
    const soles = new Set(robot.candidates.map((candidate) => candidate.frame));
    const links = new Set(robot.links.map((link) => link.name));
    this.places = robot.frames.map((frame, i) => ({ link: frame.link, X: matrixOf(frame.X_LF), always: soles.has(i) || links.has(frame.name) }));
    const colors = this.places.flatMap(() => ['#fa5252', '#40c057', '#4c8dff'].flatMap((color) => {
      const { r, g, b } = new Color(color);
      return [r, g, b, r, g, b];
    }));
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(new Float32Array(18 * this.places.length), 3));
    geometry.setAttribute('color', new BufferAttribute(new Float32Array(colors), 3));
    this.lines = new LineSegments(geometry, new LineBasicMaterial({ vertexColors: true, depthTest: false, transparent: true }));
    this.lines.frustumCulled = false;
    this.lines.renderOrder = 4;
  }

  show(picked: number | null): void {
    const positions = this.lines.geometry.getAttribute('position') as BufferAttribute;
    const { X, tip, origin } = this;
    let at = 0;
    for (const place of this.places) {
      if (!place.always && place.link !== picked) continue;
      X.multiplyMatrices(this.tree.links[place.link].matrixWorld, place.X);
      origin.setFromMatrixPosition(X);
      for (let axis = 0; axis < 3; ++axis) {
        tip.setFromMatrixColumn(X, axis).multiplyScalar(this.length).add(origin);
        positions.setXYZ(at++, origin.x, origin.y, origin.z);
        positions.setXYZ(at++, tip.x, tip.y, tip.z);
      }
    }
    positions.needsUpdate = true;
    this.lines.geometry.setDrawRange(0, at);
  }
}

/** Bodies of even density with the same mass properties as the links: of the picked one, or of all. */
export class InertiaView {
  readonly group = new Group();
  private readonly rings: Instances;
  private readonly glass: MeshBasicMaterial;
  private readonly bodies: Instances;
  private readonly places: { link: number; X: Matrix4 }[] = [];
  private readonly X = new Matrix4();

  constructor(robot: Robot, private tree: KinematicTree) {
    // Rings around the principal axes, as thin as lines are, and next to nothing between them: the robot is what one wants to see.
    const ring = () => new TorusGeometry(1, 1e-4, 2, 48), rings = mergeGeometries([ring(), ring().rotateX(Math.PI / 2), ring().rotateY(Math.PI / 2)]);
    this.rings = new Instances(rings, new MeshBasicMaterial({ color: COLORS.inertia, wireframe: true, depthTest: false, transparent: true, opacity: 0.75 }));
    this.glass = new MeshBasicMaterial({ color: COLORS.inertia, transparent: true, depthWrite: false });
    this.bodies = new Instances(new SphereGeometry(1, 24, 16), this.glass);
    this.group.add(this.rings.group, this.bodies.group);
    robot.links.forEach((link, i) => {
      if (!(link.mass > 0)) return;
      const { moments, axes } = principalAxes(link.inertia);
      const half = [0, 1, 2].map((a) => {
        const others = moments[(a + 1) % 3] + moments[(a + 2) % 3] - moments[a];
        return Math.max(1e-4, Math.sqrt(Math.max(0, (2.5 * others) / link.mass)));
      });
      const turn = new Quaternion().setFromRotationMatrix(new Matrix4().makeBasis(...axes));
      this.places.push({ link: i, X: new Matrix4().compose(new Vector3(...link.com), turn, new Vector3(...half)) });
    });
  }

  show(picked: number | null): void {
    this.glass.opacity = picked === null ? OPACITY_OF_ALL : OPACITY_OF_ONE;
    for (const part of [this.rings, this.bodies]) {
      part.clear();
      for (const { link, X } of this.places)
        if (picked === null || picked === link) part.addMatrix(this.X.multiplyMatrices(this.tree.links[link].matrixWorld, X));
      part.finish();
    }
  }
}

/** Where loops are closed, and ties hold: a ball at each end, and a line over the gap; of a tie also to the middle of what it holds. */
export class LoopView {
  readonly group = new Group();
  /** Loops and ties that are drawn. */
  count = 0;
  private readonly balls: Instances;
  private readonly ends: { link: number; p: Vector3 }[] = [];
  private readonly gaps = onTop(new LineSegments(new BufferGeometry(), new LineBasicMaterial({ color: COLORS.loop })));
  private readonly turn = new Quaternion();
  private readonly scale: Vector3;

  constructor(private robot: Robot, private tree: KinematicTree, size: number) {
    this.balls = new Instances(new SphereGeometry(1, 20, 14), new MeshStandardMaterial({ color: COLORS.loop, roughness: 0.4 }), COLORS.loop, 0.7);  // joints sit inside of bodies
    this.scale = new Vector3().setScalar(0.014 * size);
    for (const loop of robot.loops)
      this.ends.push({ link: loop.link_a, p: new Vector3(...loop.X_AF.p) }, { link: loop.link_b, p: new Vector3(...loop.X_BF.p) });
    this.group.add(this.balls.group, this.gaps);
  }

  show(ties: Tie[]): void {
    const held = ties.flatMap((tie) => [{ link: tie.link_a, p: new Vector3(...tie.p_A) }, { link: tie.link_b, p: new Vector3(...tie.p_B) }]);
    const places = [...this.ends, ...held].map(({ link, p }) => (link >= 0 ? this.tree.toWorld(link, p.clone()) : p));
    this.count = places.length / 2;
    this.balls.clear();
    for (const place of places) this.balls.add(place, this.turn, this.scale);
    this.balls.finish();
    setPoints(this.gaps, [...places, ...ties.flatMap((tie, k) => this.toWhatIsHeld(tie, places[this.ends.length + 2 * k + 1]))]);
  }

  /** From the joint to the centre of mass of the second link, or of the first where that is the world. */
  private toWhatIsHeld(tie: Tie, joint: Vector3): Vector3[] {
    const link = tie.link_b >= 0 ? tie.link_b : tie.link_a;
    return [joint, this.tree.toWorld(link, new Vector3(...this.robot.links[link].com))];
  }
}
