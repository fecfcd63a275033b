import { addressOf, socialLinksOf, socialNetworks } from '../design.rules.ts';
import { escapeText } from '../liquid.rules.ts';
import { alignedTable } from './aligned-table.rules.ts';
import { alignment } from './attributes.rules.ts';
import { defineBlock } from './block.rules.ts';

export const socialBlock = defineBlock({
  type: 'social',
  label: 'Social links',
  attributes: {
    align: alignment(),
    links: {
      default: [
        { network: 'LinkedIn', href: socialNetworks.LinkedIn },
        { network: 'X', href: socialNetworks.X },
      ],
      read: socialLinksOf,
    },
  },
  compile({ align, links }, { settings }) {
    const linked = links
      .filter(({ href }) => addressOf(href) !== '')
      .map(
        ({ network, href }) =>
          `<a class="link" href="${escapeText(addressOf(href))}" style="color:${settings.primary};font-size:14px;line-height:2;font-weight:600;text-decoration:none">${escapeText(network)}</a>`,
      );
    return linked.length === 0
      ? ''
      : alignedTable(
          align,
          linked.join('<span style="padding:0 8px;color:#b5b1a7">·</span>'),
          'padding:4px 0 16px',
        );
  },
});
