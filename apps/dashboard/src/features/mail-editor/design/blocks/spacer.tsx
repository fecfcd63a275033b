import type { BlockPanelProps, BlockView } from '../block-view.ts';
import { NumberControl } from '../inspector-controls.tsx';

declare module '../block-view.ts' {
  interface ViewsOfBlocks {
    spacer: typeof view;
  }
}

export const view: BlockView<'spacer'> = {
  type: 'spacer',
  group: 'block',
  content: null,
  insertions: [{ node: { type: 'spacer' } }],
  draw: ({ height }) => ['div', { class: 'mail-spacer', style: `height:${height}px` }],
  Panel: SpacerPanel,
};

function SpacerPanel({ values, attributes, onChange }: BlockPanelProps<'spacer'>) {
  return (
    <NumberControl
      label="Height"
      limits={attributes.height.limits}
      value={values.height}
      onChange={(height) => onChange({ height })}
    />
  );
}
