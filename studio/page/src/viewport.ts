// The 3D view: camera, light, robot, ground, contacts, overlays; picking and pulling with the mouse.

import {
  AmbientLight, BufferGeometry, Color, DirectionalLight, Fog, Group, HemisphereLight, Line, LineBasicMaterial, PerspectiveCamera, Plane,
  Raycaster, Scene, Vector2, Vector3, WebGLRenderer, PCFShadowMap,
} from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { ContactView } from './contact_view';
import { setPoints } from './geometry';
import { GroundView, type GroundColors } from './ground_view';
import { motionOf, type Motion } from './kinematics';
import type { Row } from './messages';
import { BalanceView, FrameAxes, inertiaEllipsoids, LoopView, Trace } from './overlays';
import { RobotView } from './robot_view';
import type { Source } from './source';

/** What can be switched on and off. */
export interface Layers {
  body: boolean; transparent: boolean; collision: boolean; ground: boolean; contacts: boolean; forces: boolean; impulses: boolean;
  cones: boolean; com: boolean; support: boolean; zmp: boolean; frames: boolean; inertia: boolean; loops: boolean; traces: boolean;
  follow: boolean; shadows: boolean;
}

export const DEFAULT_LAYERS: Layers = {
  body: true, transparent: false, collision: false, ground: true, contacts: true, forces: true, impulses: true, cones: false, com: true,
  support: true, zmp: true, frames: false, inertia: false, loops: true, traces: true, follow: true, shadows: true,
};

export const LAYER_TITLES: Record<keyof Layers, string> = {
  body: 'Robot', transparent: 'See-through', collision: 'Collision shapes', ground: 'Ground', contacts: 'Contact points', forces: 'Forces',
  impulses: 'Impulses', cones: 'Friction cones', com: 'Centre of mass', support: 'Support polygon', zmp: 'Zero-moment point',
  frames: 'Frames', inertia: 'Inertia ellipsoids', loops: 'Loops', traces: 'Traces', follow: 'Follow the robot', shadows: 'Shadows',
};

export interface SceneColors extends GroundColors { background: string }

export interface ViewportEvents {
  picked(link: number | null, name: string): void;
  pull(link: number, point: Vector3, target: Vector3, stiffness: number): void;
  release(): void;
}

export class Viewport {
  readonly element: HTMLCanvasElement;
  readonly robot: RobotView;
  readonly contacts: ContactView;
  readonly balance: BalanceView;
  motion: Motion | null = null;
  layers: Layers = { ...DEFAULT_LAYERS };
  traces: Trace[] = [];
  selected: number | null = null;
  /** A drag on the robot pulls at it, without holding the control key. */
  pullMode = false;
  framesDrawn = 0;

  private renderer: WebGLRenderer;
  private scene = new Scene();
  private camera = new PerspectiveCamera(40, 1, 0.02, 200);
  private controls: OrbitControls;
  private sun = new DirectionalLight('#ffffff', 2.1);
  private ground = new GroundView();
  private ghost: RobotView | null = null;
  private frames: FrameAxes;
  private ellipsoids: Group[];
  private loops: LoopView;
  private rope = new Line(new BufferGeometry(), new LineBasicMaterial({ color: '#e03131', depthTest: false }));
  private pulling: { link: number; point: Vector3; plane: Plane; target: Vector3 } | null = null;
  private followed: Vector3 | null = null;
  private size: number;
  private mass: number;
  private dirty = true;
  private shown: Row | null = null;
  private slowFrames = 0;

  constructor(private source: Source, private events: ViewportEvents) {
    this.renderer = new WebGLRenderer({ antialias: true, preserveDrawingBuffer: true, powerPreference: 'high-performance' });
    this.element = this.renderer.domElement;
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, this.element);
    this.controls.enableDamping = false;
    this.controls.addEventListener('change', () => this.invalidate());
    const robot = source.scene.robot;
    this.robot = new RobotView(source);
    this.mass = robot.links.reduce((sum, link) => sum + link.mass, 0);
    this.size = robotSize(source);
    const gravity = Math.hypot(...robot.gravity) || 9.81;
    this.contacts = new ContactView(this.size, Math.max(this.mass * gravity, 1e-3));
    this.balance = new BalanceView(this.size);
    this.frames = new FrameAxes(robot, this.robot.tree, 0.07 * this.size);
    this.ellipsoids = inertiaEllipsoids(robot, this.robot.tree);
    this.loops = new LoopView(robot, this.robot.tree, this.size);
    this.addLights();
    this.scene.add(this.robot.group, this.ground.group, this.contacts.points, this.contacts.cones, this.contacts.forces.group,
      this.contacts.impulses.group, this.balance.com, this.balance.support, this.balance.zmp, this.frames.lines, this.loops.group, this.rope);
    this.rope.visible = false;
    this.rope.frustumCulled = false;
    void this.robot.ready.then(() => this.invalidate());
    this.listen();
    const draw = () => { this.drawIfNeeded(); requestAnimationFrame(draw); };
    requestAnimationFrame(draw);
  }

  get loopCount(): number { return this.source.scene.robot.loops.length; }

  private addLights(): void {
    this.scene.add(new AmbientLight('#ffffff', 0.55), new HemisphereLight('#ffffff', '#8a94a3', 1.2), this.sun, this.sun.target);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    const reach = 1.6 * this.size, camera = this.sun.shadow.camera;
    camera.left = camera.bottom = -reach;
    camera.right = camera.top = reach;
    camera.near = 0.1;
    camera.far = 12 * this.size;
    this.sun.shadow.bias = -0.0004;
    this.sun.shadow.normalBias = 0.004 * this.size;
  }

  paint(colors: SceneColors): void {
    this.scene.background = new Color(colors.background);
    this.scene.fog = new Fog(colors.background, 8 * this.size + 4, 26 * this.size + 8);
    this.ground.build(this.source.scene.grounds, colors);
    if (this.shown) this.ground.show(this.shown);
    this.invalidate();
  }

  invalidate(): void { this.dirty = true; }

  setLayers(layers: Layers): void {
    this.layers = layers;
    this.robot.setVisible({ body: layers.body, collision: layers.collision, opacity: layers.transparent ? 0.35 : 1 });
    this.ground.group.visible = layers.ground;
    this.contacts.points.visible = layers.contacts;
    this.contacts.forces.group.visible = layers.forces;
    this.contacts.impulses.group.visible = layers.impulses;
    this.contacts.cones.visible = layers.cones;
    this.balance.com.visible = layers.com;
    this.balance.support.visible = layers.support;
    this.balance.zmp.visible = layers.zmp && this.balance.zmp.userData.has === true;
    this.frames.lines.visible = layers.frames;
    for (const ellipsoid of this.ellipsoids) ellipsoid.visible = layers.inertia;
    this.loops.setVisible(layers.loops);
    for (const trace of this.traces) trace.line.visible = layers.traces;
    this.renderer.shadowMap.enabled = layers.shadows;
    this.sun.castShadow = layers.shadows;
    this.invalidate();
  }

  show(row: Row): void {
    this.shown = row;
    this.robot.show(row);
    this.ground.show(row);
    this.contacts.show(row.contacts);
    this.motion = motionOf(this.robot.tree, this.source.scene, row.values);
    this.balance.show(this.motion.com, row.contacts);
    this.balance.zmp.visible = this.layers.zmp && this.balance.zmp.userData.has === true;
    if (this.layers.frames) this.frames.show();
    this.loops.show();
    for (const trace of this.traces) trace.extend(row);
    this.follow();
    this.drawRope();
    this.invalidate();
  }

  showGhost(source: Source, row: Row | null): void {
    if (!this.ghost) {
      this.ghost = new RobotView(source, '#e8590c');
      this.scene.add(this.ghost.group);
      void this.ghost.ready.then(() => this.invalidate());
    }
    this.ghost.group.visible = row !== null;
    if (row) this.ghost.show(row);
    this.invalidate();
  }

  /** The camera looks from the front and the side at where the robot is. */
  lookAtRobot(): void {
    const centre = this.motion?.com ?? new Vector3();
    this.controls.target.copy(centre);
    this.camera.position.copy(centre).add(new Vector3(1.15, -1.75, 0.62).multiplyScalar(1.12 * this.size));
    this.controls.update();
    this.followed = centre.clone();
    this.invalidate();
  }

  private follow(): void {
    const centre = this.motion!.com;
    if (!this.followed) return this.lookAtRobot();
    if (!this.layers.follow) return;
    const moved = centre.clone().sub(this.followed);
    if (moved.length() > 20 * this.size) return this.lookAtRobot();
    // Side to side at once, up and down not at all: a robot that falls is seen to fall.
    moved.z = 0;
    this.followed.add(moved);
    this.camera.position.add(moved);
    this.controls.target.add(moved);
    this.controls.update();
  }

  resize(width: number, height: number): void {
    if (width < 2 || height < 2) return;
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.invalidate();
  }

  private drawIfNeeded(): void {
    if (!this.dirty) return;
    this.dirty = false;
    const begin = performance.now();
    const centre = this.motion?.com ?? new Vector3();
    this.sun.position.copy(centre).add(new Vector3(1.6, -1.2, 3).multiplyScalar(1.5 * this.size));
    this.sun.target.position.copy(centre);
    this.renderer.render(this.scene, this.camera);
    this.framesDrawn++;
    this.goEasy(performance.now() - begin);
  }

  /** A machine that cannot keep up gets a simpler picture. */
  private goEasy(milliseconds: number): void {
    this.slowFrames = milliseconds > 40 ? this.slowFrames + 1 : 0;
    if (this.slowFrames < 8) return;
    this.slowFrames = 0;
    this.renderer.setPixelRatio(1);
    if (this.layers.shadows) this.setLayers({ ...this.layers, shadows: false });
  }

  // ---- traces ----

  async addTrace(frame: number): Promise<void> {
    if (this.traces.some((trace) => trace.frame === frame)) return;
    const trace = new Trace(frame, this.source.scene, this.robot.tree, this.traces.length);
    const { start, stop } = this.source.extent;
    trace.setRows(await this.source.rows(start, stop, 600));
    if (this.shown) this.robot.show(this.shown);
    this.traces.push(trace);
    this.scene.add(trace.line);
    this.invalidate();
  }

  clearTraces(): void {
    for (const trace of this.traces) this.scene.remove(trace.line);
    this.traces = [];
    this.invalidate();
  }

  select(link: number | null): void {
    this.selected = link;
    this.robot.highlight(link);
    this.invalidate();
  }

  // ---- the mouse ----

  private listen(): void {
    let down: { x: number; y: number } | null = null;
    this.element.addEventListener('pointerdown', (event) => {
      down = { x: event.clientX, y: event.clientY };
      if (this.source.live && event.button === 0 && (event.ctrlKey || event.metaKey || this.pullMode)) this.beginPull(event);
    }, { capture: true });
    this.element.addEventListener('pointermove', (event) => { if (this.pulling) this.movePull(event); });
    window.addEventListener('pointerup', (event) => {
      const moved = down ? Math.hypot(event.clientX - down.x, event.clientY - down.y) : Infinity;
      down = null;
      if (this.pulling) return this.endPull();
      if (moved < 4 && event.target === this.element) this.pick(event);
    });
  }

  private ray(event: MouseEvent): Raycaster {
    const box = this.element.getBoundingClientRect();
    const at = new Vector2(((event.clientX - box.left) / box.width) * 2 - 1, 1 - ((event.clientY - box.top) / box.height) * 2);
    const caster = new Raycaster();
    caster.setFromCamera(at, this.camera);
    return caster;
  }

  private hit(event: MouseEvent): { link: number; name: string; point: Vector3 } | null {
    const [first] = this.ray(event).intersectObjects(this.robot.bodies.filter((body) => body.parent?.visible), false);
    return first ? { link: first.object.userData.link, name: first.object.userData.name, point: first.point } : null;
  }

  private pick(event: MouseEvent): void {
    const hit = this.hit(event);
    this.select(hit ? hit.link : null);
    this.events.picked(hit ? hit.link : null, hit ? hit.name : '');
  }

  private beginPull(event: PointerEvent): void {
    const hit = this.hit(event);
    if (!hit) return;
    this.controls.enabled = false;
    const facing = this.camera.getWorldDirection(new Vector3()).negate();
    const point = this.robot.tree.links[hit.link].worldToLocal(hit.point.clone());
    this.pulling = { link: hit.link, point, plane: new Plane().setFromNormalAndCoplanarPoint(facing, hit.point), target: hit.point };
    this.movePull(event);
  }

  private movePull(event: MouseEvent): void {
    const target = this.ray(event).ray.intersectPlane(this.pulling!.plane, new Vector3());
    if (!target) return;
    this.pulling!.target = target;
    // A pull over the robot's own size is as strong as its weight and a half.
    this.events.pull(this.pulling!.link, this.pulling!.point, target, (15 * this.mass) / this.size);
    this.drawRope();
    this.invalidate();
  }

  private endPull(): void {
    this.pulling = null;
    this.rope.visible = false;
    this.controls.enabled = true;
    this.events.release();
    this.invalidate();
  }

  private drawRope(): void {
    this.rope.visible = this.pulling !== null;
    if (!this.pulling) return;
    const held = this.robot.tree.toWorld(this.pulling.link, this.pulling.point.clone());
    setPoints(this.rope, [held, this.pulling.target]);
  }

  /** Where a link's origin is on the screen, for tests. */
  project(link: number): { x: number; y: number } {
    const p = this.robot.tree.toWorld(link, new Vector3(...this.source.scene.robot.links[link].com)).project(this.camera);
    const box = this.element.getBoundingClientRect();
    return { x: box.left + ((p.x + 1) / 2) * box.width, y: box.top + ((1 - p.y) / 2) * box.height };
  }
}

/** About the height of the robot: the longest way along its joints [m]. */
function robotSize(source: Source): number {
  const reach = [0];
  for (const joint of source.scene.robot.joints) reach.push(reach[joint.parent] + Math.hypot(...joint.X_PJ.p));
  let size = Math.max(...reach);
  for (const shape of source.scene.geometries) size = Math.max(size, 2 * (shape.radius ?? 0), ...(shape.size ?? [0]));
  for (const candidate of source.scene.robot.candidates) size = Math.max(size, Math.hypot(...candidate.p_LC));
  return Math.min(Math.max(1.15 * size, 0.1), 5);
}
