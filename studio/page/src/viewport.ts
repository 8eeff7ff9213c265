// The 3D view: light, robot, ground, contacts, overlays.

import { AmbientLight, Box3, Color, DirectionalLight, Fog, Group, HemisphereLight, Scene, Vector3, WebGLRenderer, PCFShadowMap } from 'three';
import { Arrows } from './arrows';
import { CameraRig, isPlace } from './camera_rig';
import { contactId, type ContactId } from './contact_id';
import { ContactView } from './contact_view';
import type { Ghost } from './ghost';
import type { GroundColors } from './ground_textures';
import { GroundView } from './ground_view';
import { MotionFinder, type Motion } from './kinematics';
import { COLORS, DEFAULT_LAYERS, type Layers } from './layers';
import type { Contact, Row } from './messages';
import { BalanceView, FrameAxes, InertiaView, LoopView } from './overlays';
import { Pointer, type Pull } from './pointer';
import { PushView } from './push_view';
import { RobotView } from './robot_view';
import { boxWithGround } from './scene_box';
import type { Source } from './source';
import { Trace } from './traces';

const NEAR_CONTACT = 9;   // a press so near to a contact means it [pixels]
const FLASH = 450;        // that an impulse stays in the picture while time runs [ms]
const SLOW_FRAME = 80;    // [ms]
const MANY_SLOW = 6;      // in a row
const WIDEST_STEP = 0.04; // between two points of a trace, if more was recorded [s]

export interface SceneColors extends GroundColors { background: string }

export interface ViewportEvents {
  picked(link: number | null, part: string): void;
  pickedContact(contact: ContactId): void;
  pull(pull: Pull, stiffness: number): void;
  release(): void;
  /** Which layers are on has changed. */
  layers(layers: Layers): void;
}

export class Viewport {
  readonly element: HTMLCanvasElement;
  readonly robot: RobotView;
  readonly contacts: ContactView;
  readonly balance: BalanceView;
  readonly pushes: PushView;
  readonly rig: CameraRig;
  /** Of the last state that could be drawn. */
  motion: Motion | null = null;
  /** The shown state has a place: it is made of numbers. */
  drawable = true;
  layers: Layers = { ...DEFAULT_LAYERS };
  traces: Trace[] = [];
  private traceAge = 0;  // grows when what they show was taken back
  private holeFrom = Infinity;  // time from which rows are to be asked for
  private filling: Promise<void> | null = null;
  ghosts: Ghost[] = [];
  /** Something has pushed at the robot while it was looked at. */
  pushed = false;
  private tied = false;  // something was held by a tie while it was looked at
  selected: number | null = null;
  /** A drag on the robot pulls at it, without holding the control key. */
  pullMode = false;
  framesDrawn = 0;

  private renderer: WebGLRenderer;
  private scene = new Scene();
  private things = new Group();  // that stand where the shown state says
  private sun = new DirectionalLight('#ffffff', 2.1);
  private ground = new GroundView();
  private frames: FrameAxes;
  private inertia: InertiaView;
  private loops: LoopView;
  private rope = new Arrows(COLORS.pull);
  private pointer: Pointer;
  private motions: MotionFinder;
  private size: number;
  private mass: number;
  private dirty = true;
  private shown: Row | null = null;
  private flash: { contacts: Contact[]; at: number } | null = null;
  private lastDrawn = 0;
  private slowFrames = 0;
  private stageSize: [number, number] = [1, 1];
  private inset = 0;
  private complete = false;  // all meshes are there
  private measured = false;

  constructor(private source: Source, private events: ViewportEvents) {
    this.renderer = new WebGLRenderer({ antialias: true, preserveDrawingBuffer: true, powerPreference: 'high-performance' });
    this.element = this.renderer.domElement;
    this.element.tabIndex = 0;
    this.element.setAttribute('role', 'img');
    this.element.setAttribute('aria-label', `3D view of ${source.scene.robot.name}`);
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    const robot = source.scene.robot;
    this.robot = new RobotView(source);
    this.motions = new MotionFinder(source.scene);
    this.mass = robot.links.reduce((sum, link) => sum + link.mass, 0);
    this.size = robotSize(source);
    this.rig = new CameraRig(this.element, new Box3(new Vector3(), new Vector3()).expandByScalar(0.5 * this.size), () => this.invalidate());
    const gravity = Math.hypot(...robot.gravity) || 9.81;
    this.contacts = new ContactView(source.scene.robot, this.size, Math.max(this.mass * gravity, 1e-3));
    this.pushes = new PushView(this.size, Math.max(this.mass * gravity, 1e-3));
    this.balance = new BalanceView(this.size);
    this.frames = new FrameAxes(robot, this.robot.tree, 0.07 * this.size);
    this.inertia = new InertiaView(robot, this.robot.tree);
    this.loops = new LoopView(robot, this.robot.tree, this.size);
    this.addLights();
    this.things.add(this.robot.group, this.contacts.points, this.contacts.cones, this.contacts.forces.group,
      this.contacts.impulses.group, this.balance.com, this.balance.support, this.balance.zmp, this.frames.lines, this.inertia.group,
      this.loops.group, this.rope.group, this.pushes.group);
    this.scene.add(this.things, this.ground.group);
    this.pointer = new Pointer(this.element, this.rig.camera, this.robot,
      (event) => source.live && (event.ctrlKey || event.metaKey || this.pullMode),
      { picked: (link, part) => events.picked(link, part), pickedContact: (x, y, hit) => this.pickContact(x, y, hit), focused: (link) => this.focusOn(link), pulled: (pull) => this.pulled(pull) });
    void this.robot.ready.then(() => { this.complete = true; this.measureRobot(); });
    const draw = (now: number) => { this.drawIfNeeded(now); requestAnimationFrame(draw); };
    requestAnimationFrame(draw);
  }

  /** What the scene has of them: `loop`, `tie`, both, or nothing. */
  get loopWords(): string {
    const { robot, ties } = this.source.scene;
    return [...(robot.loops.length > 0 ? ['loop'] : []), ...(ties.length > 0 || this.tied ? ['tie'] : [])].join(', ');
  }
  /** Loops and ties in the picture. */
  get loopsDrawn(): number { return this.layers.loops ? this.loops.count : 0; }
  /** How a link moves at the shown instant. */
  linkMotion(link: number): MotionFinder['links'][number] { return this.motions.links[link]; }

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
    if (this.shown && this.motion) this.ground.show(this.shown, this.motion.com);
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
    this.pushes.group.visible = layers.pushes;
    this.showGhosts();
    this.balance.com.visible = layers.com;
    this.balance.support.visible = layers.support;
    this.frames.lines.visible = layers.frames;
    this.inertia.group.visible = layers.inertia;
    this.loops.group.visible = layers.loops;
    for (const trace of this.traces) trace.line.visible = layers.traces;
    this.renderer.shadowMap.enabled = layers.shadows;
    this.sun.castShadow = layers.shadows;
    this.showOverlays();
    this.events.layers(layers);
    this.invalidate();
  }

  show(row: Row): void {
    this.shown = row;
    this.robot.show(row);
    const motion = this.motions.find(this.robot.tree, row.values);
    this.things.visible = this.drawable = isPlace(motion.com);
    if (!this.drawable) return this.invalidate();
    this.motion = motion;
    this.ground.show(row, this.motion.com);
    this.showContacts(performance.now());
    this.balance.show(this.motion.com, row.contacts, (p) => this.ground.heightBelow(p));
    this.showOverlays();
    this.extendTraces(row);
    this.measureRobot();
    this.rig.follow(this.motion.com, this.layers.follow);
    this.drawRope();
    this.showPushes();
    this.noteTies(row);
    this.invalidate();
  }

  /** Code makes ties that the scene does not name. */
  private noteTies(row: Row): void {
    if (this.tied || row.ties.length === 0) return;
    this.tied = true;
    this.events.layers(this.layers);
  }

  private showPushes(): void {
    if (!this.shown) return;
    this.pushes.show(this.shown.pushes, this.robot.tree, this.contacts.arrowScale, this.pointer.pull !== null);
    if (this.pushed || this.shown.pushes.length === 0) return;
    this.pushed = true;
    this.events.layers(this.layers);  // there is one more color to be explained
  }

  /** Those that cost something, where they are on. */
  private showOverlays(): void {
    this.balance.zmp.visible = this.layers.zmp && this.balance.zmpPoint !== null;
    if (this.layers.frames) this.frames.show(this.selected);
    if (this.layers.inertia) this.inertia.show(this.selected);
    if (this.layers.loops) this.loops.show(this.shown?.ties ?? []);
  }

  // ---- impulses ----

  /** An impact lasts one step, far less than a picture: its arrows stay for a moment. */
  flashImpulses(contacts: Contact[]): void {
    this.flash = { contacts, at: performance.now() };
    this.invalidate();
  }

  endFlash(): void { this.flash = null; }

  /** @param factor 1: a force as large as the weight is nearly as long as the robot */
  setArrowScale(factor: number): void {
    this.contacts.arrowScale = factor;
    this.showContacts(performance.now());
    this.showPushes();
    this.invalidate();
  }

  private showContacts(now: number): void {
    if (!this.shown) return;
    const strength = this.flash ? 1 - (now - this.flash.at) / FLASH : 0;
    if (strength <= 0) this.flash = null;
    this.contacts.show(this.shown.contacts, this.flash && { contacts: this.flash.contacts, strength });
  }

  // ---- camera and picture ----

  /** The camera sees all of the robot. @param from home, front, side, back, top */
  lookAtRobot(from = 'home'): void {
    this.rig.look(this.motion?.com ?? new Vector3(), from);
    this.invalidate();
  }

  /** Once there is something to measure: all of its meshes, and the first row. */
  private measureRobot(): void {
    if (!this.complete || this.measured || !this.motion) return;
    this.measured = true;
    const box = this.robot.box();
    if (!box.isEmpty()) this.rig.setBox(box.clone().translate(this.motion.com.clone().negate()));
    this.openingView(box);
    this.invalidate();
    if (!this.layers.follow && !this.source.scene.view.camera.position) void this.boxAtStart().then((start) => this.openingView(box.union(start)));
  }

  /** Where the run begins: a camera that does not follow sees that, too, whenever somebody comes to look. */
  private async boxAtStart(): Promise<Box3> {
    const row = await this.source.rowAt(this.source.extent.start);
    if (!row) return new Box3();
    this.robot.show(row);
    const box = this.robot.box();
    if (this.shown) this.robot.show(this.shown);
    return isPlace(box.min) && isPlace(box.max) ? box : new Box3();
  }

  /** What the scene asks for; without that, the robot and the ground around it. */
  private openingView(robot: Box3): void {
    const { camera } = this.source.scene.view, { com } = this.motion!;
    const target = camera.target && new Vector3(...camera.target);
    if (camera.position) return this.rig.place(new Vector3(...camera.position), target ?? robot.getCenter(new Vector3()), com);
    if (robot.isEmpty()) return this.lookAtRobot(camera.from);
    const box = camera.show === 'robot' ? robot.clone() : boxWithGround(robot, this.source.scene.grounds, (p) => this.ground.heightBelow(p));
    if (target) box.translate(target.sub(box.getCenter(new Vector3())));
    this.rig.frame(box, com, camera.from);
    this.invalidate();
  }

  resize(width: number, height: number): void {
    if (width < 2 || height < 2) return;
    const before = this.stageSize;
    this.stageSize = [width, height];
    this.setInset(this.inset);
    if (before[0] === width && before[1] === height) return;
    this.renderer.setSize(width, height, false);
    this.draw();  // now: the canvas is empty since it has another size
  }

  /** Something covers this many pixels at the left. */
  setInset(inset: number): void {
    const [width, height] = this.stageSize;
    this.inset = inset;
    this.rig.resize(width, height, inset < 0.5 * width ? inset : 0);
    this.invalidate();
  }

  private drawIfNeeded(now: number): void {
    if (this.flash) {
      this.showContacts(performance.now());
      this.dirty = true;
    }
    if (!this.dirty) return void (this.lastDrawn = 0);
    this.draw();
    if (this.lastDrawn > 0) this.goEasy(now - this.lastDrawn);
    this.lastDrawn = now;
  }

  private draw(): void {
    this.dirty = false;
    const centre = this.motion?.com ?? new Vector3();
    this.sun.position.set(1.6, -1.2, 3).multiplyScalar(1.5 * this.size).add(centre);
    this.sun.target.position.copy(centre);
    this.renderer.render(this.scene, this.rig.camera);
    this.framesDrawn++;
  }

  /** A machine that cannot keep up gets a simpler picture. */
  private goEasy(milliseconds: number): void {
    this.slowFrames = milliseconds > SLOW_FRAME ? this.slowFrames + 1 : 0;
    if (this.slowFrames < MANY_SLOW) return;
    this.slowFrames = 0;
    this.renderer.setPixelRatio(1);
    if (this.layers.shadows) this.setLayers({ ...this.layers, shadows: false });
  }

  /** Of the last picture. */
  get cost(): { calls: number; triangles: number } {
    const { calls, triangles } = this.renderer.info.render;
    return { calls, triangles };
  }

  /** The picture as it is, for those who want to keep it. */
  picture(): Promise<Blob | null> {
    this.renderer.render(this.scene, this.rig.camera);
    return new Promise((resolve) => this.element.toBlob(resolve));
  }

  // ---- ghost, traces, the picked link ----

  setGhosts(ghosts: Ghost[]): void {
    for (const ghost of ghosts) if (!this.ghosts.includes(ghost)) this.scene.add(ghost.view.group);
    this.ghosts = [...ghosts];
    this.showGhosts();
    this.events.layers(this.layers);
  }

  /** Those that are wanted, once they stand somewhere. */
  showGhosts(): void {
    for (const { view, on, row } of this.ghosts) view.group.visible = this.layers.ghosts && on && row !== null;
    this.invalidate();
  }

  async addTrace(frame: number): Promise<void> {
    if (this.traces.some((trace) => trace.frame === frame)) return;
    const trace = new Trace(frame, this.source.scene, this.robot.tree, this.traces.length);
    this.traces.push(trace);
    this.scene.add(trace.line);
    await this.renewTraces();
  }

  /** From what is recorded now: rows may have been taken back. */
  renewTraces(): Promise<void> {
    for (const trace of this.traces) trace.clear();
    this.traceAge++;
    this.holeFrom = -Number.MAX_VALUE;
    return this.fillTraces();
  }

  /** Pictures may come seldom: what was recorded between two of them is asked for. */
  private extendTraces(row: Row): void {
    if (this.traces.length === 0) return;
    const before = this.traces[0].end;
    for (const trace of this.traces) trace.extend(row);
    if (row.time - before < WIDEST_STEP || before === -Infinity) return;
    this.holeFrom = Math.min(this.holeFrom, before);
    this.fillTraces().catch(() => {});  // without a connection the hole stays until there is one: then all is asked for
  }

  /** One question at a time, until no hole is left. */
  private fillTraces(): Promise<void> {
    this.filling ??= this.askForHoles().finally(() => { this.filling = null; });
    return this.filling;
  }

  private async askForHoles(): Promise<void> {
    while (this.traces.length > 0 && this.holeFrom < Infinity) {
      const from = this.holeFrom, age = this.traceAge;
      this.holeFrom = Infinity;
      const rows = await this.source.rows(from, this.source.extent.stop, 1000);
      if (age !== this.traceAge) continue;  // of what was taken back since
      for (const trace of this.traces) trace.fill(rows);
      if (this.shown) this.robot.show(this.shown);
      this.invalidate();
    }
  }

  clearTraces(): void {
    for (const trace of this.traces) this.scene.remove(trace.line);
    this.traces = [];
    this.invalidate();
  }

  select(link: number | null): void {
    this.selected = link;
    this.robot.highlight(link);
    this.showOverlays();
    this.invalidate();
  }

  /** The point of a contact is drawn as the picked one. */
  selectContact(contact: ContactId | null): void {
    this.contacts.picked = contact;
    this.showContacts(performance.now());
    this.invalidate();
  }

  /** The camera looks at a link. */
  focusOn(link: number): void {
    const box = this.robot.boxOf(link), { c } = this.motions.links[link];
    this.rig.focus(box.isEmpty() ? new Box3(c, c).expandByScalar(0.05 * this.size) : box);
    this.invalidate();
  }

  showLink(link: number, visible: boolean): void {
    this.robot.showLink(link, visible);
    this.invalidate();
  }

  /** @param hit what of the robot lies there; contacts behind it cannot be seen */
  private pickContact(x: number, y: number, hit: Vector3 | null): boolean {
    if (!this.layers.contacts || !this.shown) return false;
    const box = this.element.getBoundingClientRect(), camera = this.rig.camera, p = new Vector3();
    const far = hit ? hit.distanceTo(camera.position) + 0.02 * this.size : Infinity;
    let nearest: { contact: Contact | null; pixels: number } = { contact: null, pixels: NEAR_CONTACT };
    for (const contact of this.shown.contacts) {
      if (p.fromArray(contact.point).distanceTo(camera.position) > far) continue;
      p.project(camera);
      const pixels = Math.hypot(box.left + ((p.x + 1) / 2) * box.width - x, box.top + ((1 - p.y) / 2) * box.height - y);
      if (pixels < nearest.pixels) nearest = { contact, pixels };
    }
    if (!nearest.contact) return false;
    this.events.pickedContact(contactId(nearest.contact, this.source.scene.robot));
    return true;
  }

  // ---- pulling ----

  private pulled(pull: Pull | null): void {
    this.rig.controls.enabled = pull === null;
    // A pull over the robot's own size is as strong as its weight and a half.
    if (pull) this.events.pull(pull, (15 * this.mass) / this.size);
    else this.events.release();
    this.drawRope();
    this.showPushes();
    this.invalidate();
  }

  private drawRope(): void {
    this.rope.clear();
    const { pull } = this.pointer;
    if (pull) {
      const held = this.robot.tree.toWorld(pull.link, pull.point.clone());
      this.rope.add(held, pull.target.clone().sub(held), 0.006 * this.size);
    }
    this.rope.finish();
  }

  /** How far the mouse is from the point that it pulls at [m]. */
  get pullLength(): number {
    const { pull } = this.pointer;
    return pull ? this.robot.tree.toWorld(pull.link, pull.point.clone()).distanceTo(pull.target) : 0;
  }

  /** Where a link's centre of mass is on the screen, for tests. */
  project(link: number): { x: number; y: number } {
    this.rig.camera.updateMatrixWorld();
    const p = this.robot.tree.toWorld(link, new Vector3(...this.source.scene.robot.links[link].com)).project(this.rig.camera);
    const box = this.element.getBoundingClientRect();
    return { x: box.left + ((p.x + 1) / 2) * box.width, y: box.top + ((1 - p.y) / 2) * box.height };
  }
}

/** About the height of the robot: the longest way along its joints [m]. */
function robotSize(source: Source): number {
  const reach = [0];
  for (const joint of source.scene.robot.joints) reach.push(joint.parent < 0 ? 0 : reach[joint.parent] + Math.hypot(...joint.X_PJ.p));
  let size = Math.max(...reach);
  for (const shape of source.scene.geometries) size = Math.max(size, 2 * (shape.radius ?? 0), ...(shape.size ?? [0]));
  for (const candidate of source.scene.robot.candidates) size = Math.max(size, Math.hypot(...candidate.p_LC));
  return Math.min(Math.max(1.15 * size, 0.02), 5);
}
