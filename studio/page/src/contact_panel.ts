// The contact problem of the shown instant: one line for each contact, and how the solver got on.

import type { Panel } from './app';
import { isAtGround } from './contact_id';
import { ContactTable } from './contact_table';
import { format, formatAbove, h } from './dom';
import type { Row } from './messages';
import type { PlotPanel } from './plot_panel';
import type { Selection } from './selection';
import type { Source } from './source';
import type { Viewport } from './viewport';

export class ContactPanel implements Panel {
  readonly title = 'Contacts';
  readonly element = h('div', { class: 'panel', 'data-test': 'contacts' });
  private summary = h('dl', { class: 'facts' });
  private table: ContactTable;
  private touching: string;

  constructor(private source: Source, private viewport: Viewport, selection: Selection, plots: PlotPanel) {
    const { candidates, frames } = source.scene.robot, names = [...new Set(candidates.map(({ frame }) => frames[frame].name))];
    this.touching = names.length === 0 ? 'nothing' : names.length <= 6 ? names.join(', ') : `${names.slice(0, 5).join(', ')} and ${names.length - 5} more`;
    this.table = new ContactTable(source.scene.robot, (contact) => selection.pickContact(contact));
    selection.onChange(({ link, contact }) => this.table.setPicked(link, contact, !this.element.hidden));
    this.element.append(this.summary, this.table.element,
      plots.offer({ 'Plot normal forces': /\.ground_force\.normal$/, 'Plot iterations': /^solver\.iterations$/, 'Plot stages': /^solver\.steps\./, 'Plot residual': /^solver\.residual$/ }),
      h('p', { class: 'dim' }, 'Velocities are those of the contact relative to the ground at the end of the step; forces are means over it. A click picks a contact: its point in the view, its link, its channels.'));
  }

  show(row: Row): void {
    const facts = this.endsAt(row) ? [['contacts', 'not known: the run ends here, and no step starts at its last instant']] : this.factsOf(row);
    this.summary.replaceChildren(...facts.flatMap(([name, value]) => [h('dt', {}, name), h('dd', {}, value)]));
    this.table.show(row.contacts);
  }

  /** The last row of a log is a state, without the step that would tell what touches. */
  private endsAt(row: Row): boolean {
    const { iterations } = this.source.scene.solver;
    return iterations >= 0 && Number.isNaN(row.values[iterations]);
  }

  private factsOf(row: Row): [string, string][] {
    const { solver, physics } = this.source.scene;
    const ground = row.contacts.filter(isAtGround), between = row.contacts.length - ground.length;
    const carried = ground.reduce((sum, contact) => sum + contact.force[2], 0);
    const zmp = this.viewport.balance.zmpPoint;
    return [
      ['can touch the ground', this.touching],
      ['contacts', `${ground.length} at the ground, ${ground.filter((c) => c.mode !== 0).length} of them carry ${format(carried)} N${between > 0 ? `; ${between} between links` : ''}`],
      ['model, solver', `${physics.contact}, ${physics.solver}`],
      ['iterations', solver.iterations < 0 ? '–' : format(row.values[solver.iterations])],
      ['stages', this.stages(row)],
      ['residual', solver.residual < 0 ? '–' : `${format(row.values[solver.residual], 3)} m/s (asked for ${physics.tolerance} m/s)`],
      ['zero-moment point', zmp ? `(${zmp.map((x) => formatAbove(1e-6, x)).join(', ')}) m` : 'nothing carries'],
    ];
  }

  /** "2 solves: compliant 3, compliant_path 41": what the solver's stages took. */
  private stages(row: Row): string {
    const { solves, stages } = this.source.scene.solver;
    if (solves < 0) return '–';
    const used = stages.filter(({ column }) => column >= 0 && row.values[column] > 0).map(({ name, column }) => `${name} ${row.values[column]}`);
    return `${row.values[solves]} solve${row.values[solves] === 1 ? '' : 's'}${used.length > 0 ? `: ${used.join(', ')}` : ''}`;
  }
}
