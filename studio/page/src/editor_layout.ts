// Where the editor shows blocks that nobody has put anywhere, and the way of its lines.

export interface Box { x: number; y: number; width: number; height: number }
interface Link { from: string; to: string }

const BETWEEN_LAYERS = 84, BETWEEN_BLOCKS = 26, NEAR = 10;  // [px]

/** Layers from left to right as signals flow; lines of a loop that lead back do not count. */
function layersOf(names: string[], links: Link[]): Map<string, number> {
  const layer = new Map<string, number>(), open = new Set<string>(), back = new Set<Link>();
  const next = new Map(names.map((name) => [name, links.filter((link) => link.from === name && link.to !== name)]));
  const order: string[] = [];
  const visit = (name: string) => {
    if (layer.has(name)) return;
    layer.set(name, 0);
    open.add(name);
    for (const link of next.get(name)!) if (open.has(link.to)) back.add(link); else visit(link.to);
    open.delete(name);
    order.unshift(name);
  };
  // What nothing leads to comes first, so that loops are opened where somebody would.
  const fed = new Set(links.map(({ to }) => to));
  for (const name of [...names.filter((each) => !fed.has(each)), ...names]) visit(name);
  for (const name of order)
    for (const link of next.get(name)!) if (!back.has(link)) layer.set(link.to, Math.max(layer.get(link.to)!, layer.get(name)! + 1));
  return layer;
}

/** Places for all blocks. */
export function tidied(sizes: Map<string, { width: number; height: number }>, links: Link[]): Map<string, [number, number]> {
  const names = [...sizes.keys()], known = links.filter(({ from, to }) => sizes.has(from) && sizes.has(to)), layer = layersOf(names, known);
  const layers: string[][] = [];
  for (const name of names) (layers[layer.get(name)!] ??= []).push(name);
  const places = new Map<string, [number, number]>();
  let x = 0;
  for (const column of layers) {
    if (!column) continue;
    const wanted = new Map(column.map((name) => [name, wantedHeight(name, known, places, sizes)]));
    column.sort((a, b) => (wanted.get(a) ?? Infinity) - (wanted.get(b) ?? Infinity));
    let y = -Infinity;
    for (const name of column) {
      const { height } = sizes.get(name)!, want = wanted.get(name);
      y = Math.max(y, want === undefined ? (y === -Infinity ? 0 : y) : want - height / 2);
      places.set(name, [x, Math.round(y)]);
      y += height + BETWEEN_BLOCKS;
    }
    x += Math.max(...column.map((name) => sizes.get(name)!.width)) + BETWEEN_LAYERS;
  }
  return places;
}

/** The middle of what leads to it. */
function wantedHeight(name: string, links: Link[], places: Map<string, [number, number]>, sizes: Map<string, { height: number }>): number | undefined {
  const before = links.filter(({ from, to }) => to === name && places.has(from)).map(({ from }) => places.get(from)![1] + sizes.get(from)!.height / 2);
  return before.length === 0 ? undefined : before.reduce((sum, y) => sum + y, 0) / before.length;
}

type Way = [number, number][];

/** Does a way of right angles lead through a box? Only its first and last part, which lead to boxes, may come near. */
function crosses(way: Way, { x, y, width, height }: Box): boolean {
  return way.slice(1).some(([u, v], k) => {
    const [a, b] = way[k], near = k === 0 || k === way.length - 2 ? 0 : NEAR;
    return Math.max(a, u) > x - near && Math.min(a, u) < x + width + near && Math.max(b, v) > y - near && Math.min(b, v) < y + height + near;
  });
}

/**
 * Right angles from one place to another, around all boxes where that is possible: below or above the one that is in the way.
 * @param lane keeps lines apart
 */
export function wayOf([x, y]: [number, number], [u, v]: [number, number], boxes: Box[], lane: number): Way {
  const free = (way: Way) => !boxes.some((box) => crosses(way, box));
  const middle = Math.min(Math.max(x + 14, (x + u) / 2 + 6 * ((lane % 5) - 2)), u - 14);
  const direct: Way = Math.abs(y - v) < 1 ? [[x, y], [u, v]] : [[x, y], [middle, y], [middle, v], [u, v]];
  if (u - x > 34 && free(direct)) return direct;
  const out = x + 14 + 6 * (lane % 5), into = u - 16 - 6 * (lane % 3), apart = 16 + 6 * (lane % 4);
  const around = (height: number): Way => [[x, y], [out, y], [out, height], [into, height], [into, v], [u, v]];
  // What leads back does so below the blocks, if that is not much longer.
  const detour = (height: number) => Math.abs(height - y) + Math.abs(height - v) + (u < x && height < Math.min(y, v) ? 300 : 0);
  const heights = boxes.flatMap((box) => [box.y + box.height + apart, box.y - apart]).sort((a, b) => detour(a) - detour(b));
  const found = heights.find((height) => free(around(height)));
  if (found !== undefined) return around(found);
  return u - x > 34 ? direct : around(Math.max(y, v) + apart);
}
