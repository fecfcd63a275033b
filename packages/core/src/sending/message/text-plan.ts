import type { PlanPart } from './encoded-plan.ts';
import { readHtml } from './plain-text.ts';
import { asNarrow, encodeQuotedPrintable } from './quoted-printable.ts';
import { collapse, type Pending, type TextSink, TextWriter, type Words } from './text-writer.ts';

type Operation =
  | { readonly kind: 'text'; readonly text: PlanPart; readonly isPreformatted: boolean }
  | { readonly kind: 'words'; readonly words: Words }
  | { readonly kind: 'break'; readonly count: 1 | 2 }
  | { readonly kind: 'endLine' }
  | { readonly kind: 'prefix'; readonly mark: string }
  | { readonly kind: 'linkStart'; readonly url: PlanPart }
  | { readonly kind: 'linkEnd' }
  | Solid;

/** Text between gaps that all recipients share, its middle already encoded. */
interface Solid {
  readonly kind: 'solid';
  readonly head: string;
  readonly encoded: string;
  readonly tail: string;
  readonly pending: Pending;
}

/** The plain-text part of a template, to be filled in for each recipient. */
export class TextPlan {
  private readonly operations: readonly Operation[];
  /** The number of marks seen; the caller checks that none was lost. */
  readonly gaps: number;

  /** `html` has one mark for each gap; `gapOf` returns the index of a mark's value, counted from the start. */
  constructor(html: string, marks: string, gapOf: (count: number) => number) {
    const recorder = new Recorder(marks, gapOf);
    readHtml(html, recorder);
    this.gaps = recorder.count;
    this.operations = solidify(recorder.operations);
  }

  /** The part in quoted-printable. */
  fill(values: readonly string[]): string {
    const writer = new TextWriter();
    let encoded = '';
    for (const operation of this.operations) {
      if (operation.kind !== 'solid') {
        apply(operation, writer, values);
        continue;
      }
      if (operation.encoded !== '') {
        encoded += encodeQuotedPrintable(writer.out + operation.head) + operation.encoded;
        writer.out = operation.tail;
        writer.append('', operation.pending);
      } else {
        writer.append(operation.head, operation.pending);
      }
    }
    const rest = encoded === '' ? writer.finish() : `${writer.out}\n`;
    return encoded + encodeQuotedPrintable(rest);
  }
}

function apply(
  operation: Exclude<Operation, Solid>,
  writer: TextWriter,
  values: readonly string[] = [],
): void {
  switch (operation.kind) {
    case 'text':
      writer.text(valueAt(operation.text, values), operation.isPreformatted);
      break;
    case 'words':
      writer.words(operation.words);
      break;
    case 'break':
      writer.breakLines(operation.count);
      break;
    case 'endLine':
      writer.endLine();
      break;
    case 'prefix':
      writer.prefix(operation.mark);
      break;
    case 'linkStart':
      writer.linkStart(valueAt(operation.url, values));
      break;
    case 'linkEnd':
      writer.linkEnd();
      break;
  }
}

function valueAt(part: PlanPart, values: readonly string[]): string {
  return typeof part === 'string' ? part : (values[part] ?? '');
}

/** Records the write operations, split at the marks. */
class Recorder implements TextSink {
  readonly operations: Exclude<Operation, Solid>[] = [];
  count = 0;
  private readonly marks: string;
  private readonly gapOf: (count: number) => number;

  constructor(marks: string, gapOf: (count: number) => number) {
    this.marks = marks;
    this.gapOf = gapOf;
  }

  text(text: string, isPreformatted: boolean): void {
    for (const part of this.split(text)) {
      if (typeof part === 'number' || isPreformatted) {
        this.operations.push({ kind: 'text', text: part, isPreformatted });
      } else {
        this.operations.push({ kind: 'words', words: collapse(part) });
      }
    }
  }

  breakLines(count: 1 | 2): void {
    this.operations.push({ kind: 'break', count });
  }

  endLine(): void {
    this.operations.push({ kind: 'endLine' });
  }

  prefix(mark: string): void {
    this.operations.push({ kind: 'prefix', mark });
  }

  linkStart(url: string): void {
    // A gap in a URL is the whole URL.
    this.operations.push({ kind: 'linkStart', url: this.split(url)[0] ?? '' });
  }

  linkEnd(): void {
    this.operations.push({ kind: 'linkEnd' });
  }

  skip(words: string): void {
    this.split(words);
  }

  private split(text: string): PlanPart[] {
    const parts: PlanPart[] = [];
    let from = 0;
    for (let at = 0; at < text.length; at++) {
      if (!this.marks.includes(text.charAt(at))) continue;
      if (at > from) parts.push(asNarrow(text.slice(from, at)));
      parts.push(this.gapOf(this.count++));
      from = at + 1;
    }
    if (from < text.length) parts.push(asNarrow(text.slice(from)));
    return parts;
  }
}

/** Replaces runs of operations without gaps by their text, from the first written words on. */
function solidify(operations: readonly Exclude<Operation, Solid>[]): Operation[] {
  const result: Operation[] = [];
  let run: Exclude<Operation, Solid>[] = [];
  let inLink = false;
  const flush = (): void => {
    for (const operation of solidifyRun(run)) result.push(operation);
    run = [];
  };
  for (let i = 0; i < operations.length; i++) {
    const operation = operations[i];
    if (!operation) continue;
    const isEdge = isLinkWithGap(operations, i);
    if (isEdge || inLink || isGap(operation)) {
      flush();
      result.push(operation);
      if (isEdge) inLink = operation.kind === 'linkStart';
    } else {
      run.push(operation);
    }
  }
  flush();
  return result;
}

function isGap(operation: Operation): boolean {
  return (
    (operation.kind === 'text' && typeof operation.text === 'number') ||
    (operation.kind === 'linkStart' && typeof operation.url === 'number')
  );
}

/** Whether this begins or ends a link that contains a gap; the start of its words is known only when it is filled. */
function isLinkWithGap(operations: readonly Operation[], index: number): boolean {
  const kind = operations[index]?.kind;
  if (kind !== 'linkStart' && kind !== 'linkEnd') return false;
  const step = kind === 'linkStart' ? 1 : -1;
  const other = kind === 'linkStart' ? 'linkEnd' : 'linkStart';
  for (let i = index; i >= 0 && i < operations.length; i += step) {
    const operation = operations[i];
    if (operation && isGap(operation)) return true;
    if (operation?.kind === other) return false;
  }
  return false;
}

function solidifyRun(run: readonly Exclude<Operation, Solid>[]): Operation[] {
  const from = firstKnownState(run);
  if (from === -1) return [...run];
  const before = new TextWriter();
  before.startAfterWords();
  for (const operation of run.slice(0, from)) apply(operation, before);

  const writer = new TextWriter();
  writer.startAfterWords();
  writer.append('', before.unwritten);
  for (const operation of run.slice(from)) apply(operation, writer);
  const text = writer.out;
  if (text === '') return [...run];

  const first = text.indexOf('\n') + 1;
  const last = text.lastIndexOf('\n') + 1;
  const hasMiddle = last > first;
  const solid: Solid = {
    kind: 'solid',
    head: asNarrow(hasMiddle ? text.slice(0, first) : text),
    encoded: hasMiddle ? asNarrow(encodeQuotedPrintable(text, first, last)) : '',
    tail: hasMiddle ? asNarrow(text.slice(last)) : '',
    pending: { ...writer.unwritten },
  };
  return [...run.slice(0, from), solid];
}

/** The index after the first operation outside a link that certainly wrote words: earlier operations no longer matter. */
function firstKnownState(run: readonly Exclude<Operation, Solid>[]): number {
  let wrote = false;
  let linkDepth = 0;
  for (let i = 0; i < run.length; i++) {
    const operation = run[i];
    if (operation?.kind === 'linkStart') linkDepth++;
    if (operation?.kind === 'linkEnd') {
      // Its words or, without any, its URL.
      wrote = true;
      linkDepth = 0;
    }
    if (operation?.kind === 'text' || (operation?.kind === 'words' && operation.words.words !== ''))
      wrote = true;
    if (wrote && linkDepth === 0) return i + 1;
  }
  return -1;
}
