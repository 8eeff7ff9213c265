// Contacts of the shown instant: points, force and impulse arrows, friction cones.

import { Color, ConeGeometry, DoubleSide, Group, MeshBasicMaterial, MeshStandardMaterial, Quaternion, SphereGeometry, Vector3 } from 'three';
import { Arrows } from './arrows';
import { contactId, type ContactId } from './contact_id';
import { Instances } from './instances';
import { COLORS, MODE_NAMES } from './layers';
import type { Contact } from './messages';
import type { Robot } from './scene_types';

const Z = new Vector3(0, 0, 1);
const PICKED = new Color('#1c7ed6');

export class ContactView {
  readonly points = new Group();
  readonly forces = new Arrows(COLORS.force);
  readonly impulses = new Arrows(COLORS.impulse);
  readonly cones = new Group();
  /** Factor on the length of all arrows. */
  arrowScale = 1;
  picked: ContactId | null = null;
  private balls = new Instances(new SphereGeometry(1, 16, 12), new MeshStandardMaterial({ roughness: 0.5 }));
  private funnels: Instances;
  private colors = MODE_NAMES.map((name) => new Color(COLORS[name]));
  private readonly p = new Vector3();
  private readonly normal = new Vector3();
  private readonly vector = new Vector3();
  private readonly scale = new Vector3();
  private readonly turn = new Quaternion();

  /** @param size of the robot [m]; @param weight of it [N]: a force of that size is drawn nearly as long as the robot */
  constructor(private robot: Robot, private size: number, private weight: number) {
    // The tip is at the contact, the opening looks along the normal.
    const funnel = new ConeGeometry(1, 1, 28, 1, true).rotateX(-Math.PI / 2).translate(0, 0, 0.5);
    this.funnels = new Instances(funnel, new MeshBasicMaterial({ transparent: true, opacity: 0.32, side: DoubleSide, depthWrite: false }));
    this.points.add(this.balls.group);
    this.cones.add(this.funnels.group);
  }

  /** @param held impulses of an impact that has just been, with what is left of their strength (1 … 0) */
  show(contacts: Contact[], held: { contacts: Contact[]; strength: number } | null): void {
    for (const part of [this.balls, this.funnels, this.forces]) part.clear();
    const ball = 0.009 * this.size, thick = 0.0055 * this.size, height = 0.14 * this.size;
    for (const contact of contacts) {
      const { p, scale, turn } = this, color = this.colors[contact.mode];
      p.fromArray(contact.point);
      turn.setFromUnitVectors(Z, this.normal.fromArray(contact.normal));
      const picked = this.picked !== null && contactId(contact, this.robot) === this.picked;
      this.balls.add(p, turn, scale.setScalar(picked ? 2.2 * ball : ball), picked ? PICKED : color);
      this.funnels.add(p, turn, scale.set(contact.friction * height, contact.friction * height, height), color);
      this.forces.add(p, this.vector.fromArray(contact.force).multiplyScalar((0.9 * this.arrowScale * this.size) / this.weight), thick);
    }
    for (const part of [this.balls, this.funnels, this.forces]) part.finish();
    this.showImpulses(contacts, held);
  }

  private showImpulses(contacts: Contact[], held: { contacts: Contact[]; strength: number } | null): void {
    const thick = 0.0075 * this.size;
    this.impulses.clear();
    const add = ({ point, impulse }: Contact, strength: number) => {
      // Those of a fall from the robot's own height are about as long as the robot.
      this.vector.fromArray(impulse).multiplyScalar((3 * this.arrowScale * this.size) / this.weight);
      this.impulses.add(this.p.fromArray(point), this.vector, thick * strength);
    };
    for (const contact of contacts) add(contact, 1);
    const fresh = contacts.some(({ impulse }) => impulse.some((part) => part !== 0));
    if (held && !fresh) for (const contact of held.contacts) add(contact, held.strength);
    this.impulses.finish();
  }
}
