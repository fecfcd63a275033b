import { partsOf } from '@postrider/core/content/templates/contract';

/** A tag ends before the next one begins, so that each character is read once. */
const tags = /\{\{([^{}]*)\}\}|\{%[^%]*%\}/g;

/**
 * A template as a small picture of it reads: variables are their fallback, or their name, and tags are left out. The email itself is rendered
 * by the API, which would be asked once for each picture of a list.
 */
export const picturedText = (template: string): string =>
  template.replace(tags, (_tag, output: string | undefined) => (output === undefined ? '' : wordsOf(output)));

function wordsOf(output: string): string {
  const { name, fallback } = partsOf(output.replace(/^-|-$/g, '').split('|')[0] ?? '');
  const words = fallback === '' ? (name.split('.').at(-1) ?? '').replaceAll('_', ' ') : fallback;
  return words.replace(/^(["'])(.*)\1$/, '$2').replace(/[<>&"]/g, '');
}
