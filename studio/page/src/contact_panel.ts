// The contact problem of the shown instant: one line for each contact, and how the solver got on.

import type { Panel } from './app';
import { format, h } from './dom';
import { COLORS, MODE_NAMES } from './layers';
import type { Contact, Row } from './messages';
import type { PlotPanel } from './plot_panel';
import type { Source } from './source';
import type { Viewport } from './viewport';

const dot = (a: number[], b: number[]) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

/** Parts of a force along the normal of the ground and in its plane. */
export function split(force: number[], normal: number[]): { normal: number; tangent: number } {
  const along = dot(force, normal);
  return { normal: along, tangent: Math.hypot(...force.map((f, k) => f - along * normal[k])) };
}

export class ContactPanel implements Panel {
  readonly title = 'Contacts';
  readonly element = h('div', { class: 'panel', 'data-test': 'contacts' });
  private summary = h('dl', { class: 'facts' });
  private body = h('tbody');
  private touching: string;

  constructor(private source: Source, private viewport: Viewport, plots: PlotPanel) {
    const { candidates, frames } = source.scene.robot, names = [...new Set(candidates.map(({ frame }) => frames[frame].name))];
    this.touching = names.length === 0 ? 'nothing' : names.length <= 6 ? names.join(', ') : `${names.slice(0, 5).join(', ')} and ${names.length - 5} more`;
    const heads = [['contact', ''], ['gap', 'mm'], ['normal velocity', 'mm/s'], ['slip', 'mm/s'], ['normal force', 'N'], ['tangent force', 'N'], ['of μ', '%'], ['impulse', 'N s'], ['state', '']];
    const head = h('tr', {}, ...heads.map(([name, unit]) => h('th', { scope: 'col' }, name, unit ? h('small', {}, `[${unit}]`) : null)));
    this.element.append(this.summary, h('div', { class: 'table' }, h('table', {}, h('thead', {}, head), this.body)),
      plots.offer({ 'Plot normal forces': /\.ground_force\.normal$/, 'Plot iterations': /^solver\.iterations$/, 'Plot residual': /^solver\.residual$/ }),
      h('p', { class: 'dim' }, 'Velocities are those of the contact relative to the ground at the end of the step; forces are means over it.'));
  }

  show(row: Row): void {
    const { solver, physics } = this.source.scene;
    const carried = row.contacts.reduce((sum, contact) => sum + contact.force[2], 0);
    const zmp = this.viewport.balance.zmpPoint;
    const facts: [string, string][] = [
      ['can touch the ground', this.touching],
      ['contacts', `${row.contacts.length} at the ground, ${row.contacts.filter((c) => c.mode !== 0).length} of them carry ${format(carried)} N`],
      ['model, solver', `${physics.contact}, ${physics.solver}`],
      ['iterations', solver.iterations < 0 ? '–' : format(row.values[solver.iterations])],
      ['residual', solver.residual < 0 ? '–' : `${format(row.values[solver.residual], 3)} m/s (asked for ${physics.tolerance} m/s)`],
      ['zero-moment point', zmp ? `(${format(zmp[0])}, ${format(zmp[1])}) m` : 'nothing carries'],
    ];
    this.summary.replaceChildren(...facts.flatMap(([name, value]) => [h('dt', {}, name), h('dd', {}, value)]));
    this.body.replaceChildren(...row.contacts.map((contact) => this.line(contact)));
  }

  /** A whole sole has the number of its frame, below zero. */
  private nameOf({ candidate }: Contact): string {
    const { candidates, frames } = this.source.scene.robot;
    return candidate >= 0 ? candidates[candidate].name : `${frames[-1 - candidate].name} (whole)`;
  }

  private line(contact: Contact): HTMLElement {
    const force = split(contact.force, contact.normal);
    const slip = Math.hypot(contact.slip[0], contact.slip[1]);
    const used = force.normal > 0 && contact.friction > 0 ? (100 * force.tangent) / (contact.friction * force.normal) : NaN;
    const mode = MODE_NAMES[contact.mode];
    const cells = [format(1e3 * contact.gap, 3), format(1e3 * contact.slip[2], 3), format(1e3 * slip, 3), format(force.normal), format(force.tangent),
      format(used, 3), format(Math.hypot(...contact.impulse), 3)];
    return h('tr', {}, h('td', {}, this.nameOf(contact)),
      ...cells.map((cell) => h('td', { class: 'number' }, cell)),
      h('td', {}, h('i', { class: 'dot', style: `background:${COLORS[mode]}` }), mode));
  }
}
