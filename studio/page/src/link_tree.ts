// The links of the robot as they hang together: each can be picked, hidden and looked at.

import { h } from './dom';
import type { Robot } from './scene_types';

export interface LinkTreeEvents {
  picked(link: number): void;
  /** The camera goes there. */
  focused(link: number): void;
  shown(link: number, visible: boolean): void;
}

export class LinkTree {
  readonly element = h('ul', { class: 'links', role: 'tree', 'data-test': 'link-tree' });
  private rows: HTMLElement[] = [];
  private boxes: HTMLInputElement[] = [];
  private folded = new Set<number>();
  private children: number[][];

  constructor(private robot: Robot, private events: LinkTreeEvents) {
    this.children = robot.links.map(() => []);
    robot.joints.forEach((joint, j) => { if (joint.parent >= 0) this.children[joint.parent].push(j + 1); });
    this.add(0, 0);
    robot.joints.forEach((joint, j) => { if (joint.parent < 0) this.add(j + 1, 0); });
    this.fold();
  }

  private add(link: number, depth: number): void {
    const { name } = this.robot.links[link], inner = this.children[link].length > 0;
    const box = h('input', { type: 'checkbox', checked: true, 'aria-label': `Show ${name}`, title: 'Show it; with Shift all that hangs on it too' });
    box.onclick = (event) => { event.stopPropagation(); this.setShown(event.shiftKey ? this.below(link) : [link], box.checked); };
    const fold = h('button', { class: 'fold', 'aria-label': `Fold ${name}`, hidden: !inner, onclick: (event: Event) => { event.stopPropagation(); this.toggle(link); } }, '▾');
    const row = h('li', { tabIndex: 0, role: 'treeitem', title: 'A click picks it, a double click looks at it', 'data-link': name, style: `--depth:${depth}` }, fold, box, h('span', {}, name));
    row.onclick = () => this.events.picked(link);
    row.ondblclick = () => this.events.focused(link);
    row.onkeydown = (event) => { if (event.key === 'Enter') this.events.picked(link); };
    this.rows[link] = row;
    this.boxes[link] = box;
    this.element.append(row);
    for (const child of this.children[link]) this.add(child, depth + 1);
  }

  /** A link and all that hangs on it. */
  private below(link: number): number[] { return [link, ...this.children[link].flatMap((child) => this.below(child))]; }

  setShown(links: number[], visible: boolean): void {
    for (const link of links) {
      this.boxes[link].checked = visible;
      this.events.shown(link, visible);
    }
  }

  showAll(): void { this.setShown(this.robot.links.map((_, i) => i), true); }

  private toggle(link: number): void {
    this.folded.has(link) ? this.folded.delete(link) : this.folded.add(link);
    this.fold();
  }

  private fold(): void {
    const hidden = new Set([...this.folded].flatMap((link) => this.below(link).slice(1)));
    this.rows.forEach((row, link) => {
      row.hidden = hidden.has(link);
      row.querySelector('.fold')!.textContent = this.folded.has(link) ? '▸' : '▾';
    });
  }

  setPicked(link: number | null): void {
    this.rows.forEach((row, each) => {
      row.classList.toggle('picked', each === link);
      row.setAttribute('aria-selected', String(each === link));
    });
    const row = link === null ? null : this.rows[link];
    // Only the list itself scrolls: the facts below it stay where they are.
    if (row && !row.hidden) this.element.scrollTop += Math.min(0, row.offsetTop - this.element.scrollTop) || Math.max(0, row.offsetTop + row.offsetHeight - this.element.scrollTop - this.element.clientHeight);
  }
}
