import { useEffect, useRef } from 'react';

/** What the keys of the canvas do; null where it is not possible now. */
export interface CanvasKeys {
  undo: (() => void) | null;
  redo: (() => void) | null;
  copy: (() => void) | null;
  paste: (() => void) | null;
  duplicate: (() => void) | null;
  remove: (() => void) | null;
}

/** Elements that have their own meaning of these keys. */
const ownKeys =
  'input, textarea, select, [contenteditable="true"], [role="dialog"], [role="menu"], [role="listbox"]';

/** Delete, and with Ctrl or ⌘: Z, Shift+Z, Y, C, V and D, wherever on the page the focus is outside of fields and dialogs. */
export function useCanvasKeys(keys: CanvasKeys): void {
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const { target } = event;
      if (event.defaultPrevented || event.altKey) return;
      if (target instanceof Element && target.closest(ownKeys)) return;
      if (document.querySelector('[role="dialog"]')) return;
      const run = actionOf(event, latest.current);
      if (!run) return;
      event.preventDefault();
      run();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}

function actionOf(event: KeyboardEvent, keys: CanvasKeys): (() => void) | null {
  const { key, shiftKey } = event;
  if (!event.ctrlKey && !event.metaKey) return key === 'Delete' || key === 'Backspace' ? keys.remove : null;
  switch (key.toLowerCase()) {
    case 'z':
      return shiftKey ? keys.redo : keys.undo;
    case 'y':
      return keys.redo;
    case 'c':
      // Selected text is copied as usual.
      return getSelection()?.isCollapsed === false ? null : keys.copy;
    case 'v':
      return keys.paste;
    case 'd':
      return keys.duplicate;
    default:
      return null;
  }
}
