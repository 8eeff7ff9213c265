// The runs that are compared: which color each has, whether it is shown, and where it first differs from ours.

import { format, h } from './dom';
import { FORMER_COLOR, Ghost, GHOST_COLORS } from './ghost';
import { runNames } from './run_names';
import type { Robot } from './scene_types';
import type { Source } from './source';

const BETWEEN_LOOKS = 400;  // whether the server knows where runs part [ms]

export interface ComparisonEvents {
  /** A ghost came, or is shown or not any more. */
  changed(): void;
  /** A ghost stands elsewhere. */
  moved(): void;
  seek(time: number): void;
  say(text: string): void;
}

/** What keeps two robots from being the same; null: nothing that can be seen. */
export function otherRobot(ours: Robot, theirs: Robot): string | null {
  if (ours.name !== theirs.name) return `another robot: ${theirs.name}`;
  const links = (robot: Robot) => robot.links.map((link) => link.name).join();
  return links(ours) === links(theirs) ? null : `another robot: ${theirs.links.length} links in place of ${ours.links.length}, or other names`;
}

export class Comparison {
  /** A line for each run. */
  readonly element = h('div', { class: 'runs', 'data-test': 'runs' });
  readonly ghosts: Ghost[];
  private former: Ghost | null = null;
  private formerLine: HTMLElement | null = null;

  constructor(private source: Source, others: Source[], private events: ComparisonEvents) {
    const [own, ...names] = runNames([source, ...others]);
    this.ghosts = others.map((other, k) => new Ghost(other, names[k], GHOST_COLORS[k % GHOST_COLORS.length], () => events.moved()));
    if (others.length > 0) this.element.append(h('div', { class: 'run' }, h('span', { class: 'name' }, own)));
    for (const ghost of this.ghosts) this.element.append(this.line(ghost));
    this.element.hidden = others.length === 0;
  }

  private line(ghost: Ghost): HTMLElement {
    const note = h('span', { class: 'dim', 'data-test': 'differs' }), line = h('div', { class: 'run' }, this.toggle(ghost), note);
    const problem = otherRobot(this.source.scene.robot, ghost.source.scene.robot);
    if (problem) {
      note.textContent = problem;
      note.classList.add('warning');
      this.events.say(`${ghost.name} is of ${problem}. Only channels of the same name are compared.`);
    }
    void this.findDifference(ghost, note, problem).catch(() => { /* the connection is gone */ });
    return line;
  }

  private toggle(ghost: Ghost): HTMLButtonElement {
    const button = h('button', { class: 'name', title: 'Show its robot, or not', 'aria-pressed': 'true', 'data-ghost': ghost.name },
      h('i', { class: 'dot', style: `background:${ghost.color}` }), ghost.name);
    button.onclick = () => {
      ghost.on = !ghost.on;
      button.setAttribute('aria-pressed', String(ghost.on));
      this.events.changed();
    };
    return button;
  }

  private async findDifference(ghost: Ghost, note: HTMLElement, problem: string | null): Promise<void> {
    let found = await ghost.source.difference();
    for (; !found.done; found = await ghost.source.difference()) {
      if (!problem) note.textContent = 'comparing …';
      await new Promise((resolve) => setTimeout(resolve, BETWEEN_LOOKS));
    }
    if (problem) return;
    if (found.time === null) return void (note.textContent = found.problem ?? 'the same at all common instants');
    const time = found.time, values = `${found.column}: ${format(found.a, 6)} in place of ${format(found.b, 6)}`;
    note.replaceChildren(h('button', { class: 'link', title: `${values}. Go there.`, 'data-test': 'first-difference', onclick: () => this.events.seek(time) },
      `first differs at t = ${format(time, 6)} s`));
  }

  /** What was taken back by going on from an earlier instant, or no longer that. @param since the rows are others [s] */
  showFormer(source: Source | null, since: number): void {
    if (source && !this.former) {
      this.former = new Ghost(source, 'former run', FORMER_COLOR, () => this.events.moved());
      this.ghosts.push(this.former);
      this.formerLine = h('div', { class: 'run' }, this.toggle(this.former), h('span', { class: 'dim', 'data-test': 'former' }));
      this.element.append(this.formerLine);
      this.element.hidden = false;
      this.events.changed();
    }
    this.former?.forget();
    if (this.formerLine) this.formerLine.querySelector('.dim')!.textContent = `left at t = ${format(since)} s`;
  }

  /** @param speed of the time; 0: it stands still */
  show(time: number, speed: number): void { for (const ghost of this.ghosts) ghost.show(time, speed); }
}
