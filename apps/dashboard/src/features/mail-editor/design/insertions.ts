import {
  type BlockType,
  blockDefinitions,
  type DesignNode,
} from '@postrider/core/content/templates/contract';
import type { Editor } from '@tiptap/core';
import { NodeSelection, TextSelection } from '@tiptap/pm/state';
import { blockView } from './block-views.ts';
import { type KitType, kitViews } from './kit-views.tsx';

/** What the insert menu and the slash menu offer. */
interface Insertion {
  label: string;
  node: DesignNode;
}

/** The order of the menus. What is not named here comes last. */
const order: readonly string[] = [
  'paragraph',
  'heading',
  'button',
  'image',
  'horizontalRule',
  'spacer',
  'bulletList',
  'orderedList',
  'blockquote',
  'columns',
  'panel',
  'condition',
  'social',
  'html',
] satisfies (BlockType | KitType)[];

const place = (type: string): number => {
  const at = order.indexOf(type);
  return at < 0 ? order.length : at;
};

export const insertions: readonly Insertion[] = [
  ...Object.entries(kitViews).map(([type, view]) => ({ type, label: view.label, offered: view.insertions })),
  ...blockDefinitions.map(({ type, label }) => ({ type, label, offered: blockView(type).insertions })),
]
  .toSorted((one, two) => place(one.type) - place(two.type))
  .flatMap(({ label, offered }) => offered.map((each) => ({ label, ...each })));

/**
 * Inserts a block where the cursor is: instead of an empty paragraph, else after the present block. A block that does not fit
 * inside the present one, such as columns in a column, goes after it.
 */
export function insertBlock(editor: Editor, node: DesignNode): void {
  const created = editor.schema.nodeFromJSON(node);
  const { selection } = editor.state;
  const { $from, $to } = selection;
  // A selected image is not around the cursor: it is beside it.
  if (selection instanceof NodeSelection && selection.node.isBlock) {
    const after = $to.index();
    if ($to.parent.canReplaceWith(after, after, created.type)) {
      editor.chain().focus().insertContentAt(selection.to, node).run();
      select(editor, selection.to);
      return;
    }
  }
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
