import type { DesignSettings } from '@postrider/core/content/templates/contract';
import type { Editor } from '@tiptap/core';
import type { Node as ProseMirrorNode } from '@tiptap/pm/model';
import { NodeSelection, TextSelection } from '@tiptap/pm/state';
import { holdsBlocks, isPart } from './block-views.ts';
import { groupChange } from './change-groups.ts';

/** A block at the selection, and where it begins. */
export interface SelectedBlock {
  type: string;
  attrs: Readonly<Record<string, unknown>>;
  at: number;
  /** how many nodes it holds */
  count: number;
}

/** The blocks around the selection, the innermost first. */
export function selectedBlocks({ state: { selection } }: Editor): SelectedBlock[] {
  const { $from } = selection;
  const around = Array.from({ length: $from.depth }, (_, index): SelectedBlock => {
    const depth = $from.depth - index;
    const node = $from.node(depth);
    return { type: node.type.name, attrs: node.attrs, at: $from.before(depth), count: node.childCount };
  });
  if (!(selection instanceof NodeSelection)) return around;
  const { node, from } = selection;
  return [{ type: node.type.name, attrs: node.attrs, at: from, count: node.childCount }, ...around];
}

export const changeBlock = (editor: Editor, at: number, change: Record<string, unknown>): void => {
  const { state, view } = editor;
  const node = state.doc.nodeAt(at);
  if (!node) return;
  const isSelected = state.selection instanceof NodeSelection && state.selection.from === at;
  const transaction = state.tr.setNodeMarkup(at, undefined, { ...node.attrs, ...change });
  if (isSelected) transaction.setSelection(NodeSelection.create(transaction.doc, at));
  view.dispatch(groupChange(transaction, `${at} ${Object.keys(change).join(' ')}`));
};

/** Changes what applies to the whole email. */
export function changeSettings({ state, view }: Editor, change: Partial<DesignSettings>): void {
  const settings = { ...(state.doc.attrs['settings'] as DesignSettings), ...change };
  view.dispatch(groupChange(state.tr.setDocAttribute('settings', settings), Object.keys(change).join(' ')));
}

/** Whether a block is one by itself, rather than a text inside a list or quote. */
export function standsAlone({ state: { doc } }: Editor, at: number): boolean {
  const place = doc.resolve(at);
  return isContainer(place.parent) && place.nodeAfter !== null && !isPart(place.nodeAfter.type.name);
}

/** Removes a block; a document or column is never left empty, because its schema asks for a block. */
export function removeBlock(editor: Editor, at: number): void {
  const node = editor.state.doc.nodeAt(at);
  if (!node) return;
  const parent = editor.state.doc.resolve(at).parent;
  const range = { from: at, to: at + node.nodeSize };
  if (parent.childCount === 1) editor.chain().focus().insertContentAt(range, { type: 'paragraph' }).run();
  else editor.chain().focus().deleteRange(range).run();
}

export function duplicateBlock(editor: Editor, at: number): void {
  const node = editor.state.doc.nodeAt(at);
  if (node)
    editor
      .chain()
      .focus()
      .insertContentAt(at + node.nodeSize, node.toJSON())
      .run();
}

/** Whether what a node holds can be moved by itself; the texts of a list or quote move with it. */
const isContainer = ({ type }: ProseMirrorNode): boolean => type.name === 'doc' || holdsBlocks(type.name);

/** The innermost block at a position that can be moved. */
export function movableAt(doc: ProseMirrorNode, position: number): number | null {
  const place = doc.resolve(position);
  const after = place.nodeAfter;
  if (after?.isBlock && isContainer(place.parent) && !isPart(after.type.name)) return position;
  for (let depth = place.depth; depth >= 1; depth -= 1)
    if (isContainer(place.node(depth - 1)) && !isPart(place.node(depth).type.name))
      return place.before(depth);
  return null;
}

/** Moves the block at the selection past its neighbour. @returns whether there is such a block */
export function moveSelected(editor: Editor, direction: -1 | 1): boolean {
  const { doc, selection } = editor.state;
  const at = movableAt(doc, selection.from);
  if (at === null) return false;
  moveBlock(editor, at, direction);
  return true;
}

/** Moves a block past its neighbour. */
export function moveBlock(editor: Editor, at: number, direction: -1 | 1): void {
  const { state, view } = editor;
  const node = state.doc.nodeAt(at);
  const place = state.doc.resolve(at);
  const neighbour = place.parent.maybeChild(place.index() + direction);
  if (!node || !neighbour) return;
  const target = direction < 0 ? at - neighbour.nodeSize : at + neighbour.nodeSize;
  const transaction = state.tr.delete(at, at + node.nodeSize).insert(target, node);
  const inside = state.selection.from - at;
  const selection =
    node.isAtom || state.selection instanceof NodeSelection
      ? NodeSelection.create(transaction.doc, target)
      : // The caret keeps its place in the text.
        TextSelection.near(
          transaction.doc.resolve(target + (inside > 0 && inside < node.nodeSize ? inside : 1)),
        );
  view.dispatch(transaction.setSelection(selection).scrollIntoView());
  view.focus();
}
