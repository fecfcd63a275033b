import type { NodePath } from './trace-design.rules.ts';

type Jump = (path: NodePath) => void;

let present: Jump | null = null;

/** Offers to show a node of the design on this page. @returns ends the offer */
export function offerJump(jump: Jump): () => void {
  present = jump;
  return () => {
    if (present === jump) present = null;
  };
}

/** Opens the visual editor, selects a node in it, scrolls to it and moves the focus there. A page has one visual editor. */
export const jumpToNode = (path: NodePath): void => present?.(path);
