import { partsOf, textOf } from '../message/index.ts';

/** Bytes of a message that are searched for links. */
const searched = 4 * 1_048_576;

export interface TrackedLinks {
  /** whether an open is recorded */
  hasPixel: boolean;
  /** the token of the first link whose clicks are recorded */
  first: string | null;
}

/** What a reader of the HTML part could trigger. @param linksUrl where the links of this installation lead */
export function trackedLinksOf(message: Buffer, linksUrl: string): TrackedLinks {
  const read = message.subarray(0, searched);
  const part = partsOf(read).find(({ type }) => type === 'text/html');
  const html = part ? textOf(read, part) : '';
  const prefix = `${linksUrl}/t/c/`;
  const at = html.indexOf(prefix);
  const from = at + prefix.length;
  return {
    hasPixel: html.includes(`${linksUrl}/t/o/`),
    first: at < 0 ? null : (/^[\w.~-]{1,16000}/.exec(html.slice(from, from + 16_000))?.[0] ?? null),
  };
}
