import type { Editor } from '@tiptap/core';
import { type ReactElement, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { ActionMenu } from '../../ui/menu.tsx';
import { Popover } from '../../ui/popover.tsx';
import { addressOf, textOf } from './design.rules.ts';
import styles from './editor-toolbar.module.css';
import { insertBlock, insertions, insertVariable } from './insertions.ts';

interface EditorToolbarProps {
  editor: Editor;
  variables: readonly string[];
}

/** Inserting and formatting. The buttons keep the selection of the document. */
export function EditorToolbar({ editor, variables }: EditorToolbarProps) {
  const mark = (name: 'bold' | 'italic' | 'underline' | 'strike', label: string, sign: ReactElement) => (
    <button
      type="button"
      className={styles.tool}
      aria-label={label}
      title={label}
      aria-pressed={editor.isActive(name)}
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => editor.chain().focus().toggleMark(name).run()}
    >
      {sign}
    </button>
  );
  return (
    <div className={styles.toolbar} role="toolbar" aria-label="Formatting">
      <ActionMenu
        label="Insert"
        trigger={
          <Button small icon="plus">
            Insert
          </Button>
        }
        actions={insertions.map(({ label, node }) => ({ label, run: () => insertBlock(editor, node) }))}
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
        {mark('bold', 'Bold', <b>B</b>)}
        {mark('italic', 'Italic', <i>I</i>)}
        {mark('underline', 'Underline', <u>U</u>)}
        {mark('strike', 'Strikethrough', <s>S</s>)}
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

function LinkTool({ editor }: { editor: Editor }) {
  const [isOpen, setOpen] = useState(false);
  const [href, setHref] = useState('');
  const isActive = editor.isActive('link');
  const apply = () => {
    const address = addressOf(href);
    const chain = editor.chain().focus().extendMarkRange('link');
    if (address === '') chain.unsetLink().run();
    else chain.setLink({ href: address }).run();
    setOpen(false);
  };
  return (
    <Popover
      label="Link"
      open={isOpen}
      onOpen={(open) => {
        if (open) setHref(textOf(editor.getAttributes('link')['href']));
        setOpen(open);
      }}
      trigger={
        <button
          type="button"
          className={styles.tool}
          aria-pressed={isActive}
          disabled={editor.state.selection.empty && !isActive}
        >
          Link
        </button>
      }
    >
      <div className={styles.link}>
        <input
          type="text"
          inputMode="url"
          aria-label="Address of the link"
          placeholder="https://example.com"
          value={href}
          onChange={({ target }) => setHref(target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            apply();
          }}
        />
        <Button small kind="primary" onClick={apply}>
          {href.trim() === '' ? 'Remove' : 'Apply'}
        </Button>
      </div>
    </Popover>
  );
}
