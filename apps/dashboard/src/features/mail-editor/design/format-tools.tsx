import { addressOf, textOf } from '@postrider/core/content/templates/contract';
import type { Editor } from '@tiptap/core';
import { type ReactElement, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Popover } from '../../../ui/popover.tsx';
import styles from './editor-toolbar.module.css';

interface MarkToolProps {
  editor: Editor;
  name: 'bold' | 'italic' | 'underline' | 'strike';
  label: string;
  children: ReactElement;
}

/** Formats the selected text, which stays selected. */
export const MarkTool = ({ editor, name, label, children }: MarkToolProps) => (
  <button
    type="button"
    className={styles.tool}
    aria-label={label}
    title={label}
    aria-pressed={editor.isActive(name)}
    onMouseDown={(event) => event.preventDefault()}
    onClick={() => editor.chain().focus().toggleMark(name).run()}
  >
    {children}
  </button>
);

/** The address of the selected text. */
export function LinkTool({ editor }: { editor: Editor }) {
  const [isOpen, setOpen] = useState(false);
  const [href, setHref] = useState('');
  const isActive = editor.isActive('link');
  const open = (next: boolean) => {
    if (next) setHref(textOf(editor.getAttributes('link')['href']));
    setOpen(next);
  };
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
      onOpen={open}
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
          {isActive && href.trim() === '' ? 'Remove' : 'Apply'}
        </Button>
      </div>
    </Popover>
  );
}
