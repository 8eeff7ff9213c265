// Data of the link that was picked, and traces of its frames.

import { Quaternion, Vector3 } from 'three';
import type { Panel } from './app';
import { format, h } from './dom';
import type { Row } from './messages';
import type { Source } from './source';
import type { Viewport } from './viewport';

export class LinkPanel implements Panel {
  readonly title = 'Link';
  readonly element = h('div', { class: 'panel', 'data-test': 'link' });
  private choice = h('select', { 'data-test': 'link-choice' });
  private facts = h('dl', { class: 'facts' });
  private frames = h('select');
  private name = '';

  constructor(private source: Source, private viewport: Viewport) {
    const { robot } = source.scene;
    this.choice.append(h('option', { value: '' }, 'click a link in the view, or choose one'));
    robot.links.forEach((link, i) => this.choice.append(h('option', { value: String(i) }, link.name)));
    this.choice.onchange = () => {
      const link = this.choice.value === '' ? null : Number(this.choice.value);
      viewport.select(link);
      this.pick(link, link === null ? '' : robot.links[link].name);
    };
    robot.frames.forEach((frame, i) => this.frames.append(h('option', { value: String(i) }, frame.name)));
    this.element.append(this.choice, this.facts, h('h3', {}, 'Traces'), h('div', { class: 'inline' }, this.frames,
      h('button', { class: 'small', 'data-test': 'trace', onclick: () => void viewport.addTrace(Number(this.frames.value)) }, 'Trace this frame'),
      h('button', { class: 'small', onclick: () => viewport.clearTraces() }, 'Clear')));
  }

  pick(link: number | null, name: string): void {
    this.name = name;
    this.choice.value = link === null ? '' : String(link);
    const frame = this.source.scene.robot.frames.findIndex((each) => each.name === name);
    if (frame >= 0) this.frames.value = String(frame);
    if (link === null) this.facts.replaceChildren();
  }

  show(row: Row): void {
    const index = this.viewport.selected;
    if (index === null) return;
    const { robot, state } = this.source.scene, link = robot.links[index];
    const { tree } = this.viewport.robot, X = tree.links[index];
    const p = new Vector3().setFromMatrixPosition(X.matrixWorld), q = X.getWorldQuaternion(new Quaternion());
    const numbers = (list: number[]) => `(${list.map((x) => format(Math.abs(x) < 1e-12 ? 0 : x)).join(', ')})`;
    const facts: [string, string][] = [['link', link.name + (this.name && this.name !== link.name ? ` (part ${this.name})` : '')],
      ['mass', `${format(link.mass)} kg`], ['position', `${numbers(p.toArray())} m`], ['quaternion x y z w', numbers(q.toArray())]];
    if (index > 0) {
      const joint = robot.joints[index - 1], dof = robot.dofs[joint.dof];
      const [angle, rate, effort] = joint.kind === 'revolute' ? ['rad', 'rad/s', 'N m'] : ['m', 'm/s', 'N'];
      const value = (column: number) => (column < 0 ? NaN : row.values[column]);
      facts.push(['joint', joint.name], ['joint position', `${format(value(state.q[7 + joint.dof]))} ${angle}`],
        ['limits', `${format(dof.lower)} to ${format(dof.upper)} ${angle}`],
        ['joint velocity', `${format(value(state.nu[6 + joint.dof]))} ${rate}`], ['joint torque', `${format(value(state.tau[joint.dof]))} ${effort}`]);
    }
    const own = row.contacts.filter((contact) => robot.candidates[contact.candidate]?.link === index);
    const force = [0, 1, 2].map((k) => own.reduce((sum, contact) => sum + contact.force[k], 0));
    facts.push(['contacts', String(own.length)], ['ground force', `${numbers(force)} N`]);
    this.facts.replaceChildren(...facts.flatMap(([name, value]) => [h('dt', {}, name), h('dd', {}, value)]));
  }
}
