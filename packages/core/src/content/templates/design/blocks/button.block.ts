import { addressOf } from '../design.rules.ts';
import { escapeText } from '../liquid.rules.ts';
import { alignedTable } from './aligned-table.rules.ts';
import { alignment, color, flag, pixels, text } from './attributes.rules.ts';
import { defineBlock } from './block.rules.ts';

export const buttonBlock = defineBlock({
  type: 'button',
  label: 'Button',
  attributes: {
    label: text('Button'),
    href: text(),
    align: alignment(),
    /** without one that of the email's buttons */
    background: color(null),
    color: color('#ffffff'),
    radius: pixels(8, [0, 40]),
    padding: pixels(14, [6, 30]),
    size: pixels(16, [12, 28]),
    /** as wide as the texts around it */
    wide: flag(),
  },
  compile(button, { settings }) {
    const { radius, padding, wide } = button;
    const around = `${padding}px ${padding * 2}px`;
    const background = button.background ?? settings.primary;
    const link = `<a href="${escapeText(addressOf(button.href) || '#')}" style="display:${wide ? 'block' : 'inline-block'};padding:${around};mso-padding-alt:0;color:${button.color};font-size:${button.size}px;line-height:1.25;font-weight:600;text-align:center;text-decoration:none;border-radius:${radius}px">${escapeText(button.label)}</a>`;
    // Outlook knows no padding of a link: the cell around it has it there.
    const cell = `<td align="center" style="mso-padding-alt:${around};background-color:${background};border-radius:${radius}px">${link}</td>`;
    return alignedTable(
      button.align,
      `<table role="presentation"${wide ? ' width="100%"' : ''} cellpadding="0" cellspacing="0" border="0"><tr>${cell}</tr></table>`,
      'padding:6px 0 24px',
    );
  },
});
