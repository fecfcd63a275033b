import type { NodePath } from './trace-design.rules.ts';

type Jump = (path: NodePath) => void;

let present: Jump | null = null;

/** Offers to show a node of the design that is open. @returns ends the offer */
export function offerJump(jump: Jump): () => void {
  present = jump;
  return () => {
    if (present === jump) present = null;
  };
}

/** Selects a node in the visual editor, scrolls to it and moves the focus there. A page has one visual editor. */
export const jumpToNode = (path: NodePath): void => present?.(path);
