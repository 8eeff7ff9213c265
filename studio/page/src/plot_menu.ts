// The bar above a plot: what is done with its channels, where it stands, and how to get rid of it.

import { h } from './dom';
import { describeSpec, type Change, type PlotKind, type PlotSpec } from './plot_spec';

export interface MenuEvents {
  /** Another plot takes its place. */
  replaced(spec: PlotSpec): void;
  moved(by: -1 | 1): void;
  removed(): void;
  fitted(): void;
}

export const PLOT_DRAG = 'application/x-footfall-plot';

function choice<T extends string>(label: string, test: string, value: T, options: Record<T, string>, chosen: (value: T) => void): HTMLElement {
  const select = h('select', { 'data-test': test, 'aria-label': label });
  for (const [key, text] of Object.entries(options)) select.append(h('option', { value: key, selected: key === value }, String(text)));
  select.onchange = () => chosen(select.value as T);
  return h('label', {}, h('span', {}, label), select);
}

export class PlotMenu {
  readonly element: HTMLElement;

  constructor(spec: PlotSpec, events: MenuEvents) {
    const handle = h('span', { class: 'handle', draggable: true, title: 'Drag to move this plot', 'data-test': 'plot-handle' }, '⠿');
    handle.ondragstart = (event) => event.dataTransfer?.setData(PLOT_DRAG, spec.names.join(' '));
    const what = h('span', { class: 'dim what', 'data-test': 'plot-what' }, describeSpec(spec));
    const button = (text: string, label: string, test: string, action: () => void) => h('button', { class: 'small', 'data-test': test, title: label, onclick: action }, text);
    const frequency = h('input', { type: 'number', min: '0.001', step: 'any', value: String(spec.cutoff), 'data-test': 'cutoff', 'aria-label': 'Cutoff frequency' });
    frequency.onchange = () => { if (Number(frequency.value) > 0) events.replaced({ ...spec, cutoff: Number(frequency.value) }); };
    const list = h('div', { class: 'menu-list' },
      choice<PlotKind>('Show', 'plot-kind', spec.kind, { time: 'over time', spectrum: 'spectrum', xy: 'over the first channel (x–y)' }, (kind) => events.replaced({ ...spec, kind, ranges: {} })),
      choice<Change>('Signal', 'plot-change', spec.change, { none: 'as it is', derivative: 'derivative', lowpass: 'low-pass' }, (change) => events.replaced({ ...spec, change, ranges: {} })),
      spec.change === 'lowpass' ? h('label', {}, h('span', {}, 'Cutoff [Hz]'), frequency) : null,
      h('div', { class: 'inline' }, button('Fit height', 'Axes as large as the curves', 'fit-y', events.fitted), button('Up', 'Move it up', 'plot-up', () => events.moved(-1)),
        button('Down', 'Move it down', 'plot-down', () => events.moved(1)), button('Remove', 'Remove this plot', 'plot-remove', events.removed)));
    const menu = h('details', { class: 'menu' }, h('summary', { title: 'What is done with this plot', 'aria-label': 'Menu of this plot', 'data-test': 'plot-menu' }, '⋯'), list);
    this.element = h('div', { class: 'plot-bar' }, handle, what, menu);
  }
}

const MARGIN = 8;  // between a menu and the edge of the window [pixels]

/** All of an opened menu is in the window. */
function keepInside(menu: HTMLDetailsElement): void {
  const list = menu.querySelector<HTMLElement>('.menu-list');
  if (!menu.open || !list) return;
  list.style.translate = '';
  const over = list.getBoundingClientRect().right - (window.innerWidth - MARGIN);
  if (over > 0) list.style.translate = `${-over}px`;
  list.scrollIntoView({ block: 'nearest' });
}

/** A menu closes when somebody presses elsewhere. */
export function closeMenusOutside(): void {
  document.addEventListener('toggle', (event) => { if (event.target instanceof HTMLDetailsElement && event.target.matches('.menu')) keepInside(event.target); }, true);
  document.addEventListener('pointerdown', (event) => {
    for (const menu of document.querySelectorAll<HTMLDetailsElement>('details.menu[open]')) if (!menu.contains(event.target as Node)) menu.open = false;
  });
}
