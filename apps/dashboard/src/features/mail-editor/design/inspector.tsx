import type { DesignSettings } from '@postrider/core/content/templates/contract';
import type { Editor } from '@tiptap/core';
import { Fragment, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { SaveBlock } from '../blocks/save-block.tsx';
import { BlockPanel, labelOf } from './block-panels.tsx';
import { holdsBlocks } from './block-views.ts';
import styles from './inspector.module.css';
import { ColorControl } from './inspector-controls.tsx';
import { savedFrom } from './saved-blocks.ts';
import { changeBlock, duplicateBlock, moveBlock, removeBlock, selectedBlocks } from './selected-blocks.ts';

interface InspectorProps {
  editor: Editor;
  settings: DesignSettings;
  onSettings: (settings: DesignSettings) => void;
}

const settingLabels = {
  background: 'Background',
  card: 'Card',
  text: 'Text',
  primary: 'Buttons and links',
} as const;

/** What can be set of the blocks at the selection, and of the whole email. */
export function Inspector({ editor, settings, onSettings }: InspectorProps) {
  const [saving, setSaving] = useState<ReturnType<typeof savedFrom> | null>(null);
  const blocks = selectedBlocks(editor).flatMap((block) => {
    const label = labelOf(block.type);
    return label === null ? [] : [{ ...block, label }];
  });
  return (
    <aside className={styles.inspector} aria-label="Selected block">
      {blocks.map(({ type, label, attrs, at }, index) => (
        <Fragment key={`${type} ${at}`}>
          <section className={styles.section} aria-label={label}>
            <h3 className={styles.title}>{label}</h3>
            <BlockPanel
              type={type}
              attrs={attrs}
              settings={settings}
              onChange={(change) => changeBlock(editor, at, change)}
            />
            {(index === 0 || holdsBlocks(type)) && (
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
        </Fragment>
      ))}
      <section className={styles.section} aria-label="Whole email">
        <h3 className={styles.title}>Whole email</h3>
        {Object.entries(settingLabels).map(([key, label]) => (
          <ColorControl
            key={key}
            label={label}
            value={settings[key as keyof typeof settingLabels]}
            onChange={(value) => onSettings({ ...settings, [key]: value })}
          />
        ))}
      </section>
      {saving && <SaveBlock {...saving} onClose={() => setSaving(null)} />}
    </aside>
  );
}
