import { defineBlock } from './block.rules.ts';

/** A row of columns, which are below each other on narrow screens. */
export const columnsBlock = defineBlock({
  type: 'columns',
  label: 'Columns',
  attributes: {},
  compile(_values, { content, compileAll }) {
    const width = Math.floor(100 / Math.max(1, content.length));
    const cells = content.map(
      (column, index) =>
        `<td class="column" width="${width}%" valign="top" style="width:${width}%;vertical-align:top;padding:0 ${index === content.length - 1 ? 0 : 10}px 0 ${index === 0 ? 0 : 10}px">\n${compileAll(column.content ?? [])}\n</td>`,
    );
    return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr>\n${cells.join('\n')}\n</tr></table>`;
  },
});
