// Energy and momentum at the shown instant, and whether they add up over the step that starts there.

import { Vector3 } from 'three';
import type { Panel } from './app';
import { isAtGround } from './contact_id';
import { format, formatAbove, h } from './dom';
import { KinematicTree, MotionFinder, type Motion } from './kinematics';
import type { Row } from './messages';
import type { PlotPanel } from './plot_panel';
import type { Source } from './source';
import type { Viewport } from './viewport';

const NOISE = 1e-9;  // of what is usual: less is that of computing

/** @param usual size of such numbers */
const vector = (v: Vector3, usual: number, digits = 4) => `(${v.toArray().map((x) => formatAbove(NOISE * usual, x, digits)).join(', ')})`;

export class BalancePanel implements Panel {
  readonly title = 'Balance';
  readonly element = h('div', { class: 'panel', 'data-test': 'balance' });
  private energy = h('dl', { class: 'facts' });
  private momentum = h('dl', { class: 'facts' });
  private bars = h('div', { class: 'bars' });
  private asked = false;
  private tree: KinematicTree;  // of our own: the one that is drawn stays as it is
  private motions: MotionFinder;

  constructor(private source: Source, private viewport: Viewport, plots: PlotPanel) {
    this.tree = new KinematicTree(source.scene.robot);
    this.motions = new MotionFinder(source.scene);
    this.element.append(h('h3', {}, 'Energy'), this.bars, this.energy, h('h3', {}, 'Momentum'), this.momentum,
      plots.offer({ 'Plot energy': /^energy\./, 'Plot momentum': /^momentum\.linear/, 'Plot angular momentum': /^momentum\.angular/ }),
      h('p', { class: 'dim' }, 'Link by link, without the rotors of motors. Changes are those of the step that starts at the shown instant; at the newest one, of the step that ended there.'));
  }

  show(row: Row): void {
    const motion = this.viewport.motion;
    if (!motion) return;
    if (this.energy.childElementCount === 0) this.fill(row, motion, null);
    if (this.asked) return;
    this.asked = true;
    // The newest row has no next one: its step is the one that has just ended.
    const newest = row.index + 1 >= this.source.extent.end;
    this.source.rowByIndex(row.index + (newest ? -1 : 1))
      .then((other) => { if (other) this.compare(newest ? other : row, newest ? row : other); })
      .catch(() => {})
      .finally(() => { this.asked = false; });
  }

  private compare(row: Row, next: Row): void {
    const { scene } = this.source;
    const motionAt = (at: Row) => {
      this.tree.update(at.values, scene.state.q);
      return this.motions.find(this.tree, at.values);
    };
    this.fill(row, motionAt(row), { row: next, motion: motionAt(next) });
  }

  private fill(row: Row, now: Motion, next: { row: Row; motion: Motion } | null): void {
    const list = (entries: [string, string][]) => entries.flatMap(([name, value]) => [h('dt', {}, name), h('dd', {}, value)]);
    const total = now.kinetic + now.potential;
    const energy: [string, string][] = [['kinetic', `${formatAbove(NOISE * now.mass, now.kinetic)} J`], ['potential', `${formatAbove(NOISE * now.mass, now.potential)} J`], ['total', `${format(total, 6)} J`]];
    const gravity = new Vector3(...this.source.scene.robot.gravity).multiplyScalar(now.mass);
    const contacts = new Vector3(), impulses = new Vector3();
    for (const contact of row.contacts.filter(isAtGround)) {  // the others push two links against each other
      contacts.add(new Vector3(...contact.force));
      impulses.add(new Vector3(...contact.impulse));
    }
    const weight = gravity.length() || now.mass;
    const momentum: [string, string][] = [['centre of mass', `${vector(now.com, 1)} m`], ['linear', `${vector(now.linear, now.mass)} N s`],
      ['angular, about it', `${vector(now.angular, now.mass)} N m s`], ['weight', `${vector(gravity, weight)} N`], ['contact forces', `${vector(contacts, weight)} N`]];
    if (next && next.row.time > row.time) {
      const dt = next.row.time - row.time, work = this.jointWork(row, next.row, dt), after = next.motion;
      const change = after.kinetic + after.potential - total;
      energy.push(['change', `${formatAbove(NOISE * weight, change / dt)} W`], ['by joint torques', `${formatAbove(NOISE * weight, work / dt)} W`],
        ['by contacts, impacts, pushes', `${formatAbove(NOISE * weight, (change - work) / dt)} W`]);
      const rate = after.linear.clone().sub(now.linear).divideScalar(dt);
      const rest = rate.clone().sub(gravity).sub(contacts).addScaledVector(impulses, -1 / dt);
      momentum.push(['change', `${vector(rate, weight)} N`], ['from outside (pushes)', `${vector(rest, weight, 3)} N`]);
    }
    this.energy.replaceChildren(...list(energy));
    this.momentum.replaceChildren(...list(momentum));
    const largest = Math.max(Math.abs(now.kinetic), Math.abs(now.potential), 1e-9);
    const bar = (name: string, value: number, color: string) => h('div', {}, h('span', {}, name),
      h('i', { style: `width:${(70 * Math.abs(value)) / largest}%;background:${color}` }));
    this.bars.replaceChildren(bar('kinetic', now.kinetic, '#1c7ed6'), bar('potential', now.potential, '#37b24d'));
  }

  private jointWork(row: Row, next: Row, dt: number): number {
    const { state } = this.source.scene;
    return state.tau.reduce((sum, column, i) => {
      if (column < 0 || Number.isNaN(row.values[column])) return sum;
      return sum + row.values[column] * 0.5 * (row.values[state.nu[6 + i]] + next.values[state.nu[6 + i]]) * dt;
    }, 0);
  }
}
