import { text } from './attributes.rules.ts';
import { defineBlock } from './block.rules.ts';

/** Written by hand, so it is kept as it is. */
export const htmlBlock = defineBlock({
  type: 'html',
  label: 'HTML',
  attributes: { html: text() },
  compile: ({ html }) => html,
});
