import { lazy, Suspense } from 'react';
import styles from './code-compare.module.css';
import type { CodeCompareProps } from './code-compare-types.ts';
import { Skeleton } from './skeleton.tsx';

const CodeCompareEditor = lazy(async () => ({
  default: (await import('./code-compare-editor.tsx')).CodeCompareEditor,
}));

/** Two texts with their differences: side by side where there is space, otherwise one below the other. */
export function CodeCompare(props: CodeCompareProps) {
  if (props.left === props.right) return <p className={styles.same}>Both have the same code.</p>;
  return (
    <Suspense fallback={<Skeleton lines={12} label="Loading the comparison" />}>
      <CodeCompareEditor {...props} />
    </Suspense>
  );
}
