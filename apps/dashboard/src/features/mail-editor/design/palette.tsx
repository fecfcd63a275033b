import type { DesignNode } from '@postrider/core/content/templates/contract';
import type { Editor } from '@tiptap/core';
import { Fragment, Slice } from '@tiptap/pm/model';
import type { DragEvent } from 'react';
import { insertBlock, insertions } from './insertions.ts';
import styles from './palette.module.css';

/** The blocks beside the document of a wide window: a click inserts one where the cursor is, and each can be dragged to its place. */
export const Palette = ({ editor }: { editor: Editor }) => (
  <aside className={styles.palette} aria-label="Blocks">
    {insertions.map(({ label, node }) => (
      <button
        key={label}
        type="button"
        className={styles.block}
        draggable
        onClick={() => insertBlock(editor, node)}
        onDragStart={(event) => startDrag(editor, node, event)}
      >
        {label}
      </button>
    ))}
  </aside>
);

/** The editor inserts what it finds in `dragging` where it is dropped. */
function startDrag({ schema, view }: Editor, node: DesignNode, { dataTransfer }: DragEvent): void {
  const slice = new Slice(Fragment.from(schema.nodeFromJSON(node)), 0, 0);
  const { dom, text } = view.serializeForClipboard(slice);
  dataTransfer.clearData();
  dataTransfer.setData('text/html', dom.innerHTML);
  dataTransfer.setData('text/plain', text);
  dataTransfer.effectAllowed = 'copy';
  view.dragging = { slice, move: false };
}
