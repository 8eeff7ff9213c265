// The list of what the 3D view shows, and what its colors mean.

import { h, kept } from './dom';
import { DEFAULT_LAYERS, LAYER_TITLES, legendOf, type Layers } from './layers';
import type { View } from './scene_types';
import type { Viewport } from './viewport';

const NARROW = 520;  // a view this narrow has no room for the list at first [pixels]

export class LayersPanel {
  readonly element: HTMLDetailsElement;
  readonly legend = h('div', { class: 'legend', 'data-test': 'legend' });
  private boxes = new Map<keyof Layers, HTMLInputElement>();
  private loopsLabel: HTMLElement | null = null;

  /** @param view what the scene asks for; @param scene its name: what was chosen for it counts more */
  constructor(private viewport: Viewport, private view: View, private scene: string) {
    const list = h('div', { class: 'layers-list' });
    for (const name of Object.keys(LAYER_TITLES) as (keyof Layers)[]) {
      const [title, text] = LAYER_TITLES[name];
      const box = h('input', { type: 'checkbox', 'data-layer': name });
      box.onchange = () => this.toggle(name, box.checked);
      this.boxes.set(name, box);
      const label = h('label', { title: text }, box, title);
      if (name === 'loops') this.loopsLabel = label;
      list.append(label);
    }
    list.append(this.arrowLength());
    const look = (name: string) => h('button', { class: 'small', onclick: () => viewport.lookAtRobot(name), title: `Look at the robot: ${name}` }, name);
    list.append(h('div', { class: 'looks' }, ...['home', 'front', 'side', 'top'].map(look)));
    const open = kept.read('layersOpen', window.innerWidth > 2 * NARROW);
    this.element = h('details', { class: 'layers', open }, h('summary', {}, 'Show'), list);
    this.element.addEventListener('toggle', () => {
      kept.write('layersOpen', this.element.open);
      this.cover();
    });
  }

  /** From a tenth to ten times, in even ratios. */
  private arrowLength(): HTMLElement {
    const slider = h('input', { type: 'range', min: '-1', max: '1', step: '0.05', 'data-test': 'arrow-length', value: String(kept.read('arrowLength', 0)) });
    const set = () => this.viewport.setArrowScale(10 ** Number(slider.value));
    slider.oninput = () => { kept.write('arrowLength', Number(slider.value)); set(); };
    slider.ondblclick = () => { slider.value = '0'; slider.dispatchEvent(new Event('input')); };
    set();
    return h('label', { class: 'arrow-length', title: 'Length of force and impulse arrows; a double click sets it back' }, 'Arrows', slider);
  }

  /** As the scene asks for, until somebody has chosen something else for it; what it does not name, as it was left the last time. */
  start(): void {
    const own = kept.read<Partial<Layers> | null>(`layers.${this.scene}`, null) ?? (this.view.layers as Partial<Layers>);
    this.viewport.setLayers({ ...DEFAULT_LAYERS, ...kept.read<Partial<Layers>>('layers', {}), ...own });
  }

  /** The robot stands beside an open list, not behind it. */
  cover(): void {
    const box = this.element;
    this.viewport.setInset(box.open ? box.offsetLeft + box.offsetWidth : 0);
  }

  toggle(name: keyof Layers, on = !this.viewport.layers[name]): void {
    const now = { ...this.viewport.layers, [name]: on };
    kept.write('layers', now);
    kept.write(`layers.${this.scene}`, now);
    this.viewport.setLayers(now);
  }

  update(layers: Layers): void {
    for (const [name, box] of this.boxes) box.checked = layers[name];
    const ghosts = this.viewport.ghosts.filter((ghost) => ghost.on).map((ghost): [string, string] => [ghost.color, ghost.name]);
    const loops = this.viewport.loopWords;
    if (this.loopsLabel) this.loopsLabel.hidden = loops === '';
    const entries = legendOf(layers, { loops, pushes: this.viewport.pushed, ghosts });
    this.legend.replaceChildren(...entries.map(([color, text]) => h('span', {}, h('i', { style: `background:${color}` }), text)));
  }
}
