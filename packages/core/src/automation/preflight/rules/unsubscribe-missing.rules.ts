import { defineRule } from '../rule.rules.ts';
import { ofVariant } from './of-variant.rules.ts';

/** Only MARKETING email gets a footer with the link (behaviour B1.4). */
export const unsubscribeMissingRule = defineRule({
  name: 'unsubscribe_missing',
  level: 'error',
  needs: ['content'],
  check({ content: { type, body, variants = [] } }) {
    if (type !== 'HEADLESS') return [];
    return [
      ...(linksToPages(body) ? [] : [{ field: 'type', message: missing }]),
      ...variants
        .filter((variant) => !linksToPages(variant.body))
        .map((variant) => ofVariant(variant, missing)),
    ];
  },
});

const missing =
  'Marketing email without the footer needs its own way to unsubscribe; link to {{unsubscribeUrl}} or choose the type Marketing.';

/** Not the key of another value. */
const pages = /(?<![\w.])(?:unsubscribeUrl|subscribeUrl|manageUrl)(?!\w)/g;

/** Whether a tag of a template names one of the pages of recipients (behaviour B1.6); in its texts the words mean nothing. */
function linksToPages(html: string): boolean {
  const lastEnd = Math.max(html.lastIndexOf('}}'), html.lastIndexOf('%}'));
  let isInTag = false;
  let from = 0;
  for (const { 0: name, index } of html.matchAll(pages)) {
    if (index > lastEnd) return false;
    // Only what follows the last name, so that each character is read once.
    const between = html.slice(from, index);
    const opened = Math.max(between.lastIndexOf('{{'), between.lastIndexOf('{%'));
    const closed = Math.max(between.lastIndexOf('}}'), between.lastIndexOf('%}'));
    if (opened !== closed) isInTag = opened > closed;
    if (isInTag) return true;
    from = index + name.length;
  }
  return false;
}
