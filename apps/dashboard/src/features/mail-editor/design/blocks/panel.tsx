import type { BlockPanelProps, BlockView } from '../block-view.ts';
import { ColorControl, NumberControl } from '../inspector-controls.tsx';

declare module '../block-view.ts' {
  interface ViewsOfBlocks {
    panel: typeof view;
  }
}

/** Blocks on a ground of their own. */
export const view: BlockView<'panel'> = {
  type: 'panel',
  group: 'section',
  content: 'block+',
  insertions: [{ node: { type: 'panel', content: [{ type: 'paragraph' }] } }],
  draw: ({ background, padding }) => [
    'div',
    { class: 'mail-panel', style: `background-color:${background};padding:${padding}px` },
    0,
  ],
  Panel: GroundPanel,
};

function GroundPanel({ values, attributes, onChange }: BlockPanelProps<'panel'>) {
  return (
    <>
      <ColorControl
        label="Background"
        value={values.background}
        onChange={(background) => onChange({ background })}
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
