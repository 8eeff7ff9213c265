// What runs are called: by the names of their files, with as many folders as it takes to tell them apart.

import type { Source } from './source';

export function runNames(sources: Source[]): string[] {
  const paths = sources.map((source) => source.scene.source.split(/[\\/]/));
  const name = (path: string[], parts: number) => path.slice(-parts).join('/');
  return paths.map((path, i) => {
    let parts = 1;
    while (parts < path.length && paths.some((other, k) => k !== i && name(other, parts) === name(path, parts))) ++parts;
    const same = paths.filter((other, k) => k < i && name(other, parts) === name(path, parts)).length;
    return same === 0 ? name(path, parts) : `${name(path, parts)} (${same + 1})`;  // the same file twice
  });
}
