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
  draw: ({ background, padding, radius }) => [
    'div',
    {
      class: 'mail-panel',
      // Its last text has space below it.
      style: `background-color:${background};padding:${padding}px ${padding}px ${Math.max(0, padding - 14)}px;border-radius:${radius}px`,
    },
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
      <NumberControl
        label="Corners"
        limits={attributes.radius.limits}
        value={values.radius}
        onChange={(radius) => onChange({ radius })}
      />
    </>
  );
}
