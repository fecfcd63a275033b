/** A range of a text, in UTF-16 code units. */
export interface CodeRange {
  start: number;
  end: number;
}

/** A position in a text, line and column from 1. */
export interface CodePlace {
  line: number;
  column: number;
}

/** What others may do with a code editor. */
export interface CodeHandle {
  text(): string;
  selection(): CodeRange;
  /** Replaces a range as if it were typed, so that it can be undone, and moves the caret behind it. */
  replace(range: CodeRange, text: string): void;
  /** Moves the focus and the caret to a place, and scrolls it into view. */
  jumpTo(place: CodePlace): void;
}

const handles = new Map<string, CodeHandle>();

/** Makes an editor known by the name of its field. @returns what makes it unknown again */
export function registerCode(name: string, handle: CodeHandle): () => void {
  handles.set(name, handle);
  return () => {
    if (handles.get(name) === handle) handles.delete(name);
  };
}

/** The code editor that is shown for a field; null where there is none, or not yet. */
export const codeNamed = (name: string): CodeHandle | null => handles.get(name) ?? null;
