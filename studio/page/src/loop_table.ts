// Loops of the robot, and ties: which of them hold now, between which links, and what they carry.

import { Vector3 } from 'three';
import { formatAbove, h, refill } from './dom';
import type { KinematicTree } from './kinematics';
import { TIE_KINDS, type Row, type Tie } from './messages';
import type { Loop, SceneDescription, Vec3 } from './scene_types';

const NO_GAP = 1e-9;   // rounding [m]
const NO_FORCE = 1e-9; // rounding [N]

/** A line of the table; null: it does not hold now. */
interface Joint { name: string; kind: string; link_a: number; link_b: number; gap: number; force: number; moment: number }

/** Columns of the force and the moment of a loop; −1: they are not in this log. */
interface Columns { force: number[]; moment: number[] }

export class LoopTable {
  readonly element = h('section', { hidden: true, 'data-test': 'loops' });
  private body = h('tbody');
  private note = h('p', { class: 'dim', hidden: true });
  private columns: Columns[];
  private counted: number;

  /** @param picked a link */
  constructor(private scene: SceneDescription, private tree: KinematicTree, private picked: (link: number) => void) {
    this.columns = scene.robot.loops.map((loop, k) => this.columnsOf(loop, k));
    this.counted = this.column('ties.count');
    const head = [['name'], ['joint'], ['between'], ['gap', 'm'], ['force', 'N'], ['moment', 'N m']].map(([title, unit]) => h('th', { scope: 'col' }, title, unit ? h('small', {}, `[${unit}]`) : null));
    this.element.append(h('h3', {}, 'Loops and ties'), h('div', { class: 'table loops' }, h('table', {}, h('thead', {}, h('tr', {}, ...head)), this.body)), this.note);
  }

  private column(name: string): number { return this.scene.columns.findIndex(([each]) => each === name); }

  private columnsOf(loop: Loop, k: number): Columns {
    const before = this.scene.robot.loops.slice(0, k).filter(({ name }) => name === loop.name).length;
    const name = `loop.${loop.name}${before > 0 ? `[${before}]` : ''}`;
    const axes = (what: string) => ['x', 'y', 'z'].map((axis) => this.column(`${name}.${what}.${axis}`));
    return { force: axes('force'), moment: axes('moment') };
  }

  show(row: Row): void {
    const loops = this.scene.robot.loops.map((loop, k): [string, Joint] => [loop.name, this.loopAt(loop, this.columns[k], row)]);
    const named = this.scene.ties.map((name, k): [string, Joint | null] => [name, this.held(row.ties.find((tie) => tie.name === k), name)]);
    const byCode = row.ties.filter((tie) => tie.name < 0).map((tie): [string, Joint | null] => ['', this.held(tie, '')]);
    const lines = [...loops, ...named, ...byCode];
    const lost = this.counted < 0 ? 0 : Math.max(0, row.values[this.counted] - row.ties.length || 0);
    this.element.hidden = lines.length === 0 && lost === 0;
    this.note.hidden = lost === 0;
    this.note.textContent = `${lost} ${lost === 1 ? 'tie holds' : 'ties hold'} now. This log only counts them: .mcap and .mat say which.`;
    if (!this.element.hidden) refill(this.body, lines.map(([name, joint]) => this.line(name, joint)));
  }

  private loopAt(loop: Loop, columns: Columns, row: Row): Joint {
    const size = (of: number[]) => Math.hypot(...of.map((column) => (column < 0 ? NaN : row.values[column])));
    return { ...loop, gap: this.gap(loop.link_a, loop.X_AF.p, loop.link_b, loop.X_BF.p), force: size(columns.force), moment: size(columns.moment) };
  }

  private held(tie: Tie | undefined, name: string): Joint | null {
    if (!tie) return null;
    return { ...tie, name, kind: TIE_KINDS[tie.kind] ?? '', gap: this.gap(tie.link_a, tie.p_A, tie.link_b, tie.p_B), force: Math.hypot(...tie.force), moment: Math.hypot(...tie.moment) };
  }

  private gap(a: number, p: Vec3, b: number, q: Vec3): number { return this.place(a, p).distanceTo(this.place(b, q)); }
  private place(link: number, p: Vec3): Vector3 { return link < 0 ? new Vector3(...p) : this.tree.toWorld(link, new Vector3(...p)); }

  private line(name: string, joint: Joint | null): HTMLElement {
    if (!joint) return h('tr', { class: 'dim', 'data-held': 'false' }, h('td', {}, name), h('td', { colSpan: 5 }, 'does not hold now'));
    const link = (index: number) => (index < 0 ? 'world' : this.scene.robot.links[index]?.name ?? '?');
    const pick = () => this.picked(joint.link_b >= 0 ? joint.link_b : joint.link_a);
    const cells = [name || `${link(joint.link_a)}-${link(joint.link_b)}`, joint.kind, `${link(joint.link_a)} – ${link(joint.link_b)}`,
      formatAbove(NO_GAP, joint.gap, 3), formatAbove(NO_FORCE, joint.force), formatAbove(NO_FORCE, joint.moment)];
    return h('tr', { tabIndex: 0, title: 'A click picks the link', 'data-held': 'true', onclick: pick,
      onkeydown: (event: Event) => { if ((event as KeyboardEvent).key === 'Enter') pick(); } }, ...cells.map((text, k) => h('td', { class: k < 3 ? '' : 'number' }, text)));
  }
}
