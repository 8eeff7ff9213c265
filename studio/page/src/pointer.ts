// The mouse in the 3D view: a click picks a link, a drag on a live robot pulls at it.

import { Plane, Raycaster, Vector2, Vector3, type Camera } from 'three';
import type { RobotView } from './robot_view';

const BETWEEN_LOOKS = 120;  // a robot has many triangles [ms]

export interface Pull { link: number; point: Vector3; target: Vector3 }

export interface PointerEvents {
  picked(link: number | null, part: string): void;
  /** A contact that lies in front of everything at a place of the window, if there is one, was picked. */
  pickedContact(x: number, y: number, hit: Vector3 | null): boolean;
  /** Twice: somebody wants to look at it. */
  focused(link: number): void;
  /** Not null while somebody pulls. */
  pulled(pull: Pull | null): void;
}

export class Pointer {
  pull: Pull | null = null;
  private plane = new Plane();
  private caster = new Raycaster();
  private looked = 0;  // what is under the mouse [ms]

  /** @param pulls whether a press with these keys pulls; else it turns the camera */
  constructor(private canvas: HTMLCanvasElement, private camera: Camera, private robot: RobotView,
              pulls: (event: PointerEvent) => boolean, private events: PointerEvents) {
    let down: { x: number; y: number } | null = null;
    canvas.addEventListener('pointerdown', (event) => {
      down = { x: event.clientX, y: event.clientY };
      if (event.button === 0 && pulls(event)) this.begin(event);
    }, { capture: true });
    canvas.addEventListener('pointermove', (event) => {
      if (this.pull) this.move(event);
      else if (event.buttons === 0 && event.timeStamp > this.looked + BETWEEN_LOOKS) {
        this.looked = event.timeStamp;
        canvas.style.cursor = this.hit(event) ? (pulls(event) ? 'grab' : 'pointer') : '';
      }
    });
    window.addEventListener('pointerup', (event) => {
      const moved = down ? Math.hypot(event.clientX - down.x, event.clientY - down.y) : Infinity;
      down = null;
      if (this.pull) return this.end();
      if (moved < 4 && event.target === canvas) this.pick(event);
    });
    canvas.addEventListener('dblclick', (event) => {
      const hit = this.hit(event);
      if (hit) this.events.focused(hit.link);
    });
    window.addEventListener('pointercancel', () => { if (this.pull) this.end(); });
  }

  private aim(event: MouseEvent): Raycaster {
    const box = this.canvas.getBoundingClientRect();
    const at = new Vector2(((event.clientX - box.left) / box.width) * 2 - 1, 1 - ((event.clientY - box.top) / box.height) * 2);
    this.camera.updateMatrixWorld();  // it may have moved since the last picture
    this.caster.setFromCamera(at, this.camera);
    return this.caster;
  }

  private hit(event: MouseEvent): { link: number; part: string; point: Vector3 } | null {
    const first = this.robot.hit(this.aim(event));
    return first ? { link: first.link, part: first.name, point: first.point } : null;
  }

  private pick(event: MouseEvent): void {
    const hit = this.hit(event);
    if (this.events.pickedContact(event.clientX, event.clientY, hit?.point ?? null)) return;
    this.events.picked(hit ? hit.link : null, hit ? hit.part : '');
  }

  private begin(event: PointerEvent): void {
    const hit = this.hit(event);
    if (!hit) return;
    const facing = this.camera.getWorldDirection(new Vector3()).negate();
    this.plane.setFromNormalAndCoplanarPoint(facing, hit.point);
    this.pull = { link: hit.link, point: this.robot.tree.links[hit.link].worldToLocal(hit.point.clone()), target: hit.point };
    this.move(event);
  }

  private move(event: MouseEvent): void {
    const target = this.aim(event).ray.intersectPlane(this.plane, new Vector3());
    if (!target) return;
    this.pull!.target = target;
    this.events.pulled(this.pull);
  }

  private end(): void {
    this.pull = null;
    this.events.pulled(null);
  }
}
