import { blockDefinition, type DesignSettings } from '@postrider/core/content/templates/contract';
import { blockView } from './block-views.ts';
import { kitView } from './kit-views.tsx';

/** What people call a block; null for a node that is none. */
export const labelOf = (type: string): string | null =>
  blockDefinition(type)?.label ?? kitView(type)?.label ?? null;

interface BlockPanelProps {
  type: string;
  attrs: Readonly<Record<string, unknown>>;
  settings: DesignSettings;
  count: number;
  onChange: (change: Record<string, unknown>) => void;
}

/** The controls of a block beside the document. */
export function BlockPanel({ type, attrs, settings, count, onChange }: BlockPanelProps) {
  const block = blockDefinition(type);
  if (block) {
    const { Panel } = blockView(block.type);
    const values = block.read(attrs);
    return Panel && <Panel {...{ values, settings, count, onChange }} attributes={block.attributes} />;
  }
  const Panel = kitView(type)?.Panel;
  return Panel && <Panel {...{ type, attrs, settings, onChange }} />;
}
