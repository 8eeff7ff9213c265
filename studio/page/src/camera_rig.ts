// The camera: it looks at the robot, goes along with it, and is moved by the mouse.

import { Box3, PerspectiveCamera, Vector3 } from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';

const VIEWS: Record<string, [number, number, number]> = {
  home: [1.15, -1.75, 0.62], front: [1, 0, 0.1], side: [0, -1, 0.1], back: [-1, 0, 0.1], top: [0, -0.001, 1],
};

/** Made of numbers. */
export const isPlace = (p: Vector3) => Number.isFinite(p.x + p.y + p.z);

export class CameraRig {
  readonly camera = new PerspectiveCamera(40, 1, 0.02, 200);
  readonly controls: OrbitControls;
  private followed: Vector3 | null = null;
  private width = 1;
  private height = 1;
  private inset = 0;

  /** @param around the robot, seen from its centre of mass [m] */
  constructor(canvas: HTMLCanvasElement, private around: Box3, moved: () => void) {
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = false;
    this.controls.addEventListener('change', moved);
  }

  setBox(around: Box3): void { this.around = around; }

  private get radius(): number { return 0.5 * this.around.getSize(new Vector3()).length(); }

  /** @param inset at the left that is covered by something else [pixels] */
  resize(width: number, height: number, inset: number): void {
    [this.width, this.height, this.inset] = [width, height, inset];
    this.camera.aspect = width / height;
    // The robot stands in the middle of what can be seen.
    if (inset > 0) this.camera.setViewOffset(width, height, -inset / 2, 0, width, height);
    else this.camera.clearViewOffset();
    this.camera.updateProjectionMatrix();
  }

  /** All of the robot, from one of the named directions. @param centre of its mass */
  look(centre: Vector3, from = 'home'): void { this.frame(this.around.clone().translate(centre), centre, from); }

  /** All of a box. @param centre of mass of the robot, which the camera then follows */
  frame(box: Box3, centre: Vector3, from = 'home'): void {
    const direction = new Vector3(...(VIEWS[from] ?? VIEWS.home)).normalize(), middle = box.getCenter(new Vector3());
    this.place(middle.clone().addScaledVector(direction, this.distance(direction, box)), middle, centre);
  }

  /** @param centre of mass of the robot, which the camera then follows */
  place(position: Vector3, target: Vector3, centre: Vector3): void {
    this.controls.target.copy(target);
    this.camera.position.copy(position);
    this.controls.update();
    this.followed = centre.clone();
  }

  /** A box in the middle, from where the camera looks now. */
  focus(box: Box3): void {
    const direction = this.camera.position.clone().sub(this.controls.target).normalize();
    box.getCenter(this.controls.target);
    this.camera.position.copy(this.controls.target).addScaledVector(direction, Math.max(1.4 * this.distance(direction, box), 4 * this.camera.near));
    this.controls.update();
  }

  /** From which all corners of a box are in the free part of the picture. */
  private distance(direction: Vector3, around = this.around): number {
    const right = new Vector3().crossVectors(this.camera.up, direction).normalize(), up = new Vector3().crossVectors(direction, right);
    const vertical = Math.tan((this.camera.fov * Math.PI) / 360), horizontal = (vertical * (this.width - this.inset)) / this.height;
    const half = around.getSize(new Vector3()).multiplyScalar(0.5);
    let distance = 0;
    for (let corner = 0; corner < 8; ++corner) {
      const r = new Vector3(corner & 1 ? half.x : -half.x, corner & 2 ? half.y : -half.y, corner & 4 ? half.z : -half.z);
      distance = Math.max(distance, r.dot(direction) + Math.max(Math.abs(r.dot(right)) / horizontal, Math.abs(r.dot(up)) / vertical));
    }
    return 1.22 * distance;  // with some air around
  }

  /** @param along false: the camera stays where it is */
  follow(centre: Vector3, along: boolean): void {
    if (!this.followed) return this.look(centre);
    if (!along) return;
    const moved = centre.clone().sub(this.followed);
    if (moved.length() > 40 * this.radius) return this.look(centre);
    // Side to side at once, up and down slowly unless it would leave the picture: a robot that falls is seen to fall. What rises has
    // only the air above it.
    const slack = (moved.z > 0 ? 0.15 : 0.7) * this.radius, away = Math.abs(moved.z);
    moved.z = Math.sign(moved.z) * Math.max(0.03 * away, away - slack);
    this.followed.add(moved);
    this.camera.position.add(moved);
    this.controls.target.add(moved);
    this.controls.update();
  }
}
