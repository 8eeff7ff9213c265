// How lines of other runs are dashed, in plots and in their legends.

const DASHES = [[6, 4], [2, 3], [10, 3, 2, 3], [12, 6]];

/** Lengths of strokes and gaps [pixels]. @param run its number from 1 on; 0 is the one whose lines are whole */
export const dashOf = (run: number): number[] => DASHES[(run - 1) % DASHES.length];

/** The same as the background of an element, in its `--color`. */
export function dashPicture(dash: number[]): string {
  let at = 0;
  const stops = dash.map((length, k) => `${k % 2 === 0 ? 'var(--color)' : 'transparent'} ${at}px ${(at += length)}px`);
  return `repeating-linear-gradient(90deg, ${stops.join(', ')})`;
}
