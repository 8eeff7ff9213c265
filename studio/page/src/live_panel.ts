// What can be done to a simulation that goes on: change it, pull at it, save it, start it again.

import type { Panel } from './app';
import { ChangesList } from './changes_list';
import { format, h, refill } from './dom';
import { JointSliders } from './joint_sliders';
import type { Row } from './messages';
import type { Player } from './player';
import type { Parameter } from './scene_types';
import type { Source } from './source';
import type { Viewport } from './viewport';

export class LivePanel implements Panel {
  readonly title = 'Live';
  readonly element = h('div', { class: 'panel', 'data-test': 'live' });
  private parameters = h('div', { class: 'parameters' });
  private states = h('div', { class: 'states' });
  private changes: ChangesList;
  private joints: JointSliders;
  private undo = h('button', { class: 'small', 'data-test': 'undo', title: 'Bring back what was taken back (u)', onclick: () => this.source.command({ do: 'undo' }) });
  private saves = 0;

  constructor(private source: Source, viewport: Viewport, private player: Player) {
    this.changes = new ChangesList(source);
    this.joints = new JointSliders(source, player);
    const pull = h('input', { type: 'checkbox', 'data-test': 'pull-mode' });
    pull.onchange = () => { viewport.pullMode = pull.checked; };
    const key = h('input', { placeholder: 'physics.gravity', spellcheck: false, 'aria-label': 'Key of the scene' }), value = h('input', { placeholder: '[0, 0, -1.62]', spellcheck: false, 'aria-label': 'Its value' });
    const set = h('button', { class: 'small', onclick: () => this.set(key.value.trim(), value.value.trim()) }, 'Set');
    this.element.append(h('h3', {}, 'Parameters'), this.parameters,
      h('div', { class: 'inline', title: 'A number, a list of numbers, true, false or a choice of the scene file; the simulation goes on from where it is. Keys that name files need `footfall view --allow-files`' }, key, '=', value, set),
      h('h3', {}, 'Changed'), this.changes.element,
      h('h3', {}, 'Push'), h('label', {}, pull, 'Drag on the robot pulls at it (without: Ctrl + drag)'),
      h('h3', {}, 'State'), h('div', { class: 'inline' },
        h('button', { class: 'small', 'data-test': 'save', title: 'Keep the shown instant', onclick: () => this.save() }, 'Save'),
        h('button', { class: 'small', 'data-test': 'reset', onclick: () => source.command({ do: 'reset' }) }, 'Reset to the start'), this.undo), this.states,
      this.joints.element);
    this.described();
  }

  private save(): void {
    if (this.player.row) this.source.command({ do: 'save', name: `state ${++this.saves}`, index: this.player.row.index });
  }

  private set(key: string, value: string): void {
    if (key && value) this.source.command({ do: 'set', key, value });
  }

  described(): void {
    refill(this.parameters, (this.source.scene.parameters ?? []).map((parameter) => this.slider(parameter)));
    this.changes.described();
    const { former } = this.source.scene;
    this.undo.hidden = former === undefined;
    this.undo.textContent = former ? `Undo: back to the former run (t ≥ ${format(former.time)} s)` : 'Undo';
    const saved = this.source.scene.saved ?? [];
    this.saves = Math.max(this.saves, saved.length);
    this.states.replaceChildren(...saved.map(({ name, time }) => h('button', {
      class: 'small', 'data-test': 'restore', onclick: () => this.source.command({ do: 'restore', name }),
    }, `↺ ${name} (t = ${format(time)} s)`)));
  }

  private slider(parameter: Parameter): HTMLElement {
    if (parameter.key === undefined) return h('p', { class: 'dim' }, `${parameter.label}: ${parameter.refused}`);
    const unit = parameter.unit === '-' ? '' : parameter.unit ?? '';
    const shown = h('output', {}, `${format(parameter.value)} ${unit}`);
    const input = h('input', { type: 'range', min: String(parameter.low), max: String(parameter.high), step: 'any', value: String(parameter.value),
      'data-parameter': parameter.label });
    input.oninput = () => { shown.textContent = `${format(Number(input.value))} ${unit}`; };
    input.onchange = () => this.change(parameter, Number(input.value));
    return h('label', { class: 'parameter' }, h('span', {}, parameter.label), input, shown);
  }

  private change(parameter: Parameter, value: number): void {
    if (parameter.key === 'gain') this.source.command({ do: 'gain', value });
    else this.set(parameter.key!, parameter.unit === 'deg' ? `${value} deg` : String(value));
  }

  show(row: Row): void { this.joints.show(row); }
}
