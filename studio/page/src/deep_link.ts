// The address says what is shown, so that it can be sent to somebody: #t=1.55&tab=contacts

const QUIET = 300;  // the address changes when nothing else does any more [ms]

export interface Place { time: number | null; tab: string | null }

export function readPlace(hash: string): Place {
  const fields = new URLSearchParams(hash.replace(/^#/, '')), text = fields.get('t');
  const time = text === null || text.trim() === '' ? NaN : Number(text);
  return { time: Number.isFinite(time) ? time : null, tab: fields.get('tab') };
}

export function writePlace({ time, tab }: Place): string {
  const parts = [time === null ? null : `t=${Number(time.toFixed(6))}`, tab === null ? null : `tab=${encodeURIComponent(tab)}`];
  return `#${parts.filter((part) => part !== null).join('&')}`;
}

export class DeepLink {
  private timer = 0;
  private read = false;  // what the address said at first: it is not written over before

  /** @param go is called when somebody has changed the address */
  constructor(private place: () => Place, private go: (place: Place) => void) {
    // Not location.hash: the address may have been written anew before this event arrives.
    window.addEventListener('hashchange', (event) => this.go(readPlace(new URL(event.newURL).hash)));
  }

  /** What the address says now. */
  open(): void {
    this.read = true;
    this.go(readPlace(location.hash));
  }

  /** What is shown has changed. */
  changed(): void {
    if (!this.read) return;
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => {
      const hash = writePlace(this.place());
      if (hash === location.hash) return;
      try {
        history.replaceState(null, '', hash);
      } catch { /* pages opened from a file may not */ }
    }, QUIET);
  }
}
