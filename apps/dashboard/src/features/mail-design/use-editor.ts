import type { DesignNode } from '@postrider/core/templates/contract';
import { Editor } from '@tiptap/core';
import { type RefObject, useEffect, useReducer, useRef, useState } from 'react';
import { extensions } from './extensions.ts';

/**
 * The editor inside an element. The component renders again with each transaction.
 *
 * @param content the document to begin with, and again whenever another object than the editor's own is given
 * @param onChange gets each changed document
 */
export function useEditor(
  place: RefObject<HTMLElement | null>,
  content: DesignNode,
  onChange: (content: DesignNode) => void,
): Editor | null {
  const [editor, setEditor] = useState<Editor | null>(null);
  const [, refresh] = useReducer((count: number) => count + 1, 0);
  const change = useRef(onChange);
  change.current = onChange;
  const own = useRef(content);
  const first = useRef(content);
  useEffect(() => {
    const created = new Editor({
      element: place.current,
      extensions,
      content: first.current,
      injectCSS: false,
      editorProps: {
        attributes: { 'aria-label': 'Email design', 'aria-multiline': 'true', role: 'textbox' },
      },
      onTransaction: refresh,
      onUpdate({ editor: { state } }) {
        const changed = state.doc.toJSON() as DesignNode;
        own.current = changed;
        change.current(changed);
      },
    });
    setEditor(created);
    return () => created.destroy();
  }, [place]);
  useEffect(() => {
    if (!editor || content === own.current) return;
    own.current = content;
    editor.commands.setContent(content, { emitUpdate: false });
  }, [editor, content]);
  return editor;
}
