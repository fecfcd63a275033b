import type { CodePlace } from './code-handles.ts';

export interface CodeOption {
  label: string;
  kind: 'variable' | 'filter' | 'tag';
  /** What closes the markup is added after it where it does not follow yet. */
  isWhole?: true;
}

export interface CodeCompletion {
  /** Where the text that an option replaces begins, as an offset in the text that was given. */
  from: number;
  options: readonly CodeOption[];
  /** What closes the markup that the text ends in. */
  close: string;
}

export interface CodeEditorProps {
  /** Name of the field that submits the code. */
  name: string;
  label: string;
  hint?: string;
  placeholder?: string;
  value: string;
  onChange: (value: string) => void;
  /** The position of an error of a submit. The caret is moved there for each new object. */
  problem?: CodePlace | null;
  /** An error found while typing. The caret is not moved. */
  failure?: string | undefined;
  /** Where that error is; it is marked there. */
  failurePlace?: CodePlace | null;
  /** What may be typed after a text. */
  complete: (before: string) => CodeCompletion | null;
}
