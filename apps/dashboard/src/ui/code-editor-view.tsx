import { setDiagnostics } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import styles from './code-editor.module.css';
import { extensionsFor } from './code-editor-extensions.ts';
import type { CodeEditorProps } from './code-editor-types.ts';
import { type CodePlace, registerCode } from './code-handles.ts';

interface CodeEditorViewProps extends CodeEditorProps {
  /** Attributes of the element that is edited. */
  attributes: Record<string, string>;
}

export function CodeEditorView(props: CodeEditorViewProps) {
  const { name, value, attributes, problem, failure, failurePlace } = props;
  const place = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView | null>(null);
  const now = useRef(props);
  now.current = props;
  const own = useRef(value);

  useEffect(() => {
    if (place.current === null) return;
    const view = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc: own.current,
        extensions: extensionsFor({
          attributes: () => now.current.attributes,
          placeholder: now.current.placeholder ?? '',
          complete: (before) => now.current.complete(before),
          onChange: (text) => {
            own.current = text;
            now.current.onChange(text);
          },
        }),
      }),
    });
    editor.current = view;
    const forget = registerCode(name, {
      text: () => view.state.doc.toString(),
      selection: () => ({ start: view.state.selection.main.from, end: view.state.selection.main.to }),
      replace: ({ start, end }, insert) =>
        view.dispatch({
          changes: { from: start, to: end, insert },
          selection: { anchor: start + insert.length },
          scrollIntoView: true,
          userEvent: 'input',
        }),
      jumpTo: (target) => {
        jump(view, target);
        view.focus();
      },
    });
    return () => {
      forget();
      editor.current = null;
      view.destroy();
    };
  }, [name]);

  useEffect(() => {
    const view = editor.current;
    if (view === null || value === own.current) return;
    own.current = value;
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: value }, userEvent: 'input' });
  }, [value]);

  const written = JSON.stringify(attributes);
  // biome-ignore lint/correctness/useExhaustiveDependencies: an empty transaction reads the attributes again
  useEffect(() => editor.current?.dispatch({}), [written]);

  const { line, column } = failurePlace ?? {};
  useEffect(() => {
    const view = editor.current;
    if (view === null) return;
    const isMarked = failure !== undefined && line !== undefined && column !== undefined;
    const from = isMarked ? offsetOf(view.state, { line, column }) : 0;
    const marks = isMarked
      ? [{ from, to: view.state.doc.lineAt(from).to, severity: 'error' as const, message: failure }]
      : [];
    view.dispatch(setDiagnostics(view.state, marks));
  }, [failure, line, column]);

  useEffect(() => {
    if (editor.current && problem) jump(editor.current, problem);
  }, [problem]);

  return <div ref={place} className={styles.editor} />;
}

/** The offset of a place, which may be beyond the end of the text or of its line. */
function offsetOf({ doc }: EditorState, { line, column }: CodePlace): number {
  const found = doc.line(Math.min(Math.max(line, 1), doc.lines));
  return Math.min(found.from + Math.max(column, 1) - 1, found.to);
}

function jump(view: EditorView, place: CodePlace): void {
  const anchor = offsetOf(view.state, place);
  view.dispatch({
    selection: { anchor },
    effects: EditorView.scrollIntoView(anchor, { y: 'center' }),
  });
}
