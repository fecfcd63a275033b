/** HTML whose Liquid is replaced by words, so that a formatter of HTML keeps it as it is. */
export interface Shielded {
  html: string;
  /** The Liquid in place of the words again. */
  restore(html: string): string;
}

/** Blocks whose text is not HTML, quotes that may hold braces, outputs and tags. */
const liquid =
  /\{%-?\s*(raw|comment)\b[\s\S]*?\{%-?\s*end\1\s*-?%\}|\{\{(?:"[^"]*"|'[^']*'|(?!\}\})[\s\S])*?\}\}|\{%[\s\S]*?%\}/g;

/** Replaces Liquid by words of about its length, which lines are wrapped by. */
export function shieldLiquid(source: string): Shielded {
  let mark = 'lq';
  while (source.includes(mark)) mark += 'q';
  const parts: string[] = [];
  const html = source.replace(liquid, (part) => {
    parts.push(part);
    const word = `${mark}${parts.length - 1}`;
    return `${word}${'x'.repeat(Math.max(0, Math.min(part.length, longestWord) - word.length - 1))}z`;
  });
  const words = new RegExp(`${mark}(\\d+)x*z`, 'g');
  return { html, restore: (text) => text.replace(words, (_word, index) => parts[Number(index)] ?? '') };
}

const longestWord = 40;

const inlineTags = 'a|abbr|b|code|em|font|i|img|input|label|small|span|strong|sub|sup|u';
const inlineBox = new RegExp(
  `<(?!(?:${inlineTags})\\b)[a-z][\\w-]*\\b[^>]*style\\s*=[^>]*display\\s*:\\s*inline`,
  'i',
);
const inlineRule = /<style[\s\S]*?display\s*:\s*inline[\s\S]*?<\/style/i;

/** Whether boxes are laid out like words, so that a space between them is seen. */
export const hasInlineBoxes = (html: string): boolean => inlineBox.test(html) || inlineRule.test(html);

/** Whether text outside of `<pre>` keeps its spaces, so that any space is seen. */
export const keepsSpaces = (html: string): boolean =>
  /white-space(?:-collapse)?\s*:\s*(?:pre|break-spaces|preserve)/i.test(html);

const token =
  /<!--[\s\S]*?-->|<(pre|textarea|script|style|xmp|listing|plaintext)\b[\s\S]*?<\/\1\s*>|<[^>]*>/gi;
const blockTag =
  /^<\/?(?:!doctype|html|head|body|title|meta|link|base|style|script|address|article|aside|blockquote|caption|center|col|colgroup|dd|details|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]|header|hr|li|main|menu|nav|ol|optgroup|option|p|pre|section|summary|table|tbody|td|tfoot|th|thead|tr|ul|br)\b/i;

/**
 * Whether two documents render the same: their tags, attributes and texts are equal, and spaces differ only in number, or beside
 * the tags of blocks.
 */
export const rendersSame = (a: string, b: string): boolean => {
  const [left, right] = [piecesOf(a), piecesOf(b)];
  return left.length === right.length && left.every((piece, index) => piece === right[index]);
};

/** Texts and tags in turn, in a form of their own, without the spaces that nothing is seen of; then the comments with their places. */
function piecesOf(html: string): string[] {
  const pieces: string[] = [];
  const comments: string[] = [];
  let text = '';
  let from = 0;
  for (const match of html.matchAll(token)) {
    text += html.slice(from, match.index);
    from = match.index + match[0].length;
    if (match[0].startsWith('<!--')) {
      comments.push(`${pieces.length} ${collapse(match[0]).replace(/> | </g, trim)}`);
      continue;
    }
    pieces.push(collapse(text), tagOf(match[0]));
    text = '';
  }
  pieces.push(collapse(text + html.slice(from)));
  const seen = pieces.map((piece, index) => {
    if (index % 2 === 1) return piece;
    const isAfterBlock = index === 0 || blockTag.test(pieces[index - 1] ?? '');
    const isBeforeBlock = index === pieces.length - 1 || blockTag.test(pieces[index + 1] ?? '');
    return piece.replace(isAfterBlock ? /^ / : /^$/, '').replace(isBeforeBlock ? / $/ : /^$/, '');
  });
  return [...seen, ...comments];
}

/** Spaces that HTML collapses; a non-breaking one is not among them. */
const collapse = (text: string): string => text.replace(/[ \t\r\n\f]+/g, ' ');

/** Quotes, closing slashes, and the case of names do not count. */
function tagOf(tag: string): string {
  if (/^<(?:pre|textarea)\b/i.test(tag)) return tag.replace(/^(<\w+[^>]*>)\n/, '$1');
  if (/^<(?:style|script)\b/i.test(tag) || tag.startsWith('<!--'))
    return collapse(tag).replace(/> | <| (?=>)/g, trim);
  const [, head = '', attributes = ''] = /^<(\/?!?[^\s/>]+)([\s\S]*?)\s*\/?>$/.exec(tag) ?? ['', tag, ''];
  const written = [...attributes.matchAll(/([^\s=]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s]+))?/g)].map(
    ([, name = '', value = '']) => `${name.toLowerCase()}=${value.replace(/^(["'])([\s\S]*)\1$/, '$2')}`,
  );
  return `<${[head.toLowerCase(), ...written].join(' ')}>`;
}

const trim = (text: string): string => text.trim();
