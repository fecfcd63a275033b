import type { Editor } from '@tiptap/core';
import { NodeSelection } from '@tiptap/pm/state';
import { type DragEvent, type RefObject, useEffect, useState } from 'react';
import { Icon } from '../../../ui/icon.tsx';
import styles from './drag-handle.module.css';
import { movableAt } from './selected-blocks.ts';

interface DragHandleProps {
  editor: Editor;
  /** The element that scrolls, in which the handle is placed. */
  page: RefObject<HTMLElement | null>;
}

interface Handle {
  /** position of the block */
  at: number;
  left: number;
  top: number;
}

/** Appears beside the block under the pointer, to drag it. Alt with an arrow does the same by keyboard, so it takes no focus. */
export function DragHandle({ editor, page }: DragHandleProps) {
  const [handle, setHandle] = useState<Handle | null>(null);
  useEffect(() => {
    const frame = page.current;
    if (!frame) return;
    const move = ({ clientX, clientY, target, buttons }: PointerEvent) => {
      if (buttons === 0 && !isHandle(target)) setHandle(handleAt(editor, frame, clientX, clientY));
    };
    const hide = () => setHandle(null);
    frame.addEventListener('pointermove', move);
    frame.addEventListener('pointerleave', hide);
    editor.on('update', hide);
    return () => {
      frame.removeEventListener('pointermove', move);
      frame.removeEventListener('pointerleave', hide);
      editor.off('update', hide);
    };
  }, [editor, page]);
  if (!handle) return null;
  return (
    <div
      className={styles.handle}
      style={{ left: handle.left, top: handle.top }}
      data-drag-handle=""
      aria-hidden="true"
      title="Drag to move, click to select"
      draggable
      onClick={() => select(editor, handle.at)}
      onDragStart={(event) => startDrag(editor, handle.at, event)}
    >
      <Icon name="grip" size={14} />
    </div>
  );
}

const isHandle = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[data-drag-handle]') !== null;

/** Inside this distance of the edge of the card, in pixels, the pointer is taken to be over its text. */
const padding = 36;
const handleWidth = 20;

function handleAt({ view }: Editor, frame: HTMLElement, x: number, y: number): Handle | null {
  const card = view.dom.getBoundingClientRect();
  const left = Math.min(Math.max(x, card.left + padding), card.right - padding);
  const place = view.posAtCoords({ left, top: y });
  if (!place) return null;
  const isPiece = place.inside >= 0 && view.state.doc.nodeAt(place.inside)?.isAtom === true;
  const at = movableAt(view.state.doc, isPiece ? place.inside : place.pos);
  const element = at === null ? null : view.nodeDOM(at);
  if (at === null || !(element instanceof HTMLElement)) return null;
  const block = element.getBoundingClientRect();
  const around = frame.getBoundingClientRect();
  return {
    at,
    left: block.left - around.left + frame.scrollLeft - handleWidth - 4,
    top: block.top - around.top + frame.scrollTop,
  };
}

function select({ view, state }: Editor, at: number): void {
  view.dispatch(state.tr.setSelection(NodeSelection.create(state.doc, at)));
  view.focus();
}

/** The editor moves what it finds in `dragging` to where it is dropped. */
function startDrag(editor: Editor, at: number, { dataTransfer }: DragEvent): void {
  const { view } = editor;
  select(editor, at);
  const slice = view.state.selection.content();
  const { dom, text } = view.serializeForClipboard(slice);
  dataTransfer.clearData();
  dataTransfer.setData('text/html', dom.innerHTML);
  dataTransfer.setData('text/plain', text);
  dataTransfer.effectAllowed = 'move';
  const element = view.nodeDOM(at);
  if (element instanceof HTMLElement) dataTransfer.setDragImage(element, 0, 0);
  view.dragging = { slice, move: true };
}
