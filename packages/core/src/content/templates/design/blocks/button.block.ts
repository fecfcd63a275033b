import { addressOf } from '../design.rules.ts';
import { escapeText } from '../liquid.rules.ts';
import { alignedTable } from './aligned-table.rules.ts';
import { alignment, color, pixels, text } from './attributes.rules.ts';
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
  },
  compile(button, { settings }) {
    const { radius, padding } = button;
    const link = `<a href="${escapeText(addressOf(button.href) || '#')}" style="display:inline-block;padding:${padding}px ${padding * 2}px;color:${button.color};font-size:16px;line-height:1.25;font-weight:600;text-decoration:none;border-radius:${radius}px">${escapeText(button.label)}</a>`;
    return alignedTable(
      button.align,
      `<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr><td style="background-color:${button.background ?? settings.primary};border-radius:${radius}px">${link}</td></tr></table>`,
      'padding:6px 0 24px',
    );
  },
});
