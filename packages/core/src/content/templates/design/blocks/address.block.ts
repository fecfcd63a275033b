import { escapeText } from '../liquid.rules.ts';
import { alignment, text } from './attributes.rules.ts';
import { defineBlock } from './block.rules.ts';

/** The postal address of the sender, in small print. */
export const addressBlock = defineBlock({
  type: 'address',
  label: 'Postal address',
  attributes: { text: text(), align: alignment() },
  compile({ text: address, align }) {
    const aligned = align === 'left' ? '' : `;text-align:${align}`;
    return address.trim() === ''
      ? ''
      : `<p class="quiet" style="margin:0 0 12px;font-size:13px;line-height:1.6;color:#6c6962${aligned}">${escapeText(address.trim())}</p>`;
  },
});
