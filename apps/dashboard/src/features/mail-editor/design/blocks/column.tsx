import type { BlockView } from '../block-view.ts';

declare module '../block-view.ts' {
  interface ViewsOfBlocks {
    column: typeof view;
  }
}

export const view: BlockView<'column'> = {
  type: 'column',
  group: 'cell',
  content: 'block+',
  insertions: [],
  draw: () => ['div', { class: 'mail-column' }, 0],
  Panel: null,
};
