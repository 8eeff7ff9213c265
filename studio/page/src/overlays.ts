// What is not there but helps to understand: centre of mass, support polygon, ZMP, frames, inertias, loops, traces.

import {
  BufferAttribute, BufferGeometry, Color, DoubleSide, Group, Line, LineBasicMaterial, LineSegments, Matrix4, Mesh, MeshBasicMaterial,
  MeshStandardMaterial, Object3D, Quaternion, RingGeometry, Shape, ShapeGeometry, SphereGeometry, Vector3,
} from 'three';
import { convexHull, principalAxes, setPoints, zeroMomentPoint, type Point } from './geometry';
import { setPose, type KinematicTree } from './kinematics';
import type { Contact, Row } from './messages';
import type { Robot, SceneDescription } from './scene_types';

const HOVER = 0.002;  // above the ground, so that nothing flickers [m]

function ball(radius: number, color: string): Mesh {
  return new Mesh(new SphereGeometry(radius, 24, 16), new MeshStandardMaterial({ color, roughness: 0.4 }));
}

function disc(radius: number, color: string): Mesh {
  return new Mesh(new RingGeometry(0.55 * radius, radius, 32), new MeshBasicMaterial({ color, side: DoubleSide }));
}

/** Height of the ground under the robot: the mean of the contacts that carry, or of the lowest one. */
function floorHeight(contacts: Contact[]): number {
  const carrying = contacts.filter((c) => c.mode !== 0);
  return carrying.length === 0 ? 0 : carrying.reduce((sum, c) => sum + c.point[2], 0) / carrying.length;
}

/** Centre of mass with its projection, support polygon, ZMP. */
export class BalanceView {
  readonly com = new Group();
  readonly support = new Group();
  readonly zmp: Mesh;
  zmpPoint: Point | null = null;
  private centre: Mesh;
  private shadow: Mesh;
  private plumb: Line;
  private area = new Mesh(new BufferGeometry(), new MeshBasicMaterial({ color: '#339af0', transparent: true, opacity: 0.22, side: DoubleSide, depthWrite: false }));
  private border = new Line(new BufferGeometry(), new LineBasicMaterial({ color: '#339af0' }));

  constructor(size: number) {
    this.centre = ball(0.022 * size, '#fab005');
    this.shadow = disc(0.022 * size, '#fab005');
    this.zmp = disc(0.016 * size, '#e64980');
    this.plumb = new Line(new BufferGeometry().setFromPoints([new Vector3(), new Vector3()]), new LineBasicMaterial({ color: '#fab005' }));
    this.com.add(this.centre, this.shadow, this.plumb);
    this.support.add(this.area, this.border);
    (this.centre.material as MeshStandardMaterial).depthTest = false;
    this.centre.renderOrder = 5;
  }

  show(com: Vector3, contacts: Contact[]): void {
    const floor = floorHeight(contacts) + HOVER;
    this.centre.position.copy(com);
    this.shadow.position.set(com.x, com.y, floor);
    setPoints(this.plumb, [com, this.shadow.position]);
    const carrying = contacts.filter((c) => c.mode !== 0);
    this.showPolygon(convexHull(carrying.map((c): Point => [c.point[0], c.point[1]])), floor);
    this.zmpPoint = zeroMomentPoint(carrying, floor);
    this.zmp.userData.has = this.zmpPoint !== null;
    if (this.zmpPoint) this.zmp.position.set(this.zmpPoint[0], this.zmpPoint[1], floor + HOVER);
  }

  private showPolygon(corners: Point[], floor: number): void {
    this.area.geometry.dispose();
    const shape = new Shape();
    corners.forEach(([x, y], i) => (i === 0 ? shape.moveTo(x, y) : shape.lineTo(x, y)));
    this.area.visible = corners.length >= 3;
    this.area.geometry = corners.length >= 3 ? new ShapeGeometry(shape) : new BufferGeometry();
    this.area.position.z = floor;
    setPoints(this.border, [...corners, ...corners.slice(0, 1)].map(([x, y]) => new Vector3(x, y, floor)));
  }
}

/** Axes (red, green, blue) of some frames. */
export class FrameAxes {
  readonly lines: LineSegments;
  private readonly places: { link: number; X: Matrix4 }[];

  constructor(robot: Robot, private tree: KinematicTree, private length: number) {
    this.places = robot.frames.map((frame) => {
      const place = new Object3D();
      setPose(place, frame.X_LF);
      place.updateMatrix();
      return { link: frame.link, X: place.matrix };
    });
    const colors: number[] = [];
    for (let i = 0; i < this.places.length; ++i)
      for (const color of ['#fa5252', '#40c057', '#4c8dff']) {
        const { r, g, b } = new Color(color);
        colors.push(r, g, b, r, g, b);
      }
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(new Float32Array(18 * this.places.length), 3));
    geometry.setAttribute('color', new BufferAttribute(new Float32Array(colors), 3));
    this.lines = new LineSegments(geometry, new LineBasicMaterial({ vertexColors: true, depthTest: false }));
    this.lines.frustumCulled = false;
    this.lines.renderOrder = 4;
  }

  show(): void {
    const positions = this.lines.geometry.getAttribute('position') as BufferAttribute;
    const X = new Matrix4(), tip = new Vector3(), origin = new Vector3();
    this.places.forEach(({ link, X: X_LF }, i) => {
      X.multiplyMatrices(this.tree.links[link].matrixWorld, X_LF);
      origin.setFromMatrixPosition(X);
      for (let axis = 0; axis < 3; ++axis) {
        tip.setFromMatrixColumn(X, axis).multiplyScalar(this.length).add(origin);
        positions.setXYZ(6 * i + 2 * axis, origin.x, origin.y, origin.z);
        positions.setXYZ(6 * i + 2 * axis + 1, tip.x, tip.y, tip.z);
      }
    });
    positions.needsUpdate = true;
  }
}

/** Bodies of even density with the same mass properties as the links. They hang on the links and move with them. */
export function inertiaEllipsoids(robot: Robot, tree: KinematicTree): Group[] {
  const material = new MeshStandardMaterial({ color: '#7950f2', transparent: true, opacity: 0.35, depthWrite: false });
  return robot.links.flatMap((link, i) => {
    if (!(link.mass > 0)) return [];
    const { moments, axes } = principalAxes(link.inertia);
    const half = [0, 1, 2].map((a) => {
      const others = moments[(a + 1) % 3] + moments[(a + 2) % 3] - moments[a];
      return Math.sqrt(Math.max(0, (2.5 * others) / link.mass));
    });
    const holder = new Group(), body = new Mesh(new SphereGeometry(1, 20, 14), material);
    body.scale.set(Math.max(half[0], 1e-4), Math.max(half[1], 1e-4), Math.max(half[2], 1e-4));
    body.quaternion.copy(new Quaternion().setFromRotationMatrix(new Matrix4().makeBasis(...axes)));
    body.position.set(...link.com);
    body.raycast = () => {};
    holder.add(body);
    tree.links[i].add(holder);
    return [holder];
  });
}

/** Where loops are closed: a ball at each, and a line over the gap. */
export class LoopView {
  readonly group = new Group();
  private ends: [Object3D, Object3D][] = [];
  private lines: Line[] = [];

  constructor(robot: Robot, tree: KinematicTree, size: number) {
    for (const loop of robot.loops) {
      const end = (link: number, pose: typeof loop.X_AF) => {
        const marker = ball(0.014 * size, '#e64980');
        setPose(marker, pose);
        marker.raycast = () => {};
        (link >= 0 ? tree.links[link] : this.group).add(marker);
        return marker;
      };
      this.ends.push([end(loop.link_a, loop.X_AF), end(loop.link_b, loop.X_BF)]);
      const line = new Line(new BufferGeometry(), new LineBasicMaterial({ color: '#e64980' }));
      this.lines.push(line);
      this.group.add(line);
    }
  }

  setVisible(visible: boolean): void {
    this.group.visible = visible;
    for (const [a, b] of this.ends) a.visible = b.visible = visible;
  }

  show(): void {
    this.ends.forEach((ends, i) => setPoints(this.lines[i], ends.map((end) => end.getWorldPosition(new Vector3()))));
  }
}

const TRACE_COLORS = ['#15aabf', '#f76707', '#7048e8', '#37b24d', '#e64980', '#f59f00'];
const MOST_TRACE_POINTS = 5000;

/** The way that a frame has gone. */
export class Trace {
  readonly line: Line;
  private points: { time: number; p: Vector3 }[] = [];

  constructor(readonly frame: number, private scene: SceneDescription, private tree: KinematicTree, number: number) {
    this.line = new Line(new BufferGeometry(), new LineBasicMaterial({ color: TRACE_COLORS[number % TRACE_COLORS.length] }));
    this.line.frustumCulled = false;
  }

  get length(): number { return this.points.length; }

  private position(): Vector3 {
    const frame = this.scene.robot.frames[this.frame];
    return this.tree.toWorld(frame.link, new Vector3(...frame.X_LF.p));
  }

  /** Of all these rows; leaves the tree at the last of them. */
  setRows(rows: Row[]): void {
    this.points = rows.map((row) => {
      this.tree.update(row.values, this.scene.state.q);
      return { time: row.time, p: this.position() };
    });
    this.draw();
  }

  /** The tree is at this row. */
  extend(row: Row): void {
    const last = this.points[this.points.length - 1];
    if (last && row.time <= last.time) return;
    this.points.push({ time: row.time, p: this.position() });
    if (this.points.length > MOST_TRACE_POINTS) this.points.splice(0, this.points.length - MOST_TRACE_POINTS);
    this.draw();
  }

  private draw(): void {
    setPoints(this.line, this.points.map((point) => point.p));
  }
}
