// Data of the link that was picked, and traces of its frames.

import { Quaternion, Vector3 } from 'three';
import type { Panel } from './app';
import { isAtGround } from './contact_id';
import { format, formatAbove, h } from './dom';
import { LinkTree } from './link_tree';
import { LoopTable } from './loop_table';
import type { Row } from './messages';
import type { Selection } from './selection';
import { motionName } from './scene_types';
import type { Source } from './source';
import type { Viewport } from './viewport';

const numbers = (list: number[]) => `(${list.map((x) => formatAbove(1e-9, x)).join(', ')})`;

export class LinkPanel implements Panel {
  readonly title = 'Link';
  readonly element = h('div', { class: 'panel', 'data-test': 'link' });
  private choice = h('select', { 'data-test': 'link-choice', 'aria-label': 'Link' });
  private facts = h('dl', { class: 'facts' });
  private frames = h('select', { 'aria-label': 'Frame to trace', 'data-test': 'trace-choice' });
  private plotButtons = h('div', { class: 'inline' });
  private tree: LinkTree;
  private loops: LoopTable;
  private name = '';
  private row: Row | null = null;

  /** @param plot some channels */
  constructor(private source: Source, private viewport: Viewport, selection: Selection, private plot: (names: string[]) => void) {
    const { robot } = source.scene;
    this.tree = new LinkTree(robot, {
      picked: (link) => selection.pickLink(link),
      focused: (link) => { selection.pickLink(link); viewport.focusOn(link); },
      shown: (link, visible) => viewport.showLink(link, visible),
    });
    this.loops = new LoopTable(source.scene, viewport.robot.tree, (link) => selection.pickLink(link));
    selection.onChange(({ link, part }) => this.pick(link, part || (link === null ? '' : robot.links[link].name)));
    this.choice.append(h('option', { value: '' }, 'click a link in the view, or choose one'));
    robot.links.forEach((link, i) => this.choice.append(h('option', { value: String(i) }, link.name)));
    this.choice.onchange = () => {
      selection.pickLink(this.choice.value === '' ? null : Number(this.choice.value));
    };
    robot.frames.forEach((frame, i) => this.frames.append(h('option', { value: String(i) }, frame.name)));
    this.element.append(h('div', { class: 'inline' }, this.choice, h('button', { class: 'small', title: 'Show all links', 'data-test': 'show-links', onclick: () => this.tree.showAll() }, 'Show all')),
      this.tree.element, this.facts, this.plotButtons, this.loops.element, h('h3', {}, 'Traces'), h('div', { class: 'inline' }, this.frames,
      h('button', { class: 'small', 'data-test': 'trace', onclick: () => void viewport.addTrace(Number(this.frames.value)).catch(() => {}) }, 'Trace this frame'),
      h('button', { class: 'small', onclick: () => viewport.clearTraces() }, 'Clear')));
  }

  private pick(link: number | null, name: string): void {
    this.name = name;
    this.tree.setPicked(link);
    this.choice.value = link === null ? '' : String(link);
    const frame = this.source.scene.robot.frames.findIndex((each) => each.name === name);
    if (frame >= 0) this.frames.value = String(frame);
    if (link === null) this.facts.replaceChildren();
    this.offerPlots(link);
    if (this.row) this.show(this.row);
  }

  /** Channels of the link's joint, one click away. */
  private offerPlots(link: number | null): void {
    const { robot, columns } = this.source.scene;
    const dof = motionName(robot, link ?? 0);
    const names = link === null ? [] : columns.map(([name]) => name).filter((name) => name.startsWith(`${dof}.`));
    const groups = [...new Set(names.map((name) => name.split('.')[1]))];
    this.plotButtons.replaceChildren(...groups.map((group) => h('button', { class: 'small', 'data-test': 'plot-joint',
      onclick: () => this.plot(names.filter((name) => name.split('.')[1] === group)) }, `Plot ${dof}.${group}`)));
  }

  show(row: Row): void {
    this.row = row;
    this.loops.show(row);
    const index = this.viewport.selected;
    if (index === null) return;
    const { robot } = this.source.scene, link = robot.links[index], part = this.name && this.name !== link.name ? ` (part ${this.name})` : '';
    const facts: [string, string][] = [['link', link.name + part], ['mass', `${format(link.mass)} kg`], ...this.motionOf(index),
      ...(index > 0 && robot.joints[index - 1].parent >= 0 ? this.jointOf(index, row) : []), ...this.contactsOf(index, row)];
    this.facts.replaceChildren(...facts.flatMap(([name, value]) => [h('dt', {}, name), h('dd', {}, value)]));
  }

  private motionOf(index: number): [string, string][] {
    const X = this.viewport.robot.tree.links[index], { v, w, c } = this.viewport.linkMotion(index);
    const p = new Vector3().setFromMatrixPosition(X.matrixWorld), q = X.getWorldQuaternion(new Quaternion());
    return [['position', `${numbers(p.toArray())} m`], ['quaternion x y z w', numbers(q.toArray())], ['centre of mass', `${numbers(c.toArray())} m`],
      ['velocity', `${numbers(v.toArray())} m/s`], ['angular velocity', `${numbers(w.toArray())} rad/s`]];
  }

  private jointOf(index: number, row: Row): [string, string][] {
    const { robot, state } = this.source.scene, joint = robot.joints[index - 1], dof = robot.dofs[joint.dof];
    const [angle, rate, effort] = joint.kind !== 'prismatic' ? ['rad', 'rad/s', 'N m'] : ['m', 'm/s', 'N'];
    const value = (column: number) => (column < 0 ? NaN : row.values[column]), q = value(state.q[7 + joint.dof]);
    const degrees = joint.kind !== 'prismatic' ? ` (${format((180 / Math.PI) * q, 3)}°)` : '';
    const limits = dof.lower === null && dof.upper === null ? 'none' : `${format(dof.lower)} to ${format(dof.upper)} ${angle}`;
    const most = dof.max_effort === null ? '' : ` of at most ${format(dof.max_effort)} ${effort}`;
    return [['joint', `${joint.name}, ${joint.kind}`], ['joint position', `${format(q)} ${angle}${degrees}`], ['limits', limits],
      ['joint velocity', `${format(value(state.nu[6 + joint.dof]))} ${rate}`],
      [joint.kind !== 'prismatic' ? 'joint torque' : 'joint force', `${format(value(state.tau[joint.dof]))} ${effort}${most}`]];
  }

  private contactsOf(index: number, row: Row): [string, string][] {
    const { frames } = this.source.scene.robot;
    const own = row.contacts.filter((contact) => isAtGround(contact) && frames[contact.frame].link === index);
    const force = [0, 1, 2].map((k) => own.reduce((sum, contact) => sum + contact.force[k], 0));
    return [['contacts', String(own.length)], ['ground force', `${numbers(force)} N`]];
  }
}
