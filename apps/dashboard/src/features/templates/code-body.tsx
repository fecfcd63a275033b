import type { SourcePosition } from '../../lib/failure.ts';
import { CodeField } from '../../ui/code-field.tsx';

interface CodeBodyProps {
  value: string;
  onChange: (value: string) => void;
  /** Where the server found a syntax error. The caret is moved there for each new object. */
  problem: SourcePosition | null;
  /** Why the body cannot be rendered as it is now, and in which line. */
  failure: string | undefined;
  failureLine: number | undefined;
}

/** The body as HTML with Liquid. */
export const CodeBody = (props: CodeBodyProps) => (
  <CodeField
    {...props}
    name="body"
    label="Body"
    required
    placeholder={'<h1>Hello {{name ?? there}}</h1>\n<p>…</p>'}
    hint="HTML with Liquid: {{variable}}, {{variable ?? fallback}}, {% if … %}."
  />
);
