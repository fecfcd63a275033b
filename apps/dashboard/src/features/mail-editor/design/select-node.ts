import type { Editor } from '@tiptap/core';
import { NodeSelection, TextSelection } from '@tiptap/pm/state';
import type { NodePath } from './trace-design.rules.ts';

/** Selects a block that is one piece, else puts the caret at its beginning. A path that leads nowhere changes nothing. */
export function selectNode({ state, view }: Editor, path: NodePath): void {
  const at = positionOf(state.doc, path);
  const node = at === null ? null : state.doc.nodeAt(at);
  if (at === null || !node) return;
  const selection = node.isAtom
    ? NodeSelection.create(state.doc, at)
    : TextSelection.near(state.doc.resolve(at + 1));
  view.dispatch(state.tr.setSelection(selection));
  view.focus();
  // The editor itself scrolls only while it has the focus.
  const element = view.nodeDOM(at);
  const block = element instanceof Element ? element : element?.parentElement;
  block?.scrollIntoView({ block: 'center' });
}

/** The position before a node. */
function positionOf(doc: Editor['state']['doc'], path: NodePath): number | null {
  let parent = doc;
  let at = 0;
  for (const [level, index] of path.entries()) {
    if (index >= parent.childCount) return null;
    if (level > 0) at += 1;
    for (let before = 0; before < index; before += 1) at += parent.child(before).nodeSize;
    parent = parent.child(index);
  }
  return path.length === 0 ? null : at;
}
