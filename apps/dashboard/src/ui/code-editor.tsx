import { lazy, Suspense } from 'react';
import styles from './code-editor.module.css';
import type { CodeEditorProps } from './code-editor-types.ts';
import { useField } from './field.tsx';
import { Skeleton } from './skeleton.tsx';

const CodeEditorView = lazy(async () => ({
  default: (await import('./code-editor-view.tsx')).CodeEditorView,
}));

/**
 * An editor of HTML with Liquid, as high as its container. The Tab key indents; Escape and then Tab leaves the editor.
 * The code is submitted by a hidden field, which drafts are restored into.
 */
export function CodeEditor(props: CodeEditorProps) {
  const { name, label, hint, failure, value, onChange } = props;
  const { control, notes } = useField({ name, label, hint, failure });
  const attributes = {
    id: control.id,
    'aria-label': label,
    'aria-multiline': 'true',
    'aria-describedby': [control['aria-describedby'], `${control.id}-keys`].filter(Boolean).join(' '),
    'data-field': name,
    ...(control['aria-invalid'] && { 'aria-invalid': 'true' }),
  };
  return (
    <div className={styles.field}>
      <Suspense fallback={<Skeleton lines={12} label="Loading the editor" />}>
        <CodeEditorView {...props} attributes={attributes} />
      </Suspense>
      <div className={styles.notes}>
        {notes}
        <p id={`${control.id}-keys`} className="visually-hidden">
          Tab indents. Press Escape and then Tab to leave the editor.
        </p>
      </div>
      <textarea hidden name={name} value={value} onChange={({ target }) => onChange(target.value)} />
    </div>
  );
}
