// A slider for each joint: while the simulation is paused it puts the joint elsewhere, while it runs it moves the place where the joint is held.

import { format, h } from './dom';
import type { Player } from './player';
import type { Row } from './messages';
import type { Dof } from './scene_types';
import type { Source } from './source';

const BETWEEN_POSES = 60;  // [ms]

interface Line { bar: HTMLInputElement; shown: HTMLElement; dof: number }

/** Limits of a joint; without any, a whole turn or a metre to either side. */
function limits(dof: Dof): [number, number] {
  const wide = dof.kind === 'prismatic' ? 1 : Math.PI;
  return [dof.lower ?? -wide, dof.upper ?? wide];
}

export class JointSliders {
  readonly element = h('details', { class: 'joints', 'data-test': 'joints' });
  private heading = h('summary', {}, 'Joints');
  private note = h('p', { class: 'dim', 'data-test': 'joints-note' });
  private lines: Line[] = [];
  private held: HTMLInputElement | null = null;  // the bar that somebody moves
  private posed = 0;  // [ms]

  constructor(private source: Source, private player: Player) {
    const list = h('div', { class: 'parameters' });
    source.scene.robot.dofs.forEach((dof, i) => list.append(this.line(dof, i)));
    this.element.append(this.heading, this.note, list);
    this.element.hidden = this.lines.length === 0;
    this.element.addEventListener('toggle', () => { if (player.row) this.show(player.row); });
  }

  private line(dof: Dof, i: number): HTMLElement {
    const [low, high] = limits(dof), shown = h('output');
    const bar = h('input', { type: 'range', min: String(low), max: String(high), step: 'any', 'data-joint': dof.name, 'aria-label': dof.name });
    const line = { bar, shown, dof: i };
    bar.oninput = () => { this.held = bar; this.moved(line, false); };
    bar.onchange = () => { this.held = null; this.moved(line, true); };
    this.lines.push(line);
    return h('label', { class: 'parameter' }, h('span', { title: dof.name }, dof.name), bar, shown);
  }

  private get running(): boolean { return this.source.pace.playing; }

  /** @param last the bar was let go */
  private moved({ bar, shown, dof }: Line, last: boolean): void {
    const { name } = this.source.scene.robot.dofs[dof], value = Number(bar.value), now = performance.now();
    shown.textContent = this.text(value, dof);
    if (this.running) {
      if (last) this.source.command({ do: 'set', key: `hold.target.${name}`, value: String(value) });
    } else if (last || now - this.posed > BETWEEN_POSES) {
      this.posed = now;
      if (this.player.row) this.source.command({ do: 'pose', dof, value, index: this.player.row.index });
    }
  }

  private text(value: number, dof: number): string {
    return this.source.scene.robot.dofs[dof].kind === 'prismatic' ? `${format(value, 3)} m` : `${format((180 / Math.PI) * value, 3)}°`;
  }

  show(row: Row): void {
    if (!this.element.open) return;
    const { state, targets } = this.source.scene, { running } = this;
    const someHeld = targets?.some((target) => target !== null) ?? false;
    this.note.textContent = !running ? 'Paused: a bar puts its joint elsewhere, and the run goes on from there.'
      : someHeld ? 'Running: a bar moves the place where its joint is held.' : 'Running: nothing holds a posture here. Pause to put joints elsewhere.';
    for (const { bar, shown, dof } of this.lines) {
      const value = running ? targets?.[dof] ?? null : row.values[state.q[7 + dof]];
      bar.disabled = value === null;
      if (bar === this.held) continue;
      bar.value = String(value ?? row.values[state.q[7 + dof]]);
      shown.textContent = value === null ? '–' : this.text(value, dof);
    }
  }
}
