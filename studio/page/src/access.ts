// What a page needs to be known to the server: a cookie, which no script can read, and a key, which lies in the storage of this origin.

import { kept } from './dom';

export const STRANGER = 'the server does not know this browser. Open the address that `footfall view` has printed, which ends in ?token=…';

const given = document.querySelector<HTMLMetaElement>('meta[name=footfall-key]')?.content;
if (given) kept.write('key', given);

/** Another tab may have been given a newer key: that of a server that was started anew. */
export function withKey(path: string): string {
  const key = kept.read<string>('key', given ?? '');
  return `${path}?key=${encodeURIComponent(key)}`;
}

/** The token has done its work: it is not to stay where others can read it, nor in bookmarks. */
export function forgetToken(): void {
  if (new URLSearchParams(location.search).has('token')) history.replaceState(null, '', location.pathname + location.hash);
}
