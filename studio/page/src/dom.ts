// Small helpers for elements, so that the rest of the page reads as what it shows.

type Child = Node | string | null | undefined;
type Properties = Record<string, unknown>;

/** h('button', { class: 'x', onclick: f, title: 't' }, 'text') */
export function h<K extends keyof HTMLElementTagNameMap>(tag: K, properties: Properties = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(properties)) {
    if (key === 'class') element.className = String(value);
    else if (key.startsWith('on')) element.addEventListener(key.slice(2), value as EventListener);
    else if (key in element) (element as unknown as Properties)[key] = value;
    else element.setAttribute(key, String(value));
  }
  for (const child of children) if (child != null) element.append(child);
  return element;
}

/** Other rows of a table or a list; where one of them or its box had the focus, the one in its place has it: keys go on from there. */
export function refill(body: HTMLElement, rows: HTMLElement[]): void {
  const active = document.activeElement, focused = [...body.children].findIndex((row) => row.contains(active)), inBox = active instanceof HTMLInputElement;
  body.replaceChildren(...rows);
  const row = focused < 0 ? undefined : rows[Math.min(focused, rows.length - 1)];
  (inBox ? row?.querySelector('input') : row)?.focus({ preventScroll: true });
}

/** A number with four digits that matter, as people write it. */
export function format(value: number | undefined | null, digits = 4): string {
  if (value == null || Number.isNaN(value)) return '–';
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size < 1e-3 || size >= 1e5) return value.toExponential(Math.max(0, digits - 2)).replace('e+', 'e');
  return String(Number(value.toPrecision(digits)));
}

/** The same, and nothing where it is but the noise of computing. @param noise what is smaller is zero */
export function formatAbove(noise: number, value: number | undefined | null, digits = 4): string {
  return format(value != null && Math.abs(value) < noise ? 0 : value, digits);
}

export function save(name: string, content: Blob): void {
  const link = h('a', { href: URL.createObjectURL(content), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** A value that survives the page being closed; pages opened from a file may have no storage. */
export const kept = {
  read<T>(key: string, fallback: T): T {
    try {
      const text = localStorage.getItem(`footfall.${key}`);
      return text === null ? fallback : (JSON.parse(text) as T);
    } catch {
      return fallback;
    }
  },
  write(key: string, value: unknown): void {
    try {
      localStorage.setItem(`footfall.${key}`, JSON.stringify(value));
    } catch { /* nothing is kept then */ }
  },
};
