// Small helpers for pictures made of SVG.

const SVG = 'http://www.w3.org/2000/svg';

export function svg(tag: string, attributes: Record<string, string | number> = {}, text = ''): SVGElement {
  const element = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  if (text) element.textContent = text;
  return element;
}

export interface View { x: number; y: number; width: number; height: number }

/** A picture that the wheel or two fingers zoom and a drag moves; a double click shows all of it. */
export class ZoomedPicture {
  readonly element = svg('svg', { class: 'zoomed' }) as SVGSVGElement;
  private view: View;
  private fingers = new Map<number, PointerEvent>();  // or the mouse
  /** A drag has just ended: the click that follows it is none. */
  dragged = false;

  /** What there is to see. */
  private bounds: View;

  constructor(width: number, height: number) {
    this.view = this.bounds = { x: 0, y: 0, width, height };
    this.element.style.aspectRatio = `${width} / ${height}`;
    this.element.addEventListener('wheel', (event) => this.wheel(event), { passive: false });
    this.element.addEventListener('pointerdown', (event) => this.grab(event));
    this.element.addEventListener('dblclick', () => this.fit());
    this.fit();
  }

  fit(): void { this.set({ ...this.bounds }); }

  /** What there is to see has changed; what is shown stays. */
  setBounds(bounds: View): void { this.bounds = bounds; }

  get shown(): View { return this.view; }

  /** A place of the window in the picture. */
  place(clientX: number, clientY: number): DOMPoint { return new DOMPoint(clientX, clientY).matrixTransform(this.element.getScreenCTM()!.inverse()); }

  set(view: View): void {
    this.view = view;
    this.element.setAttribute('viewBox', `${view.x} ${view.y} ${view.width} ${view.height}`);
  }

  /** Pixels of the picture for each of the screen. */
  get scale(): number {
    const box = this.element.getBoundingClientRect();
    return Math.max(this.view.width / Math.max(box.width, 1), this.view.height / Math.max(box.height, 1));
  }

  private wheel(event: WheelEvent): void {
    event.preventDefault();
    this.zoom(event.clientX, event.clientY, Math.exp(0.0015 * event.deltaY));
  }

  /** Around a place of the window. @param wanted below 1 shows less */
  private zoom(clientX: number, clientY: number, wanted: number): void {
    const all = this.bounds.width, factor = Math.min(Math.max(wanted, 0.2 * all / this.view.width / 4), (1.5 * all) / this.view.width);
    const place = this.place(clientX, clientY);
    const { x, y, width, height } = this.view;
    this.set({ x: place.x - (place.x - x) * factor, y: place.y - (place.y - y) * factor, width: width * factor, height: height * factor });
  }

  /** A finger, or the mouse, moves the picture from here on; with a second finger it zooms. */
  grab(event: PointerEvent): void {
    if (event.button > 0) return;  // moves of a finger have none
    this.fingers.set(event.pointerId, event);
    if (this.fingers.size === 2) return this.pinch(event.pointerId);
    const start = { ...this.view }, { scale } = this, { clientX, clientY } = event;
    this.dragged = false;
    const move = (to: PointerEvent) => {
      if (to.pointerId !== event.pointerId || this.fingers.size !== 1) return;
      if (Math.hypot(to.clientX - clientX, to.clientY - clientY) > 4) this.dragged = true;
      if (this.dragged) this.set({ ...start, x: start.x - (to.clientX - clientX) * scale, y: start.y - (to.clientY - clientY) * scale });
    };
    this.follow(event.pointerId, move);
  }

  /** Two fingers: what is between them grows with their distance. */
  private pinch(second: number): void {
    this.dragged = true;
    const spread = () => { const [a, b] = [...this.fingers.values()]; return Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY); };
    this.follow(second, (to) => {
      if (this.fingers.size !== 2 || !this.fingers.has(to.pointerId)) return;
      const before = spread();
      this.fingers.set(to.pointerId, to);
      const [a, b] = [...this.fingers.values()];
      if (before > 0 && spread() > 0) this.zoom((a.clientX + b.clientX) / 2, (a.clientY + b.clientY) / 2, before / spread());
    });
  }

  /** Until this finger, or the mouse, is lifted. */
  private follow(pointer: number, move: (to: PointerEvent) => void): void {
    const end = (to: PointerEvent) => {
      if (to.pointerId !== pointer) return;
      this.fingers.delete(to.pointerId);
      for (const type of ['pointerup', 'pointercancel'] as const) window.removeEventListener(type, end);
      window.removeEventListener('pointermove', move);
    };
    window.addEventListener('pointermove', move);
    for (const type of ['pointerup', 'pointercancel'] as const) window.addEventListener(type, end);
  }
}
