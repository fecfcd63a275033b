import { alignmentOf, colorOf, type DesignSettings } from '@postrider/core/content/templates/contract';
import type { ComponentType } from 'react';
import type { BlockInsertion } from './block-view.ts';
import { AlignmentControl, ColorControl } from './inspector-controls.tsx';

interface KitPanelProps {
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

const TextPanel = ({ attrs, settings, onChange }: KitPanelProps) => (
  <>
    <AlignmentControl value={alignmentOf(attrs['align'])} onChange={(align) => onChange({ align })} />
    <ColorControl
      label="Colour"
      value={colorOf(attrs['color'], settings.text)}
      onChange={(color) => onChange({ color })}
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
    Panel: null,
    insertions: [{ label: 'Bullet list', node: { type: 'bulletList', content: [item] } }],
  },
  orderedList: {
    label: 'Numbered list',
    Panel: null,
    insertions: [{ node: { type: 'orderedList', content: [item] } }],
  },
  blockquote: {
    label: 'Quote',
    Panel: null,
    insertions: [{ node: { type: 'blockquote', content: [{ type: 'paragraph' }] } }],
  },
  horizontalRule: { label: 'Divider', Panel: null, insertions: [{ node: { type: 'horizontalRule' } }] },
} satisfies Record<string, KitView>;

export type KitType = keyof typeof kitViews;

export const kitView = (type: string): KitView | undefined =>
  Object.hasOwn(kitViews, type) ? kitViews[type as KitType] : undefined;
