import { partsOf } from '@postrider/core/content/templates/contract';
import { liquidTags } from '../checks/liquid-tags.rules.ts';

/**
 * An email as a small picture of it reads: variables are their fallback, or their name, and tags are left out. The email itself is rendered by
 * the API, which would be asked once for each picture of a list.
 */
export function picturedHtml(html: string): string {
  let pictured = '';
  let from = 0;
  for (const { isOutput, inside, start, end } of liquidTags(html)) {
    pictured += html.slice(from, start) + (isOutput ? wordsOf(inside) : '');
    from = end;
  }
  return pictured + html.slice(from);
}

function wordsOf(expression: string): string {
  const { name, fallback } = partsOf(expression.split('|')[0] ?? '');
  const words = fallback === '' ? (name.split('.').at(-1) ?? '').replaceAll('_', ' ') : fallback;
  return words.replace(/^(["'])(.*)\1$/, '$2').replace(/[<>&"]/g, '');
}
