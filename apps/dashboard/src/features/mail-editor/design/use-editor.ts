import type { DesignNode, DesignSettings, MailDesign } from '@postrider/core/content/templates/contract';
import { Editor } from '@tiptap/core';
import { type RefObject, useEffect, useReducer, useRef, useState } from 'react';
import { extensions } from './extensions.ts';

/** What is edited: the settings are in the document too, so that their changes are undone like those of blocks. */
type Edited = Pick<MailDesign, 'content' | 'settings'>;

interface Opened {
  given: Edited;
  /** The same in the editor, which adds what it needs, such as an empty last paragraph. A design that is only this is unchanged. */
  doc: Editor['state']['doc'];
}

/** The editor adds what it needs with the first transaction. */
function open(editor: Editor, given: Edited): Opened {
  editor.view.dispatch(editor.state.tr);
  return { given, doc: editor.state.doc };
}

const documentOf = ({ content, settings }: Edited): DesignNode => ({
  ...content,
  attrs: { settings },
});

function editedIn({ state: { doc } }: Editor): Edited {
  const { attrs: _, ...content } = doc.toJSON() as DesignNode;
  return { content, settings: doc.attrs['settings'] as DesignSettings };
}

/**
 * The editor inside an element. The component renders again with each transaction.
 *
 * @param design what to begin with, and again whenever another content than the editor's own is given
 * @param onChange gets each change
 */
export function useEditor(
  place: RefObject<HTMLElement | null>,
  design: Edited,
  onChange: (changed: Edited) => void,
): Editor | null {
  const [editor, setEditor] = useState<Editor | null>(null);
  const [, refresh] = useReducer((count: number) => count + 1, 0);
  const change = useRef(onChange);
  change.current = onChange;
  const latest = useRef(design);
  latest.current = design;
  const own = useRef(design.content);
  const opened = useRef<Opened | null>(null);
  useEffect(() => {
    opened.current = null;
    const first = latest.current;
    const created = new Editor({
      element: place.current,
      extensions,
      content: documentOf(first),
      injectCSS: false,
      editorProps: {
        attributes: { 'aria-label': 'Email design', 'aria-multiline': 'true', role: 'textbox' },
      },
      onTransaction: refresh,
      onUpdate({ editor: updated }) {
        if (opened.current === null) return;
        const { given, doc } = opened.current;
        const changed = updated.state.doc.eq(doc) ? given : editedIn(updated);
        own.current = changed.content;
        change.current(changed);
      },
    });
    opened.current = open(created, first);
    own.current = first.content;
    setEditor(created);
    created.view.focus();
    return () => created.destroy();
  }, [place]);
  const { content } = design;
  useEffect(() => {
    if (!editor || content === own.current) return;
    own.current = content;
    opened.current = null;
    const given = latest.current;
    editor
      .chain()
      .setContent(documentOf(given), { emitUpdate: false })
      .command(({ tr }) => {
        tr.setDocAttribute('settings', given.settings);
        return true;
      })
      .run();
    opened.current = open(editor, given);
  }, [editor, content]);
  return editor;
}
