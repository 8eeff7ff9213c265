// The list of what the 3D view shows.

import { h, kept } from './dom';
import { DEFAULT_LAYERS, LAYER_TITLES, type Layers, type Viewport } from './viewport';

export function layersPanel(viewport: Viewport): HTMLElement {
  const layers: Layers = { ...DEFAULT_LAYERS, ...kept.read<Partial<Layers>>('layers', {}) };
  viewport.setLayers(layers);
  const list = h('div', { class: 'layers-list' });
  for (const name of Object.keys(LAYER_TITLES) as (keyof Layers)[]) {
    if (name === 'loops' && viewport.loopCount === 0) continue;
    const box = h('input', { type: 'checkbox', checked: layers[name], 'data-layer': name });
    box.onchange = () => {
      const now = { ...viewport.layers, [name]: box.checked };
      kept.write('layers', now);
      viewport.setLayers(now);
    };
    list.append(h('label', {}, box, LAYER_TITLES[name]));
  }
  list.append(h('button', { class: 'small', onclick: () => viewport.lookAtRobot() }, 'Look at the robot'));
  return h('details', { class: 'layers', open: kept.read('layersOpen', true), ontoggle: (event: Event) =>
    kept.write('layersOpen', (event.target as HTMLDetailsElement).open) }, h('summary', {}, 'Show'), list);
}
