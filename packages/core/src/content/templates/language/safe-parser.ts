import type { TopLevelToken } from 'liquidjs';
import {
  type Context,
  defaultOperators,
  Expression,
  evalTokenValue,
  Parser,
  type TagToken,
  Token,
  Tokenizer,
  TokenKind,
} from 'liquidjs';
import { MAX_DEPTH, UNITS_PER_ITEM } from './limits.ts';
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

class ExpressionToken extends Token {
  readonly initial: Expression;
  readonly filters = [];

  constructor(initial: Expression, token: Token) {
    super(TokenKind.FilteredValue, token.input, token.begin, token.end, token.file);
    this.initial = initial;
  }
}

/** liquidjs's tokenizer with bounded ranges. */
export class SafeTokenizer extends Tokenizer {
  override readGroupOrRange(): ReturnType<Tokenizer['readGroupOrRange']> {
    const token = super.readGroupOrRange();
    if (!token || !('lhs' in token)) return token;
    const { lhs, rhs } = token as unknown as { lhs: Token; rhs: Token };
    return new ExpressionToken(new BoundedRange(lhs, rhs), token);
  }
}

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
    this.depth--;
    return template;
  }
}

/** Every tag, including `when` and `elsif`, parses its arguments with the safe tokenizer. */
export function withSafeTokenizer(tag: TagToken): TagToken {
  const tokenizer = new SafeTokenizer(tag.input, defaultOperators, tag.file, tag.contentRange);
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
