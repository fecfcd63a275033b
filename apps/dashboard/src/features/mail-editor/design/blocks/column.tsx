import type { BlockPanelProps, BlockView } from '../block-view.ts';
import { ColorControl, NumberControl } from '../inspector-controls.tsx';

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
  draw: ({ background, padding }) => [
    'div',
    {
      class: 'mail-column',
      style: [
        `padding:${padding}px`,
        ...(background === null ? [] : [`background-color:${background}`]),
      ].join(';'),
    },
    0,
  ],
  Panel: ColumnPanel,
};

function ColumnPanel({ values, attributes, settings, onChange }: BlockPanelProps<'column'>) {
  return (
    <>
      <ColorControl
        label="Background"
        value={values.background ?? settings.card}
        onChange={(background) => onChange({ background })}
        onReset={values.background === null ? undefined : () => onChange({ background: null })}
      />
      <NumberControl
        label="Padding"
        limits={attributes.padding.limits}
        value={values.padding}
        onChange={(padding) => onChange({ padding })}
      />
    </>
  );
}
