// Fingers in a plot: one moves the time, two zoom. Up and down stays with the page, which scrolls.

export interface Gestures {
  /** Pixels to the right since the last time. */
  pan(pixels: number): void;
  /** @param at in the element [pixels]; @param factor of what is shown: below 1 shows less */
  zoom(at: { x: number; y: number }, factor: { x: number; y: number }): void;
}

const LEAST = 24;  // between two fingers, so that a direction is meant [pixels]

export function listenToFingers(element: HTMLElement, gestures: Gestures): void {
  const fingers = new Map<number, { x: number; y: number }>();
  element.style.touchAction = 'pan-y';
  const spread = () => {
    const [a, b] = [...fingers.values()];
    return { x: Math.abs(a.x - b.x), y: Math.abs(a.y - b.y), middle: { x: 0.5 * (a.x + b.x), y: 0.5 * (a.y + b.y) } };
  };
  element.addEventListener('pointerdown', (event) => { if (event.pointerType === 'touch') fingers.set(event.pointerId, { x: event.clientX, y: event.clientY }); });
  element.addEventListener('pointermove', (event) => {
    const finger = fingers.get(event.pointerId);
    if (!finger) return;
    const before = fingers.size === 2 ? spread() : null, moved = event.clientX - finger.x;
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (fingers.size === 1) return gestures.pan(moved);
    if (!before) return;
    const after = spread(), box = element.getBoundingClientRect();
    const factor = (axis: 'x' | 'y') => (Math.min(before[axis], after[axis]) > LEAST ? before[axis] / after[axis] : 1);
    gestures.zoom({ x: after.middle.x - box.left, y: after.middle.y - box.top }, { x: factor('x'), y: factor('y') });
  });
  for (const end of ['pointerup', 'pointercancel', 'pointerleave'] as const) element.addEventListener(end, (event) => fingers.delete(event.pointerId));
}
