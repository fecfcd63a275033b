import { color, pixels } from './attributes.rules.ts';
import { defineBlock } from './block.rules.ts';

export const panelBlock = defineBlock({
  type: 'panel',
  label: 'Panel',
  attributes: { background: color('#f4f4f2'), padding: pixels(20, [0, 60]) },
  compile({ background, padding }, { content, compileAll }) {
    // Its colour is the same in dark mode, so its texts keep theirs too.
    const texts = compileAll(content).replaceAll(/class="(text|link|quiet|line)"/g, 'class="in-panel"');
    return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 20px"><tr><td style="padding:${padding}px ${padding}px ${Math.max(0, padding - 14)}px;background-color:${background};border-radius:8px">\n${texts}\n</td></tr></table>`;
  },
});
