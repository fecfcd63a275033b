import {
  alignmentOf,
  colorOf,
  type DesignSettings,
  initialLook,
  lineColor,
  lineHeightLimits,
  lookOf,
  numberOf,
  sizeLimits,
  thicknessLimits,
} from '@postrider/core/content/templates/contract';
import type { ComponentType } from 'react';
import type { BlockInsertion } from './block-view.ts';
import { AlignmentControl, ColorControl, NumberControl } from './inspector-controls.tsx';

interface KitPanelProps {
  type: string;
  attrs: Readonly<Record<string, unknown>>;
  settings: DesignSettings;
  onChange: (change: Record<string, unknown>) => void;
}

/** What the editor shows of a block that TipTap's own kit draws. */
interface KitView {
  label: string;
  Panel: ComponentType<KitPanelProps> | null;
  insertions: readonly BlockInsertion[];
}

/** Sets an attribute back; absent where it has no value of its own. */
const resetOf = (
  attrs: KitPanelProps['attrs'],
  name: string,
  onChange: KitPanelProps['onChange'],
): (() => void) | undefined =>
  attrs[name] === null || attrs[name] === undefined ? undefined : () => onChange({ [name]: null });

function TextPanel({ type, attrs, settings, onChange }: KitPanelProps) {
  const { size, lineHeight } = lookOf(attrs, initialLook(type, attrs));
  return (
    <>
      <AlignmentControl value={alignmentOf(attrs['align'])} onChange={(align) => onChange({ align })} />
      <NumberControl
        label="Size"
        limits={sizeLimits}
        value={size}
        onChange={(next) => onChange({ size: next })}
        onReset={resetOf(attrs, 'size', onChange)}
      />
      <NumberControl
        label="Line height"
        unit="%"
        limits={lineHeightLimits}
        value={lineHeight}
        onChange={(next) => onChange({ lineHeight: next })}
        onReset={resetOf(attrs, 'lineHeight', onChange)}
      />
      <ColorControl
        label="Colour"
        value={colorOf(attrs['color'], settings.text)}
        onChange={(color) => onChange({ color })}
        onReset={resetOf(attrs, 'color', onChange)}
      />
    </>
  );
}

const DividerPanel = ({ attrs, onChange }: KitPanelProps) => (
  <>
    <ColorControl
      label="Colour"
      value={colorOf(attrs['color'], lineColor)}
      onChange={(color) => onChange({ color })}
      onReset={resetOf(attrs, 'color', onChange)}
    />
    <NumberControl
      label="Thickness"
      limits={thicknessLimits}
      value={numberOf(attrs['thickness'], 1, thicknessLimits)}
      onChange={(thickness) => onChange({ thickness })}
    />
  </>
);

const item = { type: 'listItem', content: [{ type: 'paragraph' }] };

/** The blocks of TipTap's own kit, whose nodes, looks and attributes are in `extensions.ts`. */
export const kitViews = {
  paragraph: { label: 'Text', Panel: TextPanel, insertions: [{ node: { type: 'paragraph' } }] },
  heading: {
    label: 'Heading',
    Panel: TextPanel,
    insertions: [1, 2, 3].map((level) => ({
      label: `Heading ${level}`,
      node: { type: 'heading', attrs: { level } },
    })),
  },
  bulletList: {
    label: 'List',
    Panel: TextPanel,
    insertions: [{ label: 'Bullet list', node: { type: 'bulletList', content: [item] } }],
  },
  orderedList: {
    label: 'Numbered list',
    Panel: TextPanel,
    insertions: [{ node: { type: 'orderedList', content: [item] } }],
  },
  blockquote: {
    label: 'Quote',
    Panel: null,
    insertions: [{ node: { type: 'blockquote', content: [{ type: 'paragraph' }] } }],
  },
  horizontalRule: {
    label: 'Divider',
    Panel: DividerPanel,
    insertions: [{ node: { type: 'horizontalRule' } }],
  },
} satisfies Record<string, KitView>;

export type KitType = keyof typeof kitViews;

export const kitView = (type: string): KitView | undefined =>
  Object.hasOwn(kitViews, type) ? kitViews[type as KitType] : undefined;
