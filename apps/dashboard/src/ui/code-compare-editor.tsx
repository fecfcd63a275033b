import { html } from '@codemirror/lang-html';
import { MergeView, unifiedMergeView } from '@codemirror/merge';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView, lineNumbers } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { useWidth } from '../lib/use-width.ts';
import styles from './code-compare.module.css';
import type { CodeCompareProps } from './code-compare-types.ts';

/** Below this width in pixels, lines of two columns would be too short to read. */
const narrowest = 720;
const collapseUnchanged = { margin: 3, minSize: 6 };

const look = EditorView.theme({
  '&': { color: 'var(--ink)', backgroundColor: 'var(--surface)', fontSize: '0.8125rem' },
  '&.cm-focused': { outline: '2px solid var(--focus)', outlineOffset: '-2px' },
  '.cm-content': { fontFamily: 'var(--font-code)', lineHeight: '1.55' },
  '.cm-gutters': {
    color: 'var(--ink-faint)',
    backgroundColor: 'var(--sunken)',
    borderRight: '1px solid var(--line)',
  },
  '.cm-collapsedLines': {
    color: 'var(--ink-soft)',
    background: 'var(--sunken)',
    padding: '0.2rem 0.75rem',
  },
  '&.cm-merge-a .cm-changedLine, .cm-deletedChunk': { backgroundColor: 'var(--bad-tint)' },
  '&.cm-merge-b .cm-changedLine, .cm-insertedLine': { backgroundColor: 'var(--good-tint)' },
  '&.cm-merge-a .cm-changedText, .cm-deletedChunk .cm-deletedText': {
    background: 'color-mix(in srgb, var(--bad) 26%, transparent)',
  },
  '&.cm-merge-b .cm-changedText': { background: 'color-mix(in srgb, var(--good) 26%, transparent)' },
});

const readOnly = (label: string): Extension => [
  lineNumbers(),
  html(),
  look,
  EditorView.lineWrapping,
  EditorState.readOnly.of(true),
  EditorView.editable.of(false),
  EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
];

export function CodeCompareEditor({ labels, left, right }: CodeCompareProps) {
  const [frame, width] = useWidth<HTMLDivElement>(narrowest);
  const place = useRef<HTMLDivElement>(null);
  const isWide = width >= narrowest;
  const [leftLabel, rightLabel] = labels;
  useEffect(() => {
    if (place.current === null) return;
    // In a shadow root, the styles of the editor are a constructed sheet, which any policy for styles permits.
    const root = place.current.shadowRoot ?? place.current.attachShadow({ mode: 'open' });
    const view = isWide
      ? new MergeView({
          root,
          parent: root,
          a: { doc: left, extensions: readOnly(leftLabel) },
          b: { doc: right, extensions: readOnly(rightLabel) },
          collapseUnchanged,
        })
      : new EditorView({
          root,
          parent: root,
          doc: right,
          extensions: [
            readOnly(`${rightLabel} compared with ${leftLabel}`),
            unifiedMergeView({ original: left, mergeControls: false, collapseUnchanged }),
          ],
        });
    return () => view.destroy();
  }, [isWide, left, right, leftLabel, rightLabel]);
  return (
    <div ref={frame}>
      {isWide ? (
        <div className={styles.labels} aria-hidden="true">
          <span>{leftLabel}</span>
          <span>{rightLabel}</span>
        </div>
      ) : (
        <p className={styles.unified}>
          <span>− only in {leftLabel}</span>
          <span>+ only in {rightLabel}</span>
        </p>
      )}
      <div ref={place} className={styles.place} />
    </div>
  );
}
