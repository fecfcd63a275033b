import { useProject } from '../../../../lib/current.ts';
import { Button } from '../../../../ui/button.tsx';
import type { BlockPanelProps, BlockView } from '../block-view.ts';
import { AlignmentControl, TextControl } from '../inspector-controls.tsx';

declare module '../block-view.ts' {
  interface ViewsOfBlocks {
    address: typeof view;
  }
}

export const view: BlockView<'address'> = {
  type: 'address',
  group: 'block',
  content: null,
  insertions: [{ node: { type: 'address' } }],
  draw: ({ text, align }) =>
    text.trim() === ''
      ? ['div', { class: 'mail-placeholder' }, 'Enter the postal address']
      : ['div', { class: 'mail-address', style: `text-align:${align}` }, text],
  Panel: AddressPanel,
};

function AddressPanel({ values, onChange }: BlockPanelProps<'address'>) {
  const { address } = useProject().brand;
  return (
    <>
      <TextControl
        label="Postal address"
        placeholder="1 Main Street, London"
        value={values.text}
        onChange={(text) => onChange({ text })}
      />
      {address !== null && address !== values.text && (
        <Button small onClick={() => onChange({ text: address })}>
          Use that of the brand
        </Button>
      )}
      <AlignmentControl value={values.align} onChange={(align) => onChange({ align })} />
    </>
  );
}
