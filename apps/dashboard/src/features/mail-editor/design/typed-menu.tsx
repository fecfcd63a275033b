import type { Editor } from '@tiptap/core';
import { useEffect, useState } from 'react';
import { insertBlock, insertions, insertVariable } from './insertions.ts';
import styles from './typed-menu.module.css';

interface Choice {
  label: string;
  choose: () => void;
}

interface TypedMenuProps {
  editor: Editor;
  /** The names of the project's variables. */
  variables: readonly string[];
}

const shown = 8;

/** The menu at the cursor: blocks after `/` at the start of a text, variables after `{{`. */
export function TypedMenu({ editor, variables }: TypedMenuProps) {
  const [active, setActive] = useState(0);
  const [dismissed, setDismissed] = useState('');
  const typed = typedBefore(editor);
  const choices = typed && typed.text !== dismissed ? choicesFor(editor, typed, variables) : [];
  const current = choices.length === 0 ? -1 : Math.min(active, choices.length - 1);
  const text = typed?.text ?? '';
  useEffect(() => {
    if (text === '') setDismissed('');
    setActive(0);
  }, [text]);
  useEffect(() => {
    if (current < 0) return;
    const press = (event: KeyboardEvent) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step !== undefined) setActive((current + step + choices.length) % choices.length);
      else if (event.key === 'Enter' || event.key === 'Tab') choices[current]?.choose();
      else if (event.key === 'Escape') setDismissed(text);
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
    const { dom } = editor.view;
    dom.addEventListener('keydown', press, { capture: true });
    return () => dom.removeEventListener('keydown', press, { capture: true });
  });
  if (current < 0 || !typed) return null;
  const place = editor.view.coordsAtPos(typed.from);
  return (
    <div
      className={styles.menu}
      role="listbox"
      aria-label={typed.kind === 'block' ? 'Blocks' : 'Variables'}
      style={{ left: place.left, top: place.bottom + 4 }}
    >
      {choices.map(({ label, choose }, index) => (
        <div
          key={label}
          role="option"
          tabIndex={-1}
          aria-selected={index === current}
          className={styles.choice}
          onMouseDown={(event) => {
            event.preventDefault();
            choose();
          }}
        >
          {label}
        </div>
      ))}
    </div>
  );
}

interface Typed {
  kind: 'block' | 'variable';
  /** what was typed, with its sign */
  text: string;
  query: string;
  from: number;
  to: number;
}

function typedBefore({ isFocused, state: { selection } }: Editor): Typed | null {
  const { $from, empty } = selection;
  if (!isFocused || !empty || !$from.parent.isTextblock) return null;
  const before = $from.parent.textBetween(0, $from.parentOffset, undefined, '\uFFFC');
  const match = /(^\/|\{\{\s*)([\w.\s]{0,30})$/.exec(before);
  if (!match) return null;
  const [text, sign = '', query = ''] = match;
  return {
    kind: sign === '/' ? 'block' : 'variable',
    text,
    query: query.toLowerCase(),
    from: selection.from - text.length,
    to: selection.from,
  };
}

function choicesFor(
  editor: Editor,
  { kind, query, from, to }: Typed,
  variables: readonly string[],
): Choice[] {
  const clear = () => editor.chain().focus().deleteRange({ from, to }).run();
  const all: Choice[] =
    kind === 'block'
      ? insertions.map(({ label, node }) => ({
          label,
          choose() {
            clear();
            insertBlock(editor, node);
          },
        }))
      : variables.map((name) => ({
          label: name,
          choose() {
            clear();
            insertVariable(editor, name);
          },
        }));
  return all.filter(({ label }) => label.toLowerCase().includes(query)).slice(0, shown);
}
