// Blocks of the kind Scope: each is a plot of what it sees.

import { plainSpec, type PlotSpec } from './plot_spec';
import type { SceneDescription } from './scene_types';

const MOST = 16;  // lines in a plot

/** By the path of the block. Signals that were not recorded are left out, and scopes that see nothing else. */
export function scopePlots({ diagram, columns }: SceneDescription): Map<string, PlotSpec> {
  const plots = new Map<string, PlotSpec>();
  for (const [path, signals] of Object.entries(diagram?.scopes ?? {})) {
    const channels = signals.flatMap((signal) => diagram?.signals?.[signal]?.columns ?? []).map((column) => columns[column][0]);
    if (channels.length > 0) plots.set(path, plainSpec([...new Set(channels)].slice(0, MOST), path));
  }
  return plots;
}
