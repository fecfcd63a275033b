import type { Editor } from '@tiptap/core';
import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { ActionMenu } from '../../../ui/menu.tsx';
import styles from './editor-toolbar.module.css';
import { LinkTool, MarkTool } from './format-tools.tsx';
import { InsertSavedBlock } from './insert-saved-block.tsx';
import { insertBlock, insertions, insertVariable } from './insertions.ts';

interface EditorToolbarProps {
  editor: Editor;
  variables: readonly string[];
}

/** Inserting and formatting. The buttons keep the selection of the document. */
export function EditorToolbar({ editor, variables }: EditorToolbarProps) {
  const [isPicking, setPicking] = useState(false);
  return (
    <div className={styles.toolbar} role="toolbar" aria-label="Formatting">
      <ActionMenu
        label="Insert"
        trigger={
          <Button small icon="plus">
            Insert
          </Button>
        }
        actions={[
          ...insertions.map(({ label, node }) => ({ label, run: () => insertBlock(editor, node) })),
          {
            label: 'Saved block …',
            run: () => setPicking(true),
            dialog: isPicking && <InsertSavedBlock editor={editor} onClose={() => setPicking(false)} />,
          },
        ]}
      />
      <ActionMenu
        label="Insert a variable"
        trigger={
          <Button small icon="code">
            Variable
          </Button>
        }
        actions={variables.map((name) => ({ label: name, run: () => insertVariable(editor, name) }))}
      />
      <span className={styles.group}>
        <MarkTool editor={editor} name="bold" label="Bold">
          <b>B</b>
        </MarkTool>
        <MarkTool editor={editor} name="italic" label="Italic">
          <i>I</i>
        </MarkTool>
        <MarkTool editor={editor} name="underline" label="Underline">
          <u>U</u>
        </MarkTool>
        <MarkTool editor={editor} name="strike" label="Strikethrough">
          <s>S</s>
        </MarkTool>
        <LinkTool editor={editor} />
      </span>
      <span className={styles.group}>
        <Button
          small
          kind="quiet"
          icon="undo"
          aria-label="Undo"
          disabled={!editor.can().undo()}
          onClick={() => editor.chain().focus().undo().run()}
        />
        <Button
          small
          kind="quiet"
          icon="redo"
          aria-label="Redo"
          disabled={!editor.can().redo()}
          onClick={() => editor.chain().focus().redo().run()}
        />
      </span>
    </div>
  );
}
