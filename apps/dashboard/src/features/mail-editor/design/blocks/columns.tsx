import type { DesignNode } from '@postrider/core/content/templates/contract';
import type { BlockView } from '../block-view.ts';

declare module '../block-view.ts' {
  interface ViewsOfBlocks {
    columns: typeof view;
  }
}

const column: DesignNode = { type: 'column', content: [{ type: 'paragraph' }] };

export const view: BlockView<'columns'> = {
  type: 'columns',
  group: 'section',
  content: 'column{2,3}',
  insertions: [
    { label: 'Two columns', node: { type: 'columns', content: [column, column] } },
    { label: 'Three columns', node: { type: 'columns', content: [column, column, column] } },
  ],
  draw: () => ['div', { class: 'mail-columns' }, 0],
  Panel: null,
};
