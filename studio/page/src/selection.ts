// What is picked, everywhere at once: a link, perhaps one of its contacts, and the channels that belong to them.

import { linksOfContact, nameOfContact, type ContactId } from './contact_id';
import { motionName, type SceneDescription } from './scene_types';

export interface Picked {
  link: number | null;
  contact: ContactId | null;
  /** The shape of the link that was pressed. */
  part: string;
}

const NOTHING: Picked = { link: null, contact: null, part: '' };

export class Selection {
  private now: Picked = NOTHING;
  private listeners: ((picked: Picked) => void)[] = [];

  constructor(private scene: SceneDescription) {}

  get picked(): Picked { return this.now; }

  onChange(listener: (picked: Picked) => void): void { this.listeners.push(listener); }

  clear(): void { this.set(NOTHING); }

  pickLink(link: number | null, part = ''): void { this.set(link === null ? NOTHING : { link, contact: null, part }); }

  pickContact(contact: ContactId): void { this.set({ link: linksOfContact(contact, this.scene.robot)[0] ?? null, contact, part: '' }); }

  /** What a channel belongs to; one that belongs to nothing changes nothing. */
  pickChannel(name: string): void {
    const { robot } = this.scene, point = robot.candidates.findIndex((candidate) => candidate.name.endsWith(']') && name.startsWith(`${candidate.name}.`));
    if (point >= 0) return this.pickContact(point);
    let best = { link: -1, length: 0 };
    robot.links.forEach((_, link) => {
      for (const { length } of this.ownersOf(link).filter((owner) => name.startsWith(`${owner}.`))) if (length > best.length) best = { link, length };
    });
    if (best.link >= 0) this.pickLink(best.link);
  }

  /** What the channels of a link begin with: its joint, its frames, the base. */
  private ownersOf(link: number): string[] {
    const { robot } = this.scene, joint = motionName(robot, link);
    const soles = new Set(robot.candidates.filter((candidate) => candidate.link === link).map((candidate) => robot.frames[candidate.frame].name));
    return [joint, ...soles];
  }

  /** Channels of the picked contact, or else of the picked link. */
  channels(): string[] {
    const { link, contact } = this.now, { robot, columns } = this.scene;
    if (link === null) return [];
    const point = contact !== null && contact >= 0 ? robot.candidates[contact].name : null;
    const starts = point ? [point, robot.frames[robot.candidates[contact!].frame].name] : this.ownersOf(link);
    return columns.map(([name]) => name).filter((name) => starts.some((start) => name.startsWith(`${start}.`) || (!point && name.startsWith(`${start}[`))));
  }

  /** What it is called. */
  get title(): string {
    const { link, contact } = this.now, { robot } = this.scene;
    if (contact !== null) return nameOfContact(contact, robot);
    return link === null ? '' : robot.links[link].name;
  }

  private set(picked: Picked): void {
    if (picked.link === this.now.link && picked.contact === this.now.contact && picked.part === this.now.part) return;
    this.now = picked;
    for (const listener of this.listeners) listener(picked);
  }
}
