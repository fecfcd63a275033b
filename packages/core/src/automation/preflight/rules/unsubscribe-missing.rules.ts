import { defineRule } from '../rule.rules.ts';

/** Only MARKETING email gets a footer with the link (behaviour B1.4). */
export const unsubscribeMissingRule = defineRule({
  name: 'unsubscribe_missing',
  level: 'error',
  needs: ['content'],
  check: ({ content: { type, body } }) =>
    type === 'HEADLESS' && !linksToPages(body)
      ? [
          {
            field: 'type',
            message:
              'Marketing email without the footer needs its own way to unsubscribe; link to {{unsubscribeUrl}} or choose the type Marketing.',
          },
        ]
      : [],
});

const pages = /\b(?:unsubscribeUrl|subscribeUrl|manageUrl)\b/;

/** Whether a tag of a template names one of the pages of recipients (behaviour B1.6); in its texts the words mean nothing. */
const linksToPages = (html: string): boolean =>
  html
    .split(/\{[{%]/)
    .slice(1)
    .some((part) => {
      const end = part.search(/[}%]\}/);
      return end > 0 && pages.test(part.slice(0, end));
    });
