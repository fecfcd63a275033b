import type { Editor } from '@tiptap/core';
import { TextSelection } from '@tiptap/pm/state';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { ActionMenu } from '../../../ui/menu.tsx';
import toolbar from './editor-toolbar.module.css';
import { LinkTool, MarkTool } from './format-tools.tsx';
import { insertVariable } from './insertions.ts';
import styles from './selection-bubble.module.css';

interface SelectionBubbleProps {
  editor: Editor;
  /** The element that scrolls, in which the bubble is placed. */
  page: RefObject<HTMLElement | null>;
  variables: readonly string[];
}

/** The space that the bubble takes, in pixels. */
const height = 44;
const halfWidth = 120;

/** Formatting beside the selected text. The toolbar has the same for those who do not use a pointer. */
export function SelectionBubble({ editor, page, variables }: SelectionBubbleProps) {
  const isSelecting = usePointerDown(editor);
  const bubble = useRef<HTMLDivElement>(null);
  const isActive = useActive(editor, bubble);
  const { selection } = editor.state;
  const isText = selection instanceof TextSelection && !selection.empty;
  const isShown = isText && isActive && !isSelecting;
  const frame = page.current;
  if (!isShown || !frame) return null;
  const { left, top } = frame.getBoundingClientRect();
  const [from, to] = [editor.view.coordsAtPos(selection.from), editor.view.coordsAtPos(selection.to)];
  const middle = from.top === to.top ? (from.left + to.left) / 2 : from.left + halfWidth;
  const isAbove = from.top - top > height;
  const place = {
    left: Math.max(halfWidth, Math.min(middle - left, frame.clientWidth - halfWidth)) + frame.scrollLeft,
    top: (isAbove ? from.top - height : to.bottom + 8) - top + frame.scrollTop,
  };
  return (
    <div ref={bubble} className={styles.bubble} role="toolbar" aria-label="Selected text" style={place}>
      <MarkTool editor={editor} name="bold" label="Bold">
        <b>B</b>
      </MarkTool>
      <MarkTool editor={editor} name="italic" label="Italic">
        <i>I</i>
      </MarkTool>
      <LinkTool editor={editor} />
      <ActionMenu
        label="Replace by a variable"
        trigger={
          <button type="button" className={toolbar.tool}>
            Variable
          </button>
        }
        actions={variables.map((name) => ({ label: name, run: () => insertVariable(editor, name) }))}
      />
    </div>
  );
}

/** Whether the focus is in the text, in the bubble, or in what opened from it, which is placed outside of the room. */
function useActive({ view: { dom } }: Editor, bubble: RefObject<HTMLElement | null>): boolean {
  const [isActive, setActive] = useState(false);
  useEffect(() => {
    // The focus may be there already.
    setActive(dom.contains(document.activeElement));
    const move = ({ target }: FocusEvent) => {
      if (!(target instanceof Node)) return;
      const isInside = dom.contains(target) || bubble.current?.contains(target) === true;
      const isOpened = dom.closest('[role=dialog]')?.contains(target) === false;
      setActive((before) => isInside || (before && isOpened));
    };
    document.addEventListener('focusin', move);
    return () => document.removeEventListener('focusin', move);
  }, [dom, bubble]);
  return isActive;
}

/** Whether the pointer is down that may still change the selection. */
function usePointerDown({ view: { dom } }: Editor): boolean {
  const [isDown, setDown] = useState(false);
  useEffect(() => {
    const down = () => setDown(true);
    const up = () => setDown(false);
    dom.addEventListener('pointerdown', down);
    window.addEventListener('pointerup', up);
    window.addEventListener('pointercancel', up);
    window.addEventListener('dragend', up);
    return () => {
      dom.removeEventListener('pointerdown', down);
      window.removeEventListener('pointerup', up);
      window.removeEventListener('pointercancel', up);
      window.removeEventListener('dragend', up);
    };
  }, [dom]);
  return isDown;
}
