import { addressOf, innerWidth } from '../design.rules.ts';
import { escapeText } from '../liquid.rules.ts';
import { alignedTable } from './aligned-table.rules.ts';
import { alignment, pixels, text } from './attributes.rules.ts';
import { defineBlock } from './block.rules.ts';

export const imageBlock = defineBlock({
  type: 'image',
  label: 'Image',
  attributes: {
    src: text(),
    alt: text(),
    href: text(),
    // A new image stores none, and is as wide as the texts around it.
    width: { ...pixels(innerWidth, [8, innerWidth]), default: null },
    align: alignment(),
    radius: pixels(0, [0, 40]),
  },
  compile(image, surroundings) {
    const width = Math.max(1, Math.min(image.width, surroundings.width));
    const src = addressOf(image.src);
    if (src === '') return '';
    const html = `<img src="${escapeText(src)}" alt="${escapeText(image.alt)}" width="${width}" class="fluid" style="display:block;width:100%;max-width:${width}px;height:auto;border:0;border-radius:${image.radius}px">`;
    const href = addressOf(image.href);
    const linked = href === '' ? html : `<a href="${escapeText(href)}">${html}</a>`;
    return alignedTable(image.align, linked, 'padding:0 0 20px', width);
  },
});
