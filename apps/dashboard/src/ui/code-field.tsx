import { type RefObject, useEffect, useRef } from 'react';
import styles from './code-field.module.css';
import { useField } from './field.tsx';

interface CodeFieldProps {
  name: string;
  label: string;
  hint?: string;
  value: string;
  onChange: (value: string) => void;
  placeholder?: string;
  required?: boolean;
  /** The position of an error, line and column from 1. The caret is moved there. */
  problem?: { line: number; column: number } | null;
  /** An error found while typing. Its line is marked; the caret is not moved. */
  failure?: string | undefined;
  failureLine?: number | undefined;
}

/** Source code with line numbers, as high as its container. Lines are not wrapped, so that numbers stay beside their lines. */
export function CodeField({
  name,
  label,
  hint,
  value,
  onChange,
  problem,
  failure,
  failureLine,
  ...rest
}: CodeFieldProps) {
  const { control, notes } = useField({ name, label, hint, failure });
  const area = useRef<HTMLTextAreaElement>(null);
  const gutter = useRef<HTMLDivElement>(null);
  useCaretAt(area, problem ?? null);
  const count = value.split('\n').length;
  const line = problem?.line ?? failureLine ?? count + 1;
  const marked = Math.min(line, count + 1);
  return (
    <div className={styles.field}>
      <div className={styles.editor}>
        <div ref={gutter} className={styles.gutter} aria-hidden="true">
          {numbers(1, marked - 1)}
          {marked <= count && <span className={styles.marked}>{marked}</span>}
          {numbers(marked + 1, count)}
        </div>
        <textarea
          {...rest}
          {...control}
          aria-label={label}
          ref={area}
          className={styles.area}
          wrap="off"
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
          value={value}
          onChange={({ target }) => onChange(target.value)}
          onScroll={({ currentTarget }) => {
            if (gutter.current) gutter.current.scrollTop = currentTarget.scrollTop;
          }}
        />
      </div>
      <div className={styles.notes}>{notes}</div>
    </div>
  );
}

/** One string: a long email has thousands of lines, and an element per line would be rendered on every keystroke. */
const numbers = (first: number, last: number): string =>
  Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => `${first + index}\n`).join('');

const linesAbove = 3;

/** Moves the caret to the problem whenever a new one is given. */
function useCaretAt(
  area: RefObject<HTMLTextAreaElement | null>,
  problem: { line: number; column: number } | null,
) {
  useEffect(() => {
    const element = area.current;
    if (element === null || problem === null) return;
    const before = element.value.split('\n').slice(0, problem.line - 1);
    const start = before.reduce((sum, line) => sum + line.length + 1, 0) + problem.column - 1;
    element.setSelectionRange(start, start);
    const height = Number.parseFloat(getComputedStyle(element).lineHeight);
    element.scrollTop = Math.max(0, problem.line - linesAbove) * height;
  }, [area, problem]);
}
