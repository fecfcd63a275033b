import { pixels } from './attributes.rules.ts';
import { defineBlock } from './block.rules.ts';

export const spacerBlock = defineBlock({
  type: 'spacer',
  label: 'Spacer',
  attributes: { height: pixels(24, [4, 200]) },
  compile: ({ height }) =>
    `<div style="height:${height}px;line-height:${height}px;font-size:1px">&nbsp;</div>`,
});
