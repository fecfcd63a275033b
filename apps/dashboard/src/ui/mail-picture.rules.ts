import { partsOf } from '@postrider/core/content/templates/contract';

/** A tag ends before the next one begins, so that each character is read once. */
const tags = /\{\{([^{}]*)\}\}|\{%([^%]*)%\}/g;
const firstWord = /^-?\s*(\w*)/;
const opening: ReadonlySet<string> = new Set(['if', 'unless', 'case', 'for']);
const closing: ReadonlySet<string> = new Set(['endif', 'endunless', 'endcase', 'endfor']);

/**
 * A template as a small picture of it reads: variables are their fallback, or their name, of a condition there is what is shown where it holds,
 * and tags are left out. The email itself is rendered by the API, which would be asked once for each picture of a list.
 */
export function picturedText(template: string): string {
  let text = '';
  let end = 0;
  let depth = 0;
  /** The depth of the condition whose other branches are left out; 0 outside of them. */
  let hiddenAt = 0;
  for (const { 0: tag, 1: output, 2: inside = '', index } of template.matchAll(tags)) {
    const word = firstWord.exec(inside)?.[1] ?? '';
    if (hiddenAt === 0) text += template.slice(end, index) + (output === undefined ? '' : wordsOf(output));
    end = index + tag.length;
    if (opening.has(word)) depth++;
    else if (closing.has(word)) {
      depth = Math.max(0, depth - 1);
      if (depth < hiddenAt) hiddenAt = 0;
    } else if ((word === 'else' || word === 'elsif') && hiddenAt === 0) hiddenAt = depth;
  }
  return hiddenAt === 0 ? text + template.slice(end) : text;
}

function wordsOf(output: string): string {
  const { name, fallback } = partsOf(output.replace(/^-|-$/g, '').split('|')[0] ?? '');
  const words = fallback === '' ? (name.split('.').at(-1) ?? '').replaceAll('_', ' ') : fallback;
  return words.replace(/^(["'])(.*)\1$/, '$2').replace(/[<>&"]/g, '');
}
