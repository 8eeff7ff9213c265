// Keys, and the overlay that lists them.

import { h } from './dom';

export interface Shortcut {
  /** As KeyboardEvent.key says it. */
  keys: string[];
  /** How it is written for people. */
  shown: string;
  text: string;
  action: (key: string) => void;
}

const MOUSE: [string, string][] = [
  ['drag', 'turn the camera'], ['right drag', 'move the camera'], ['wheel', 'zoom'], ['click', 'pick a link or a contact'], ['double click', 'look at a link'],
  ['Ctrl + drag', 'pull at a link of a live robot'],
  ['drag in a plot', 'zoom in time; up or down: across'], ['Shift + drag, wheel', 'in a plot: move in time, zoom'], ['wheel at an axis', 'zoom across (Alt + wheel in the plot)'], ['click, double click', 'in a plot: go to that time, show all'],
];

const FINGERS: [string, string][] = [
  ['drag', 'turn the camera'], ['two fingers', 'move the camera, zoom'], ['tap', 'pick a link or a contact'], ['Live, Push', 'tick it: a drag on the robot pulls at it'],
  ['drag in a plot', 'move in time'], ['two fingers', 'in a plot: zoom'], ['tap in a plot', 'go to that time'],
];

function typing(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return target.type !== 'range' && target.type !== 'checkbox';
  return target instanceof HTMLTextAreaElement;
}

/** Somebody goes through the page by keys, not by the mouse. */
let tabbed = false;
window.addEventListener('pointerdown', () => { tabbed = false; }, { capture: true });
window.addEventListener('keydown', (event) => { if (event.key === 'Tab') tabbed = true; }, { capture: true });

/**
 * A slider takes the arrows, a list of choices all but space, a check box that was reached by keys its space: nobody else acts on
 * them then. Space plays wherever the mouse was before; buttons are pressed by Enter.
 */
function takenBy(target: EventTarget | null, key: string): boolean {
  if (key === ' ') return target instanceof HTMLInputElement && target.type === 'checkbox' && tabbed;
  if (target instanceof HTMLSelectElement) return true;
  return target instanceof HTMLInputElement && target.type === 'range' && key.startsWith('Arrow') && target.dataset.test !== 'scrub';
}

export function listenToKeys(shortcuts: Shortcut[]): void {
  window.addEventListener('keydown', (event) => {
    if (document.querySelector('dialog[open]')) return;  // it has keys of its own
    if (typing(event.target) || takenBy(event.target, event.key) || event.ctrlKey || event.metaKey || event.altKey) return;
    const key = event.shiftKey && (event.key === ' ' || event.key.startsWith('Arrow')) ? `Shift+${event.key}` : event.key;
    const shortcut = shortcuts.find(({ keys }) => keys.includes(key));
    if (!shortcut) return;
    event.preventDefault();
    shortcut.action(key);
  });
  // Some browsers press a button when the key is let go.
  window.addEventListener('keyup', (event) => {
    if (event.key === ' ' && !typing(event.target) && !takenBy(event.target, ' ') && !document.querySelector('dialog[open]')) event.preventDefault();
  });
}

export function helpDialog(shortcuts: Shortcut[]): HTMLDialogElement {
  const line = ([key, text]: [string, string]) => h('div', {}, h('kbd', {}, key), h('span', {}, text));
  const close = h('button', { class: 'small', 'aria-label': 'Close the help' }, 'Close');
  const part = (title: string, lines: [string, string][]) => [h('h2', {}, title), h('div', { class: 'keys' }, ...lines.map(line))];
  const fingers = matchMedia('(pointer: coarse)').matches ? part('Fingers', FINGERS) : [];
  const dialog = h('dialog', { class: 'help', 'data-test': 'help', 'aria-label': 'Keys and mouse' },
    ...fingers, ...part('Keys', shortcuts.map(({ shown, text }) => [shown, text])), ...part('Mouse', MOUSE), close);
  const [title] = dialog.children as unknown as HTMLElement[];  // it begins to be read there, and not at its end
  title.tabIndex = -1;
  title.autofocus = true;
  close.onclick = () => dialog.close();
  dialog.onclick = (event) => { if (event.target === dialog) dialog.close(); };
  return dialog;
}
