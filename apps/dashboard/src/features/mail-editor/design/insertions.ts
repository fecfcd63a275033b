import type { DesignNode } from '@postrider/core/content/templates/contract';
import type { Editor } from '@tiptap/core';
import { NodeSelection, TextSelection } from '@tiptap/pm/state';

/** What the insert menu and the slash menu offer. */
export interface Insertion {
  label: string;
  node: DesignNode;
}

const paragraph = (text?: string): DesignNode => ({
  type: 'paragraph',
  ...(text !== undefined && { content: [{ type: 'text', text }] }),
});
const heading = (level: number): DesignNode => ({ type: 'heading', attrs: { level } });
const column: DesignNode = { type: 'column', content: [paragraph()] };
const item: DesignNode = { type: 'listItem', content: [paragraph()] };

export const insertions: readonly Insertion[] = [
  { label: 'Text', node: paragraph() },
  { label: 'Heading 1', node: heading(1) },
  { label: 'Heading 2', node: heading(2) },
  { label: 'Heading 3', node: heading(3) },
  { label: 'Button', node: { type: 'button' } },
  { label: 'Image', node: { type: 'image' } },
  { label: 'Divider', node: { type: 'horizontalRule' } },
  { label: 'Spacer', node: { type: 'spacer' } },
  { label: 'Bullet list', node: { type: 'bulletList', content: [item] } },
  { label: 'Numbered list', node: { type: 'orderedList', content: [item] } },
  { label: 'Quote', node: { type: 'blockquote', content: [paragraph()] } },
  { label: 'Two columns', node: { type: 'columns', content: [column, column] } },
  { label: 'Three columns', node: { type: 'columns', content: [column, column, column] } },
  { label: 'Panel', node: { type: 'panel', content: [paragraph()] } },
  { label: 'Condition', node: { type: 'condition', content: [paragraph()] } },
  { label: 'Social links', node: { type: 'social' } },
  { label: 'HTML', node: { type: 'html' } },
];

/**
 * Inserts a block where the cursor is: instead of an empty paragraph, else after the present block. A block that does not fit
 * inside the present one, such as columns in a column, goes after it.
 */
export function insertBlock(editor: Editor, node: DesignNode): void {
  const created = editor.schema.nodeFromJSON(node);
  const { $from } = editor.state.selection;
  for (let depth = $from.depth; depth >= 1; depth -= 1) {
    const parent = $from.node(depth - 1);
    const index = $from.index(depth - 1);
    if (!parent.canReplaceWith(index, index, created.type)) continue;
    const present = $from.node(depth);
    const isEmpty = present.type.name === 'paragraph' && present.childCount === 0;
    const at = isEmpty
      ? { from: $from.before(depth), to: $from.after(depth) }
      : { from: $from.after(depth), to: $from.after(depth) };
    editor.chain().focus().insertContentAt(at, node).run();
    select(editor, at.from);
    return;
  }
  editor.chain().focus().insertContentAt(editor.state.selection.to, node).run();
}

/** Inserts blocks one after the other, where `insertBlock` puts one. */
export function insertBlocks(editor: Editor, nodes: readonly DesignNode[]): void {
  for (const node of nodes) insertBlock(editor, node);
}

/** The block if it is one piece, else the first text in it. */
function select(editor: Editor, at: number): void {
  const { state, view } = editor;
  const isPiece = state.doc.nodeAt(at)?.isAtom === true;
  const selection = isPiece
    ? NodeSelection.create(state.doc, at)
    : TextSelection.near(state.doc.resolve(at + 1));
  view.dispatch(state.tr.setSelection(selection).scrollIntoView());
}

export const insertVariable = (editor: Editor, expression: string): void => {
  editor.chain().focus().insertContent({ type: 'variable', attrs: { expression } }).run();
};
