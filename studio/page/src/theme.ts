// Dark or light, as the user's system is until somebody chooses.

import { kept } from './dom';
import type { SceneColors } from './viewport';

export type Theme = 'dark' | 'light';

const SCENE: Record<Theme, SceneColors> = {
  dark: { background: '#171b22', base: '#262c36', line: '#5b6675', block: '#4a5361', belt: '#ffd43b' },
  light: { background: '#eef1f5', base: '#dfe4ea', line: '#a9b4c0', block: '#c3cbd5', belt: '#e67700' },
};

export function currentTheme(): Theme {
  const system: Theme = matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark';
  return kept.read<Theme>('theme', system);
}

export function applyTheme(theme: Theme): SceneColors {
  kept.write('theme', theme);
  document.documentElement.dataset.theme = theme;
  return SCENE[theme];
}
