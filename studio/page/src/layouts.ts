// Layouts of plots that have a name, kept for each robot.

import { h, kept } from './dom';
import type { PlotSpec } from './plot_spec';

type Named = Record<string, unknown[]>;

export class Layouts {
  readonly element: HTMLDetailsElement;
  private list = h('div', { class: 'layout-list' });
  private name = h('input', { placeholder: 'name', 'aria-label': 'Name of the layout', 'data-test': 'layout-name', maxLength: 60 });
  private key: string;

  /** @param take shows a layout; null: the one that everybody has at first */
  constructor(robot: string, private current: () => PlotSpec[], private take: (layout: unknown[] | null) => void) {
    this.key = `layouts.${robot}`;
    const save = h('button', { class: 'small', 'data-test': 'layout-save', onclick: () => this.save() }, 'Save');
    this.name.onkeydown = (event) => { if (event.key === 'Enter') this.save(); };
    this.element = h('details', { class: 'menu' }, h('summary', { class: 'small', title: 'Keep these plots under a name', 'data-test': 'layouts' }, 'Layouts'),
      h('div', { class: 'menu-list' }, this.list, h('div', { class: 'inline' }, this.name, save)));
    this.fill();
  }

  private read(): Named {
    const all = kept.read<unknown>(this.key, {});
    const entries = Object.entries((all ?? {}) as Record<string, unknown>).filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]));
    return Object.fromEntries(entries);
  }

  private write(all: Named): void {
    kept.write(this.key, all);
    this.fill();
  }

  private save(): void {
    const name = this.name.value.trim();
    if (!name) return this.name.focus();
    this.write({ ...this.read(), [name]: structuredClone(this.current()) });
    this.name.value = '';
  }

  private fill(): void {
    const choose = (layout: unknown[] | null) => { this.take(layout); this.element.open = false; };
    const lines = Object.entries(this.read()).map(([name, layout]) => h('div', { class: 'inline' },
      h('button', { class: 'small wide', 'data-layout': name, onclick: () => choose(layout) }, name),
      h('button', { class: 'x', 'aria-label': `Forget the layout ${name}`, title: 'Forget it', onclick: () => { const { [name]: _, ...rest } = this.read(); this.write(rest); } }, '×')));
    const always = (text: string, test: string, layout: unknown[] | null) => h('button', { class: 'small wide', 'data-test': test, onclick: () => choose(layout) }, text);
    this.list.replaceChildren(always('Default', 'layout-default', null), always('No plots', 'clear', []), ...lines);
  }
}
