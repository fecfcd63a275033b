import { color, pixels } from './attributes.rules.ts';
import { defineBlock } from './block.rules.ts';
import { withOwnColors } from './own-colors.rules.ts';

export const panelBlock = defineBlock({
  type: 'panel',
  label: 'Panel',
  attributes: {
    background: color('#f4f4f2'),
    padding: pixels(20, [0, 60]),
    radius: pixels(8, [0, 40]),
  },
  compile({ background, padding, radius }, { content, width, compileAll }) {
    const texts = withOwnColors(compileAll(content, Math.max(0, width - 2 * padding)));
    return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 20px"><tr><td style="padding:${padding}px ${padding}px ${Math.max(0, padding - 14)}px;background-color:${background};border-radius:${radius}px">\n${texts}\n</td></tr></table>`;
  },
});
