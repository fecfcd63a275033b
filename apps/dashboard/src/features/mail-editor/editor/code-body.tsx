import type { EmailContent } from '@postrider/core/content/templates/contract';
import type { SourcePosition } from '../../../lib/failure.ts';
import { CodeEditor } from '../../../ui/code-editor.tsx';
import { templateTexts } from '../content/content.rules.ts';
import { useVariables } from '../variables/use-variables.ts';
import { sampleData } from '../variables/variables.rules.ts';
import { completeLiquid } from './liquid-completion.rules.ts';

interface CodeBodyProps {
  content: EmailContent;
  onChange: (value: string) => void;
  /** Where the server found a syntax error. The caret is moved there for each new object. */
  problem: SourcePosition | null;
  /** Why the body cannot be rendered as it is now, and where. */
  failure: string | undefined;
  failurePlace: SourcePosition | null;
}

/** The body as HTML with Liquid. */
export function CodeBody({ content, ...props }: CodeBodyProps) {
  const variables = useVariables();
  const complete = (before: string) =>
    // The whole email is read only where a name is typed.
    completeLiquid(before, []) &&
    completeLiquid(before, [...variables, ...usedIn(content, before, variables)]);
  return (
    <CodeEditor
      {...props}
      name="body"
      label="Body"
      value={content.body}
      complete={complete}
      placeholder={'<h1>Hello {{firstName ?? there}}</h1>\n<p>…</p>'}
      hint="HTML with Liquid: {{variable}}, {{variable ?? fallback}}, {% if … %}."
    />
  );
}

/** The variables that the email uses elsewhere, without the one that is being typed. */
function usedIn(content: EmailContent, before: string, known: readonly string[]): string[] {
  const typed = /\w*$/.exec(before)?.[0];
  const names = new Set(known.map((variable) => variable.replace(/\s*\?\?.*$/, '')));
  return Object.keys(sampleData(templateTexts(content))).filter((name) => name !== typed && !names.has(name));
}
