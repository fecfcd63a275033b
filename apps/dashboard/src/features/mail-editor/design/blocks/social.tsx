import { socialNetworks } from '@postrider/core/content/templates/contract';
import type { BlockPanelProps, BlockView, Dom } from '../block-view.ts';
import { AlignmentControl, TextControl } from '../inspector-controls.tsx';

declare module '../block-view.ts' {
  interface ViewsOfBlocks {
    social: typeof view;
  }
}

export const view: BlockView<'social'> = {
  type: 'social',
  group: 'block',
  content: null,
  insertions: [{ node: { type: 'social' } }],
  draw: ({ align, links }) =>
    links.length === 0
      ? ['div', { class: 'mail-placeholder' }, 'Add social links']
      : [
          'div',
          { style: `text-align:${align}` },
          ...links.map(({ network }): Dom => ['span', { class: 'mail-social' }, network]),
        ],
  Panel: SocialPanel,
};

function SocialPanel({ values: { align, links }, onChange }: BlockPanelProps<'social'>) {
  const addressIn = (network: string) => links.find((link) => link.network === network)?.href ?? '';
  const change = (network: string, href: string) => {
    const others = links.filter((link) => link.network !== network);
    const all = href === '' ? others : [...others, { network, href }];
    const order = Object.keys(socialNetworks);
    onChange({ links: all.toSorted((one, two) => order.indexOf(one.network) - order.indexOf(two.network)) });
  };
  return (
    <>
      {Object.entries(socialNetworks).map(([network, start]) => (
        <TextControl
          key={network}
          label={network}
          placeholder={start}
          value={addressIn(network)}
          onChange={(href) => change(network, href)}
        />
      ))}
      <AlignmentControl value={align} onChange={(next) => onChange({ align: next })} />
    </>
  );
}
