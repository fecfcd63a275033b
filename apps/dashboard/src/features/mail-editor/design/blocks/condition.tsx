import type { BlockPanelProps, BlockView } from '../block-view.ts';
import { TextControl } from '../inspector-controls.tsx';

declare module '../block-view.ts' {
  interface ViewsOfBlocks {
    condition: typeof view;
  }
}

export const view: BlockView<'condition'> = {
  type: 'condition',
  group: 'section',
  content: '(block|columns|panel)+',
  insertions: [{ node: { type: 'condition', content: [{ type: 'paragraph' }] } }],
  draw: ({ test }) => ['div', { class: 'mail-condition', 'data-test': `If ${test || '…'}` }, 0],
  Panel: ConditionPanel,
};

function ConditionPanel({ values, onChange }: BlockPanelProps<'condition'>) {
  return (
    <TextControl
      label="Show if"
      placeholder={'plan == "pro"'}
      value={values.test}
      onChange={(test) => onChange({ test })}
    />
  );
}
