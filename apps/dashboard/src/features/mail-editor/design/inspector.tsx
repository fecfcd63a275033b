import type { DesignSettings } from '@postrider/core/content/templates/contract';
import type { Editor } from '@tiptap/core';
import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { SaveBlock } from '../blocks/save-block.tsx';
import { BlockPanel, labelOf } from './block-panels.tsx';
import { holdsBlocks, isPart } from './block-views.ts';
import { BoxPanel } from './box-panel.tsx';
import styles from './inspector.module.css';
import { savedFrom } from './saved-blocks.ts';
import {
  changeBlock,
  duplicateBlock,
  moveBlock,
  removeBlock,
  selectedBlocks,
  standsAlone,
} from './selected-blocks.ts';
import { SettingsPanel } from './settings-panel.tsx';

interface InspectorProps {
  editor: Editor;
  settings: DesignSettings;
  onSettings: (change: Partial<DesignSettings>) => void;
}

/** What can be set of the blocks at the selection, and of the whole email. */
export function Inspector({ editor, settings, onSettings }: InspectorProps) {
  const [saving, setSaving] = useState<ReturnType<typeof savedFrom> | null>(null);
  const blocks = selectedBlocks(editor).flatMap((block) => {
    const label = labelOf(block.type);
    return label === null ? [] : [{ ...block, label }];
  });
  return (
    <aside className={styles.inspector} aria-label="Selected block">
      {blocks.map(({ type, label, attrs, at, count }, index) => {
        const change = (attributes: Record<string, unknown>) => changeBlock(editor, at, attributes);
        return (
          <section key={`${type} ${at}`} className={styles.section} aria-label={label}>
            <h3 className={styles.title}>{label}</h3>
            <BlockPanel type={type} attrs={attrs} settings={settings} count={count} onChange={change} />
            {standsAlone(editor, at) && (
              <BoxPanel type={type} attrs={attrs} settings={settings} onChange={change} />
            )}
            {!isPart(type) && (index === 0 || holdsBlocks(type)) && (
              <div className={styles.actions}>
                <Button
                  small
                  kind="quiet"
                  icon="ascending"
                  aria-label="Move up"
                  title="Move up (Alt+↑)"
                  onClick={() => moveBlock(editor, at, -1)}
                />
                <Button
                  small
                  kind="quiet"
                  icon="descending"
                  aria-label="Move down"
                  title="Move down (Alt+↓)"
                  onClick={() => moveBlock(editor, at, 1)}
                />
                <Button
                  small
                  kind="quiet"
                  icon="copy"
                  aria-label="Duplicate"
                  title="Duplicate"
                  onClick={() => duplicateBlock(editor, at)}
                />
                <Button
                  small
                  kind="quiet"
                  icon="bookmark"
                  aria-label="Save as block"
                  title="Save as block"
                  onClick={() => setSaving(savedFrom(editor, at, settings))}
                />
                <Button
                  small
                  kind="quiet"
                  icon="trash"
                  aria-label="Delete"
                  title="Delete"
                  onClick={() => removeBlock(editor, at)}
                />
              </div>
            )}
          </section>
        );
      })}
      <SettingsPanel settings={settings} onChange={onSettings} />
      {saving && <SaveBlock {...saving} onClose={() => setSaving(null)} />}
    </aside>
  );
}
