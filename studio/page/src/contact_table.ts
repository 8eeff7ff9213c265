// The contacts of the shown instant as a table that can be sorted and filtered; a line of it can be picked.

import { contactId, linksOfContact, nameOfContact, type ContactId } from './contact_id';
import { format, formatAbove, h, kept, refill } from './dom';
import { COLORS, MODE_NAMES } from './layers';
import type { Contact } from './messages';
import type { Robot } from './scene_types';

const dot = (a: number[], b: number[]) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

/** Parts of a force along the normal of the ground and in its plane. */
export function split(force: number[], normal: number[]): { normal: number; tangent: number } {
  const along = dot(force, normal);
  return { normal: along, tangent: Math.hypot(...force.map((f, k) => f - along * normal[k])) };
}

interface Line { contact: Contact; name: string; mode: string; numbers: number[] }
/** Column to sort by, its direction; null: as the solver has them. */
type Order = { column: number; down: boolean } | null;

const HEADS: [string, string][] = [['contact', ''], ['gap', 'mm'], ['normal velocity', 'mm/s'], ['slip', 'mm/s'], ['normal force', 'N'], ['tangent force', 'N'],
  ['of μ', '%'], ['impulse', 'N s'], ['state', '']];
const DIGITS = [3, 3, 3, 4, 3, 3, 3];  // of the numbers between name and state
const NOISE = [1e-6, 1e-6, 1e-6, 1e-9, 1e-9, 1e-6, 1e-12];  // less than this is nothing; pointing at it tells all digits
const SHARE = 5;  // the number that is a share of a whole: it has decimals, not digits

function shown(value: number, k: number): string {
  return k === SHARE && Number.isFinite(value) ? String(Number(value.toFixed(2))) : formatAbove(NOISE[k], value, DIGITS[k]);
}

export class ContactTable {
  readonly element: HTMLElement;
  private heads: HTMLElement[];
  private body = h('tbody');
  private filter = h('input', { type: 'search', placeholder: 'Filter: sole, sliding …', 'aria-label': 'Filter the contacts', 'data-test': 'contact-filter', spellcheck: false });
  private order: Order = kept.read<Order>('contactOrder', null);
  private contacts: Contact[] = [];
  private picked: { link: number | null; contact: ContactId | null } = { link: null, contact: null };

  constructor(private robot: Robot, private pick: (contact: ContactId) => void) {
    this.heads = HEADS.map(([name, unit], column) => {
      const sort = () => { this.sortBy(column); };
      const head = h('th', { scope: 'col', tabIndex: 0, title: 'Sort', 'data-sort': name, onclick: sort }, name, unit ? h('small', {}, `[${unit}]`) : null);
      head.onkeydown = (event) => { if (event.key === 'Enter') sort(); };
      return head;
    });
    this.filter.oninput = () => this.fill();
    this.element = h('div', { class: 'contact-table' }, this.filter,
      h('div', { class: 'table' }, h('table', {}, h('thead', {}, h('tr', {}, ...this.heads)), this.body)));
  }

  show(contacts: Contact[]): void {
    this.contacts = contacts;
    this.fill();
  }

  /** @param reveal scroll to it */
  setPicked(link: number | null, contact: ContactId | null, reveal: boolean): void {
    this.picked = { link, contact };
    this.fill();
    if (reveal) this.body.querySelector('.picked')?.scrollIntoView({ block: 'nearest' });
  }

  /** Down, up, and back to the order of the solver. */
  private sortBy(column: number): void {
    const { order } = this;
    this.order = order?.column !== column ? { column, down: true } : order.down ? { column, down: false } : null;
    kept.write('contactOrder', this.order);
    this.fill();
  }

  private lineOf(contact: Contact): Line {
    const force = split(contact.force, contact.normal), slip = Math.hypot(contact.slip[0], contact.slip[1]);
    const used = force.normal > 0 && contact.friction > 0 ? (100 * force.tangent) / (contact.friction * force.normal) : NaN;
    return { contact, name: nameOfContact(contactId(contact, this.robot), this.robot), mode: MODE_NAMES[contact.mode],
      numbers: [1e3 * contact.gap, 1e3 * contact.slip[2], 1e3 * slip, force.normal, force.tangent, used, Math.hypot(...contact.impulse)] };
  }

  private sorted(lines: Line[]): Line[] {
    const { order } = this;
    if (!order) return lines;
    const text = order.column === 0 ? (line: Line) => line.name : order.column === HEADS.length - 1 ? (line: Line) => line.mode : null;
    const number = (line: Line) => { const value = line.numbers[order.column - 1]; return Number.isNaN(value) ? -Infinity : value; };
    const compare = (a: Line, b: Line) => (text ? text(a).localeCompare(text(b)) : number(a) - number(b));
    // Names from A on, numbers from the largest on.
    const sign = order.down === (text === null) ? -1 : 1;
    return [...lines].sort((a, b) => sign * compare(a, b));
  }

  private fill(): void {
    this.heads.forEach((head, column) => head.setAttribute('aria-sort', this.order?.column !== column ? 'none' : this.order.down ? 'descending' : 'ascending'));
    const words = this.filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    const lines = this.contacts.map((contact) => this.lineOf(contact)).filter(({ name, mode }) => words.every((word) => `${name} ${mode}`.toLowerCase().includes(word)));
    refill(this.body, this.sorted(lines).map((line) => this.row(line)));
  }

  private row({ contact, name, mode, numbers }: Line): HTMLElement {
    const { picked } = this, id = contactId(contact, this.robot), same = picked.contact === id;
    const state = same ? 'picked' : picked.contact === null && picked.link !== null && linksOfContact(id, this.robot).includes(picked.link) ? 'near' : '';
    const byKey = (event: Event) => { if ((event as KeyboardEvent).key === 'Enter') this.pick(id); };
    return h('tr', { class: state, tabIndex: 0, 'aria-selected': String(same), 'data-contact': name, onclick: () => this.pick(id), onkeydown: byKey }, h('td', {}, name),
      ...numbers.map((value, k) => h('td', { class: 'number', title: format(value, 6) }, shown(value, k))),
      h('td', {}, h('i', { class: 'dot', style: `background:${COLORS[mode as keyof typeof COLORS]}` }), mode));
  }
}
