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

/** Takes the place of Liquid: a character for private use, which no email contains. */
export const maskedCharacter = '\uE000';

/** The template as HTML of the same length: with a masked character in the place of each character of a tag. */
export function maskLiquid(source: string, tags: readonly LiquidTag[]): string {
  let masked = '';
  let from = 0;
  for (const { start, end } of tags) {
    masked += source.slice(from, start) + maskedCharacter.repeat(end - start);
    from = end;
  }
  return masked + source.slice(from);
}
