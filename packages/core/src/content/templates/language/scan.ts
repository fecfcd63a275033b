import { isBlank } from './blanks.ts';
import { TemplateSyntaxError } from './errors.ts';
import { MAX_MARKUP_LENGTH, MAX_MARKUPS } from './limits.ts';

/** Literal text. */
export interface TextNode {
  readonly kind: 'text';
  text: string;
}

/** One `{{ … }}` or `{% … %}`, entities decoded. */
export interface MarkupNode {
  readonly kind: 'output' | 'tag';
  /** The whole element, delimiters included. */
  readonly markup: string;
  /** Its offset in the source. */
  readonly at: number;
  /** Positions where decoded text and source diverge: pairs of (offset in `markup`, offset in the source), ascending. */
  readonly shifts: readonly (readonly [number, number])[];
}

export type SourceNode = TextNode | MarkupNode;

/** The offset in the source of an offset in a node's `markup`. */
export function sourceOffset(node: MarkupNode, offset: number): number {
  let [decoded, source] = [0, node.at];
  for (const shift of node.shifts) {
    if (shift[0] > offset) break;
    [decoded, source] = shift;
  }
  return source + offset - decoded;
}

const ENTITY = /&(?:lt|gt|quot|#34|#39|apos|amp|nbsp|#160);/y;
const ENTITIES: Record<string, string> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#34;': '"',
  '&#39;': "'",
  '&apos;': "'",
  '&amp;': '&',
  '&nbsp;': '\u00a0',
  '&#160;': '\u00a0',
};
const WORD_BEFORE_QUOTE = /[\p{L}\p{N}_]/u;
const RAW_TAG = /^\{%-?\s*raw[\s%-]/;
const END_RAW = /\{%(-?)\s*endraw\s*(-?)%\}/g;
const COMMENT_TAG = /^\{%-?\s*comment[^\w-]/;
const END_COMMENT_TAG = /^\{%-?\s*endcomment[^\w-]/;

/** Splits a source into text, outputs and tags; `{% raw %}` becomes text, comments are dropped. */
export function scan(source: string): SourceNode[] {
  return new Scanner(source).run();
}

class Scanner {
  private readonly nodes: SourceNode[] = [];
  private readonly source: string;
  private position = 0;
  private markups = 0;
  private trimNext = false;
  private comment: MarkupNode | null = null;

  constructor(source: string) {
    this.source = source;
  }

  run(): SourceNode[] {
    while (this.position < this.source.length) {
      const open = this.findMarkup();
      if (open > this.position) this.addText(this.source.slice(this.position, open), open);
      if (open === this.source.length) break;
      this.addMarkup(open);
    }
    if (this.comment) throw this.errorAt(this.comment.at, `tag ${this.comment.markup} not closed`);
    return this.nodes;
  }

  private findMarkup(): number {
    let at = this.source.indexOf('{', this.position);
    while (at !== -1) {
      const next = this.source[at + 1];
      if (next === '{' || next === '%') return at;
      at = this.source.indexOf('{', at + 1);
    }
    return this.source.length;
  }

  private addText(text: string, end: number): void {
    const trimRight = end < this.source.length && this.source[end + 2] === '-';
    let from = 0;
    let to = text.length;
    if (this.trimNext) while (from < to && isBlank(text.charAt(from))) from++;
    if (trimRight) while (to > from && isBlank(text.charAt(to - 1))) to--;
    this.trimNext = false;
    this.pushText(text.slice(from, to));
  }

  private pushText(text: string): void {
    if (text === '' || this.comment) return;
    const last = this.nodes.at(-1);
    if (last?.kind === 'text') last.text += text;
    else this.nodes.push({ kind: 'text', text });
  }

  private addMarkup(open: number): void {
    if (++this.markups > MAX_MARKUPS) throw this.errorAt(open, `more than ${MAX_MARKUPS} outputs and tags`);
    const isOutput = this.source[open + 1] === '{';
    const node = isOutput ? this.readOutput(open) : this.readTag(open);
    this.trimNext = node.markup.at(-3) === '-' && node.markup.length > 4;
    if (!isOutput && RAW_TAG.test(node.markup)) {
      this.addRaw(node);
      return;
    }
    if (this.comment) {
      if (!isOutput && END_COMMENT_TAG.test(node.markup)) this.comment = null;
      return;
    }
    if (!isOutput && COMMENT_TAG.test(node.markup)) {
      this.comment = node;
      return;
    }
    this.nodes.push(node);
  }

  private addRaw(node: MarkupNode): void {
    END_RAW.lastIndex = this.position;
    const end = END_RAW.exec(this.source);
    if (!end) throw this.errorAt(node.at, `raw ${node.markup} not closed`);
    this.pushText(this.source.slice(this.position, end.index));
    this.position = end.index + end[0].length;
    this.trimNext = end[2] === '-';
  }

  private readTag(open: number): MarkupNode {
    const close = this.source.indexOf('%}', open + 2);
    if (close === -1) throw this.notClosed('tag', open);
    const inner = this.source.slice(open + 2, close);
    return this.finish('tag', open, close, inner.includes('&') ? this.decode(open, close) : null);
  }

  /** `}}` within quotes does not end an output; an apostrophe within a word does not open a quote. */
  private readOutput(open: number): MarkupNode {
    const simpleEnd = this.source.indexOf('}}', open + 2);
    if (simpleEnd === -1) throw this.notClosed('output', open);
    if (!/["'&]/.test(this.source.slice(open + 2, simpleEnd)))
      return this.finish('output', open, simpleEnd, null);

    const decoder = new Decoder(open + 2);
    let quote = '';
    let escaped = false;
    for (let at = open + 2; at < this.source.length && at - open < MAX_MARKUP_LENGTH; ) {
      if (quote === '' && this.source.startsWith('}}', at)) {
        return this.finish('output', open, at, decoder);
      }
      const before = decoder.last;
      const char = decoder.read(this.source, at);
      at = decoder.position;
      if (escaped) escaped = false;
      else if (quote !== '' && char === '\\') escaped = true;
      else if (char === quote) quote = '';
      else if (quote === '' && (char === '"' || char === "'") && !WORD_BEFORE_QUOTE.test(before))
        quote = char;
    }
    throw this.notClosed('output', open);
  }

  private decode(open: number, close: number): Decoder {
    const decoder = new Decoder(open + 2);
    while (decoder.position < close) decoder.read(this.source, decoder.position);
    return decoder;
  }

  private finish(kind: 'output' | 'tag', open: number, close: number, decoder: Decoder | null): MarkupNode {
    if (close - open > MAX_MARKUP_LENGTH) {
      throw this.errorAt(open, `${kind} longer than ${MAX_MARKUP_LENGTH} characters`);
    }
    this.position = close + 2;
    if (!decoder) return { kind, markup: this.source.slice(open, close + 2), at: open, shifts: [] };
    const [left, right] = kind === 'output' ? ['{{', '}}'] : ['{%', '%}'];
    return { kind, markup: `${left}${decoder.text}${right}`, at: open, shifts: decoder.shifts };
  }

  private notClosed(kind: string, open: number): TemplateSyntaxError {
    const snippet = this.source.slice(open, open + 32);
    return this.errorAt(open, `${kind} ${JSON.stringify(snippet)} not closed`);
  }

  private errorAt(offset: number, message: string): TemplateSyntaxError {
    return TemplateSyntaxError.at(this.source, offset, message);
  }
}

/** HTML editors escape text typed between braces. This decodes it once and records where the text became shorter. */
class Decoder {
  /** The last character read; reading it from the growing string would flatten the string each time. */
  last = ' ';
  private readonly chars: string[] = [];
  readonly shifts: [number, number][] = [];
  position: number;

  constructor(position: number) {
    this.position = position;
  }

  read(source: string, at: number): string {
    let char = source.charAt(at);
    let length = 1;
    if (char === '&') {
      ENTITY.lastIndex = at;
      const entity = ENTITY.exec(source)?.[0];
      if (entity) [char, length] = [ENTITIES[entity] ?? entity, entity.length];
    }
    this.chars.push(char);
    this.last = char;
    this.position = at + length;
    // The two characters of the opening delimiter come before the decoded text.
    if (length > 1) this.shifts.push([this.chars.length + 2, this.position]);
    return char;
  }

  get text(): string {
    return this.chars.join('');
  }
}
