import { defineBlock } from './block.rules.ts';

/** A part of a row of columns, which writes its cell: its width depends on how many there are. */
export const columnBlock = defineBlock({
  type: 'column',
  label: null,
  attributes: {},
  compile: (_values, { content, compileAll }) => compileAll(content),
});
