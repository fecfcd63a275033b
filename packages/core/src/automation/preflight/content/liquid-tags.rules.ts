/** An output `{{…}}` or a tag `{%…%}` of a Liquid template. */
export interface LiquidTag {
  isOutput: boolean;
  /** without the braces and their dashes */
  inside: string;
  start: number;
  /** after the last character */
  end: number;
}

/** Tags whose content is not Liquid. */
const verbatim = new Set(['raw', 'comment']);

/** The tags of a template in order. A `raw` or `comment` block is one tag with all that is in it; an unclosed tag is text. */
export function liquidTags(source: string): LiquidTag[] {
  const tags: LiquidTag[] = [];
  // After its last end no tag of a kind is closed, so that a source of beginnings is not searched once for each.
  const lastEnds = { '}}': source.lastIndexOf('}}'), '%}': source.lastIndexOf('%}') };
  let at = source.indexOf('{');
  while (at >= 0) {
    const tag = tagAt(source, at, lastEnds);
    if (tag) tags.push(tag);
    at = source.indexOf('{', tag ? tag.end : at + 1);
  }
  return tags;
}

function tagAt(
  source: string,
  start: number,
  lastEnds: { readonly '}}': number; readonly '%}': number },
): LiquidTag | null {
  const isOutput = source[start + 1] === '{';
  if (!isOutput && source[start + 1] !== '%') return null;
  const ending = isOutput ? '}}' : '%}';
  if (lastEnds[ending] < start + 2) return null;
  const close = source.indexOf(ending, start + 2);
  const inside = source
    .slice(start + 2, close)
    .replace(/^-|-$/g, '')
    .trim();
  const end = isOutput || !verbatim.has(inside) ? close + 2 : blockEnd(source, close + 2, `end${inside}`);
  return { isOutput, inside, start, end };
}

/** After the tag that ends a block; the end of the source if there is none. */
function blockEnd(source: string, from: number, name: string): number {
  const last = source.indexOf(name, from);
  const close = last < 0 ? -1 : source.indexOf('%}', last);
  return close < 0 ? source.length : close + 2;
}

/** Characters for private use, which no email contains. They take the place of Liquid that writes something, and of all other Liquid. */
export const maskedCharacter = '\uE000';
export const tagCharacter = '\uE001';

const masked = new RegExp(`[${maskedCharacter}${tagCharacter}]`);

/** Whether a masked text has Liquid in it, or at its beginning. */
export const isMasked = (text: string): boolean => masked.test(text);
export const beginsMasked = (text: string): boolean => isMasked(text.charAt(0));

/** Tags that write something. */
const writing = new Set(['raw', 'echo', 'cycle', 'increment', 'decrement', 'include', 'render']);

/** The template as HTML of the same length, with a character of a mask in the place of each character of Liquid. */
export function maskLiquid(source: string, tags: readonly LiquidTag[]): string {
  const parts: string[] = [];
  let from = 0;
  for (const { isOutput, inside, start, end } of tags) {
    const isWritten = isOutput || writing.has(/^\w*/.exec(inside)?.[0] ?? '');
    parts.push(source.slice(from, start), (isWritten ? maskedCharacter : tagCharacter).repeat(end - start));
    from = end;
  }
  return parts.join('') + source.slice(from);
}
