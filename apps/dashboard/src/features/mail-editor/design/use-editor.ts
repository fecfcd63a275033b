import type { DesignNode } from '@postrider/core/content/templates/contract';
import { Editor } from '@tiptap/core';
import { type RefObject, useEffect, useReducer, useRef, useState } from 'react';
import { extensions } from './extensions.ts';

interface Opened {
  given: DesignNode;
  /** The same in the editor, which adds what it needs, such as an empty last paragraph. A design that is only this is unchanged. */
  doc: Editor['state']['doc'];
}

/** The editor adds what it needs with the first transaction. */
function open(editor: Editor, given: DesignNode): Opened {
  editor.view.dispatch(editor.state.tr);
  return { given, doc: editor.state.doc };
}

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
  const opened = useRef<Opened | null>(null);
  useEffect(() => {
    opened.current = null;
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
        if (opened.current === null) return;
        const { given, doc } = opened.current;
        const changed = state.doc.eq(doc) ? given : (state.doc.toJSON() as DesignNode);
        own.current = changed;
        change.current(changed);
      },
    });
    opened.current = open(created, first.current);
    setEditor(created);
    return () => created.destroy();
  }, [place]);
  useEffect(() => {
    if (!editor || content === own.current) return;
    own.current = content;
    opened.current = null;
    editor.commands.setContent(content, { emitUpdate: false });
    opened.current = open(editor, content);
  }, [editor, content]);
  return editor;
}
