import { color, pixels } from './attributes.rules.ts';
import { defineBlock } from './block.rules.ts';

/** A part of a row of columns, which writes its cell: its width depends on the others. */
export const columnBlock = defineBlock({
  type: 'column',
  label: 'Column',
  part: true,
  attributes: { background: color(null), padding: pixels(0, [0, 40]) },
  compile: (_values, { content, compileAll }) => compileAll(content),
});
