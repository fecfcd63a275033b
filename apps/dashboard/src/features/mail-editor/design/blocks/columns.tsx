import type { DesignNode } from '@postrider/core/content/templates/contract';
import type { BlockPanelProps, BlockView } from '../block-view.ts';
import { ChoiceControl, NumberControl } from '../inspector-controls.tsx';

declare module '../block-view.ts' {
  interface ViewsOfBlocks {
    columns: typeof view;
  }
}

const column: DesignNode = { type: 'column', content: [{ type: 'paragraph' }] };

/** A column is as high as its row, so that its ground is. */
const placeInside = { top: 'start', middle: 'center', bottom: 'end' } as const;

export const view: BlockView<'columns'> = {
  type: 'columns',
  group: 'section',
  content: 'column{2,3}',
  insertions: [
    { label: 'Two columns', node: { type: 'columns', content: [column, column] } },
    { label: 'Three columns', node: { type: 'columns', content: [column, column, column] } },
  ],
  draw: ({ widths, gap, valign }) => [
    'div',
    {
      class: 'mail-columns',
      style: [
        `gap:${gap}px`,
        `--valign:${placeInside[valign]}`,
        ...(widths === null ? [] : [`--columns:${widths.map((part) => `minmax(0,${part}fr)`).join(' ')}`]),
      ].join(';'),
    },
    0,
  ],
  Panel: ColumnsPanel,
};

/** How two and three columns can be divided. Others that a program has written stay until one of these is chosen. */
const divisions = [
  { value: 'equal', label: 'Equal', widths: null },
  { value: '1:2', label: '⅓ ⅔', widths: [1, 2] },
  { value: '2:1', label: '⅔ ⅓', widths: [2, 1] },
  { value: '1:3', label: '¼ ¾', widths: [1, 3] },
  { value: '3:1', label: '¾ ¼', widths: [3, 1] },
  { value: '1:2:1', label: '¼ ½ ¼', widths: [1, 2, 1] },
  { value: '2:1:1', label: '½ ¼ ¼', widths: [2, 1, 1] },
  { value: '1:1:2', label: '¼ ¼ ½', widths: [1, 1, 2] },
] as const;

function ColumnsPanel({ values, attributes, count, onChange }: BlockPanelProps<'columns'>) {
  const fitting = divisions.filter(({ widths }) => widths === null || widths.length === count);
  const present = values.widths?.length === count ? values.widths.join(':') : 'equal';
  return (
    <>
      <ChoiceControl<string>
        label="Widths"
        options={fitting}
        value={present}
        onChange={(chosen) =>
          onChange({ widths: fitting.find(({ value }) => value === chosen)?.widths ?? null })
        }
      />
      <NumberControl
        label="Gap"
        limits={attributes.gap.limits}
        value={values.gap}
        onChange={(gap) => onChange({ gap })}
      />
      <ChoiceControl
        label="Beside each other"
        options={[
          { value: 'top', label: 'Top' },
          { value: 'middle', label: 'Middle' },
          { value: 'bottom', label: 'Bottom' },
        ]}
        value={values.valign}
        onChange={(valign) => onChange({ valign })}
      />
      <ChoiceControl
        label="On phones"
        options={[
          { value: 'stack', label: 'Stacked' },
          { value: 'reverse', label: 'Last first' },
          { value: 'keep', label: 'Side by side' },
        ]}
        value={values.stack}
        onChange={(stack) => onChange({ stack })}
      />
    </>
  );
}
