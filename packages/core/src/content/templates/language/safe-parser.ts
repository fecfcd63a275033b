import type { PropertyAccessToken, TopLevelToken } from 'liquidjs';
import {
  type Context,
  defaultOperators,
  Expression,
  evalTokenValue,
  Parser,
  TagToken,
  Token,
  Tokenizer,
  TokenKind,
  TypeGuards,
} from 'liquidjs';
import { BLANKS, isBlank } from './blanks.ts';
import { MAX_DEPTH, UNITS_PER_ITEM } from './limits.ts';
import { noteName } from './noted-names.ts';
import { type Path, parsePath } from './paths.ts';
import { asRenderContext, type DirectTemplate } from './render-context.ts';

type Template = ReturnType<Parser['parseToken']>;

/** Largest number that can still be incremented; a range beyond it would never end in liquidjs. */
const MAX_RANGE_BOUND = Number.MAX_SAFE_INTEGER;

/** A range whose bounds are checked and whose size is charged before it is created. */
class BoundedRange extends Expression {
  private readonly low: Token;
  private readonly high: Token;

  constructor(low: Token, high: Token) {
    super([low]);
    this.low = low;
    this.high = high;
  }

  override *evaluate(ctx: Context): Generator<unknown, unknown, unknown> {
    const low = Number(yield evalTokenValue(this.low, ctx));
    const high = Number(yield evalTokenValue(this.high, ctx));
    if (Math.abs(low) > MAX_RANGE_BOUND || Math.abs(high) > MAX_RANGE_BOUND) {
      throw new RangeError('range out of bounds');
    }
    const { budget } = asRenderContext(ctx);
    budget.useMemory((high - low + 1) * UNITS_PER_ITEM);
    const items: number[] = [];
    for (let i = low; i <= high; i++) items.push(i);
    return items;
  }
}

/** A plain name that liquidjs would read in part only. */
class PlainName extends Expression {
  private readonly path: Path;

  constructor(path: Path) {
    super([]);
    this.path = path;
  }

  // biome-ignore lint/correctness/useYield: liquidjs calls every expression as a generator.
  override *evaluate(ctx: Context): Generator<unknown, unknown, unknown> {
    return asRenderContext(ctx).resolve(this.path);
  }
}

class ExpressionToken extends Token {
  readonly initial: Expression;
  readonly filters = [];

  constructor(initial: Expression, token: Pick<Token, 'input' | 'begin' | 'end' | 'file'>) {
    super(TokenKind.FilteredValue, token.input, token.begin, token.end, token.file);
    this.initial = initial;
  }
}

const WORD = new RegExp(`(?:(?![${BLANKS}])[\\w\\-.\\u0080-\\uffff])+`, 'y');
const BLANK_RUN = new RegExp(`[${BLANKS}]*`, 'y');
/** In `paid?. at`, which may be a name as well. */
const DOT_AND_BLANK = new RegExp(`^[^\\['"(]*\\.[${BLANKS}]`);
const OPERATOR_WORDS = new Set(['and', 'or', 'not', 'contains']);
const NUMBER = /^[+-]?\d+(\.\d*)?$/;

/** liquidjs's tokenizer with bounded ranges and plain names; what it would skip as not understood is an error. */
export class SafeTokenizer extends Tokenizer {
  /** Whether a comma may follow a value with its filters. */
  takesSeveral = false;

  override readGroupOrRange(): ReturnType<Tokenizer['readGroupOrRange']> {
    const token = super.readGroupOrRange();
    if (!token || !('lhs' in token)) return token;
    const { lhs, rhs } = token as unknown as { lhs: Token; rhs: Token };
    return new ExpressionToken(new BoundedRange(lhs, rhs), token);
  }

  override readValue(): ReturnType<Tokenizer['readValue']> {
    this.skipBlank();
    const begin = this.p;
    const end = this.endOfPlainName();
    const path = end === null ? null : parsePath(this.input.slice(begin, end));
    if (end === null || path === null) {
      const value = super.readValue();
      // liquidjs passes over a dot without a name before or after it.
      const endsInDot = this.p > begin && this.lastChar() === '.' && value?.kind !== TokenKind.Number;
      const isTorn = DOT_AND_BLANK.test(this.input.slice(begin, this.p));
      this.assert(
        this.input[begin] !== '.' && !endsInDot && !isTorn,
        'expected a name beside the dot',
        begin,
      );
      if (TypeGuards.isPropertyAccessToken(value)) noteName(pathOf(value));
      return value;
    }
    noteName(path);
    this.p = end;
    return new ExpressionToken(new PlainName(path), { input: this.input, begin, end, file: this.file });
  }

  /** Operands and operators by turns; liquidjs takes any order, and then ignores all but one operand. */
  override *readExpressionTokens(): IterableIterator<Token> {
    let needsOperand = true;
    let isEmpty = true;
    for (const token of super.readExpressionTokens()) {
      isEmpty = false;
      const isOperator = 'operator' in token;
      const isPrefix = isOperator && token.operator === 'not';
      const isExpected = isOperator ? isPrefix === needsOperand : needsOperand;
      this.assert(isExpected, () => `unexpected ${JSON.stringify(token.getText())}`, token.begin);
      needsOperand = isOperator;
      yield token;
    }
    this.assert(isEmpty || !needsOperand, 'expected a value');
  }

  override readFilteredValue(): ReturnType<Tokenizer['readFilteredValue']> {
    const value = super.readFilteredValue();
    this.skipBlank();
    if (!this.takesSeveral || this.peek() !== ',') this.assertEnd();
    return value;
  }

  /** liquidjs skips what stands before the end of an index or of one of several values. */
  override readTo(end: string): number {
    if (end === ']') this.assert(this.lastChar() !== '[', 'expected a key or an index');
    this.skipBlank();
    const isSeparator = end === ',' || end === 'or';
    const isThere = this.input.startsWith(end, this.p) && this.p < this.N;
    this.assert(
      isThere || (isSeparator && this.end()),
      () => `expected "${end}" instead of ${this.snapshot()}`,
    );
    return super.readTo(end);
  }

  /** Nothing is left over. */
  assertEnd(): void {
    this.skipBlank();
    this.assert(this.end(), 'expected "|" before filter');
  }

  /** The last character before here that is not blank. */
  private lastChar(): string {
    let at = this.p - 1;
    while (isBlank(this.input.charAt(at))) at--;
    return this.input.charAt(at);
  }

  /** Where words that are one name end; null if liquidjs reads what is here as a whole. */
  private endOfPlainName(): number | null {
    let end = this.p;
    let words = 0;
    for (let at = this.p; at < this.N; at = this.skipBlanksFrom(end)) {
      const word = this.wordAt(at);
      if (word === '' || (words > 0 && this.isKeyword(word, at + word.length))) break;
      if (words === 0 && OPERATOR_WORDS.has(word)) return null;
      end = at + word.length;
      words++;
      if (this.input.startsWith('..', end)) break;
    }
    const text = this.input.slice(this.p, end);
    if (words === 0 || (words === 1 && (!text.includes('.') || NUMBER.test(text)))) return null;
    const next = end < this.N ? this.input.charAt(end) : '';
    // liquidjs's names may also have `?`, and it reads keys in brackets.
    return next === '[' || (next === '?' && words === 1) ? null : end;
  }

  /** The word without a range's `..`. */
  private wordAt(at: number): string {
    WORD.lastIndex = at;
    const word = (WORD.exec(this.input)?.[0] ?? '').slice(0, this.N - at);
    const range = word.indexOf('..');
    return range === -1 ? word : word.slice(0, range);
  }

  /** Words that end a name: operators, and the options of loops and filters. */
  private isKeyword(word: string, end: number): boolean {
    if (OPERATOR_WORDS.has(word) || word === 'reversed') return true;
    const next = this.skipBlanksFrom(end);
    return this.input[next] === ':' && next < this.N;
  }

  private skipBlanksFrom(at: number): number {
    BLANK_RUN.lastIndex = at;
    BLANK_RUN.exec(this.input);
    return BLANK_RUN.lastIndex;
  }
}

/** What liquidjs read as names and keys, up to one that a value decides. */
function pathOf({ variable, props }: PropertyAccessToken): Path {
  const segments: string[] = [];
  for (const part of variable ? [variable, ...props] : props) {
    if (!('content' in part)) break;
    segments.push(String(part.content));
  }
  return { segments, names: null };
}

/** Tags that ignore what follows the part that they know. */
const HEADS = new Set(['for', 'tablerow', 'capture', 'increment', 'decrement']);

/** Parses tags with safe tokenizers, accepts finished text and outputs, and limits nesting to what can be rendered. */
export class TemplateParser extends Parser {
  private depth = 0;

  override parseTokens(tokens: TopLevelToken[]): ReturnType<Parser['parseTokens']> {
    return super.parseTokens(Array.isArray(tokens) ? asQueue(tokens) : tokens);
  }

  override parseToken(token: TopLevelToken, rest: TopLevelToken[]): Template {
    if (token instanceof ReadyToken) return token.template as unknown as Template;
    this.depth++;
    if (this.depth > MAX_DEPTH) throw new Error(`tags nested deeper than ${MAX_DEPTH}`);
    const template = super.parseToken(token, rest);
    if (token instanceof TagToken && HEADS.has(token.name)) (token.tokenizer as SafeTokenizer).assertEnd();
    this.depth--;
    return template;
  }
}

/** Every tag, including `when` and `elsif`, parses its arguments with the safe tokenizer. */
export function withSafeTokenizer(tag: TagToken): TagToken {
  const tokenizer = new SafeTokenizer(tag.input, defaultOperators, tag.file, tag.contentRange);
  tokenizer.takesSeveral = tag.name === 'cycle';
  tokenizer.readTagName();
  tokenizer.skipBlank();
  tag.tokenizer = tokenizer;
  return tag;
}

/** A token whose template exists already. */
export class ReadyToken extends Token {
  readonly template: DirectTemplate;

  constructor(template: DirectTemplate) {
    super(TokenKind.HTML, '', 0, 0);
    this.template = template;
  }
}

/**
 * The array interface that liquidjs's parser uses. `Array.shift` moves the rest of a long array, which would make
 * parsing a long template quadratic.
 */
export class TokenQueue {
  private next = 0;
  private readonly make: (index: number) => Token;
  private readonly count: number;

  constructor(count: number, make: (index: number) => Token) {
    this.count = count;
    this.make = make;
  }

  get length(): number {
    return this.count - this.next;
  }

  shift(): Token | undefined {
    return this.next < this.count ? this.make(this.next++) : undefined;
  }

  asTokens(): TopLevelToken[] {
    return this as unknown as TopLevelToken[];
  }
}

/** The lines of a `liquid` tag; each is a tag. */
function asQueue(tokens: TopLevelToken[]): TopLevelToken[] {
  return new TokenQueue(tokens.length, (index) => withSafeTokenizer(tokens[index] as TagToken)).asTokens();
}
