import { blockDefinition, type DesignSettings } from '@postrider/core/content/templates/contract';
import { blockView } from './block-views.ts';
import { kitView } from './kit-views.tsx';

/** What people call a block; null if it cannot be selected by itself. */
export const labelOf = (type: string): string | null =>
  blockDefinition(type)?.label ?? kitView(type)?.label ?? null;

interface BlockPanelProps {
  type: string;
  attrs: Readonly<Record<string, unknown>>;
  settings: DesignSettings;
  onChange: (change: Record<string, unknown>) => void;
}

/** The controls of a block beside the document. */
export function BlockPanel({ type, attrs, settings, onChange }: BlockPanelProps) {
  const block = blockDefinition(type);
  if (block) {
    const { Panel } = blockView(block.type);
    const values = block.read(attrs);
    return Panel && <Panel {...{ values, settings, onChange }} attributes={block.attributes} />;
  }
  const Panel = kitView(type)?.Panel;
  return Panel && <Panel {...{ attrs, settings, onChange }} />;
}
