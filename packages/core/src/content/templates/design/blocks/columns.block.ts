import type { DesignNode } from '../design.rules.ts';
import { choice, pixels } from './attributes.rules.ts';
import { defineBlock } from './block.rules.ts';
import { columnBlock } from './column.block.ts';
import { shareOfEach, sharesIn } from './column-widths.rules.ts';
import { withOwnColors } from './own-colors.rules.ts';

/** A row of columns. What they are on narrow screens is its `stack`: below each other, also in reverse, or still beside each other. */
export const columnsBlock = defineBlock({
  type: 'columns',
  label: 'Columns',
  attributes: {
    /** how the width is divided, in parts of any size; null for equal parts */
    widths: { default: null, read: sharesIn },
    gap: pixels(20, [0, 60]),
    stack: choice(['stack', 'reverse', 'keep']),
    valign: choice(['top', 'middle', 'bottom']),
  },
  compile({ widths, gap, stack, valign }, { content, width, compileAll }) {
    const space = Math.max(0, width - gap * (content.length - 1));
    const shares = shareOfEach(widths, content.length);
    // Mail programs set the columns of a table from the right where it says so, so that the last one is the first on a phone.
    const isReversed = stack === 'reverse';
    const cells = content.map((column, index) => {
      const own = Math.floor(space * (shares[index] ?? 0));
      return cellHtml(column, {
        attributes: `width="${own}" valign="${valign}"${isReversed ? ' dir="ltr"' : ''}`,
        style: `width:${percentOf(own, width)}%;vertical-align:${valign}`,
        isStacked: stack !== 'keep',
        compileAll: (nodes, padding) => compileAll(nodes, Math.max(0, own - 2 * padding)),
      });
    });
    const between = `<td class="${stack === 'keep' ? 'between' : 'gap'}" width="${gap}" style="width:${gap}px;font-size:0;line-height:0">&nbsp;</td>`;
    const row = (isReversed ? cells.toReversed() : cells).join(gap === 0 ? '\n' : `\n${between}\n`);
    return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"${isReversed ? ' dir="rtl"' : ''}><tr>\n${row}\n</tr></table>`;
  },
});

interface Cell {
  attributes: string;
  style: string;
  isStacked: boolean;
  compileAll: (nodes: readonly DesignNode[], padding: number) => string;
}

function cellHtml(column: DesignNode, { attributes, style, isStacked, compileAll }: Cell): string {
  const { background, padding } = columnBlock.read(column.attrs);
  const html = compileAll(column.content ?? [], padding);
  // On a phone, a column without padding of its own has some below it.
  const names = [isStacked ? 'column' : '', isStacked && padding === 0 ? 'bare' : ''].filter(Boolean);
  const styles = [
    style,
    `padding:${padding}px`,
    ...(background === null ? [] : [`background-color:${background}`]),
  ];
  return `<td${names.length > 0 ? ` class="${names.join(' ')}"` : ''} ${attributes} style="${styles.join(';')}">\n${background === null ? html : withOwnColors(html)}\n</td>`;
}

const percentOf = (own: number, width: number): number =>
  width === 0 ? 0 : Math.round((own / width) * 10_000) / 100;
