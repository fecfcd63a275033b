import type { FilterImplOptions, Operators, TopLevelToken } from 'liquidjs';
import {
  Context,
  CycleTag,
  type Drop,
  defaultOperators,
  Expression,
  evalToken,
  evalTokenValue,
  Liquid,
  Parser,
  filters as standardFilters,
  Tag,
  type TagToken,
  Token,
  Tokenizer,
  TokenKind,
  toValue,
  toValueSync,
  Value,
} from 'liquidjs';
import { MAX_DEPTH, MAX_SOURCE_LENGTH, type RenderBudget, UNITS_PER_ITEM } from './limits.ts';
import { resolveFlatKey } from './paths.ts';
import { formatRaw, formatValue, type OutputMode } from './values.ts';

type Emitter = Parameters<Tag['render']>[1];
type Limiter = Context['memoryLimit'];
type Scope = Record<string, unknown>;
type Template = ReturnType<Parser['parseToken']>;

/** Largest number that can still be counted up by one; a range beyond it would never end in liquidjs. */
const MAX_RANGE_BOUND = Number.MAX_SAFE_INTEGER;
/** Haystack × needle of one search; more could take seconds in the worst case. */
const MAX_SEARCH_WORK = 100_000_000;
/** Longest date format: each `%c` formats by locale, which is slow. */
const MAX_DATE_FORMAT = 200;

/** One rendering: the variables, what may still be used, and how values are written. */
export class RenderContext extends Context {
  readonly budget: RenderBudget;
  readonly mode: OutputMode;
  readonly vars: Scope;
  /** Whether an array was written; lists look different in plain text. */
  sawList = false;
  private readonly own: { scopes: Scope[] };

  constructor(vars: Scope, mode: OutputMode, budget: RenderBudget) {
    const limits = { use: (n: number) => budget.useMemory(n), check: () => budget.checkTime() };
    const limiter = limits as unknown as Limiter;
    super(
      vars,
      engine.options,
      { sync: true },
      { memoryLimit: limiter, renderLimit: limiter, liquid: engine },
    );
    this.vars = vars;
    this.mode = mode;
    this.budget = budget;
    this.own = this as unknown as { scopes: Scope[] };
  }

  /** Finds the innermost scope that has the name: loops, then assigned names, then the variables. */
  scopeOf(name: string): Scope {
    const { scopes } = this.own;
    for (let i = scopes.length - 1; i >= 0; i--) {
      const scope = scopes[i];
      if (scope && name in scope) return scope;
    }
    return this.vars;
  }

  get depth(): number {
    return this.own.scopes.length;
  }

  /** A tag that fails half way leaves its scopes behind. */
  unwind(depth: number): void {
    this.own.scopes.length = depth;
  }

  format(value: unknown): string {
    if (Array.isArray(value)) {
      this.sawList = true;
      this.budget.useValue(value);
    }
    return formatValue(value, this.mode);
  }

  override *_get(path: (string | number | Drop)[]): IterableIterator<unknown> {
    const value: unknown = yield super._get(path);
    if (value !== undefined || path.length < 2) return value;
    return resolveFlatKey(this.vars, path as (string | number)[]);
  }

  override readProperty(holder: Scope, key: string | number | Drop): unknown {
    this.budget.countRead();
    return super.readProperty(holder, key);
  }

  override spawn(scope: object = {}): Context {
    return new RenderContext(Object(scope), this.mode, this.budget);
  }
}

/** What is written by the template itself, counted; a capture counts as memory, the part as output. */
export class CountingEmitter implements Emitter {
  buffer = '';
  private readonly budget: RenderBudget;
  private readonly isCapture: boolean;

  constructor(budget: RenderBudget, isCapture: boolean) {
    this.budget = budget;
    this.isCapture = isCapture;
  }

  write(value: unknown): void {
    const text = typeof value === 'string' ? value : formatRaw(toValue(value));
    if (this.isCapture) this.budget.useMemory(text.length);
    else this.budget.useOutput(text.length);
    this.buffer += text;
  }
}

/** A piece of a template that writes itself without a generator; liquidjs's own tags stay generators. */
export interface DirectTemplate {
  writeTo(ctx: RenderContext, emitter: Emitter): void;
}

function isDirect(template: object): template is DirectTemplate {
  return 'writeTo' in template;
}

/**
 * Renders one piece after another. A piece that fails (a filter given what it cannot read) is left out, the mail is
 * still made; only a used-up budget ends the rendering.
 */
function* renderTemplates(
  templates: readonly object[],
  context: Context,
  target?: Emitter,
): IterableIterator<unknown> {
  const ctx = asRenderContext(context);
  const emitter = target ?? new CountingEmitter(ctx.budget, true);
  const { depth } = ctx;
  for (const template of templates) {
    ctx.budget.checkTime();
    try {
      if (isDirect(template)) {
        template.writeTo(ctx, emitter);
        continue;
      }
      const html: unknown = yield (template as Tag).render(ctx, emitter);
      if (html) emitter.write(html);
    } catch (error) {
      if (ctx.budget.exceeded) throw error;
      ctx.unwind(depth);
    }
    if (ctx.breakCalled || ctx.continueCalled) break;
  }
  return emitter.buffer;
}

function asRenderContext(context: Context): RenderContext {
  if (context instanceof RenderContext) return context;
  throw new TypeError('Templates are rendered within a RenderContext only.');
}

/** A range whose bounds are checked and which is charged before it is made. */
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

/** liquidjs's tokenizer with ranges that end. */
export class SafeTokenizer extends Tokenizer {
  override readGroupOrRange(): ReturnType<Tokenizer['readGroupOrRange']> {
    const token = super.readGroupOrRange();
    if (!token || !('lhs' in token)) return token;
    const { lhs, rhs } = token as unknown as { lhs: Token; rhs: Token };
    return new ExpressionToken(new BoundedRange(lhs, rhs), token);
  }
}

/** Reads tags with safe tokenizers, our own text and outputs as they are, and no deeper than can be rendered. */
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

/** Every tag, `when` and `elsif` included, reads its arguments with the safe tokenizer. */
export function withSafeTokenizer(tag: TagToken): TagToken {
  const tokenizer = new SafeTokenizer(tag.input, engine.options.operators, tag.file, tag.contentRange);
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
 * What liquidjs's parser asks of an array of tokens. `Array.shift` moves the whole rest of a long array, which makes
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

/** The lines of a `liquid` tag, which are tags all of them. */
function asQueue(tokens: TopLevelToken[]): TopLevelToken[] {
  return new TokenQueue(tokens.length, (index) => withSafeTokenizer(tokens[index] as TagToken)).asTokens();
}

/** `cycle` with groups that are counted: liquidjs keeps one key per group and iteration. */
class CountedCycleTag extends CycleTag {
  private readonly values: Value[];
  private readonly text: string;
  private readonly groupToken: Token | undefined;

  constructor(...args: ConstructorParameters<typeof CycleTag>) {
    super(...args);
    const { candidates, group } = this as unknown as { candidates: Token[]; group?: Token };
    this.values = candidates.map(
      (token) => new Value(token as ConstructorParameters<typeof Value>[0], engine),
    );
    this.text = candidates.map((token) => token.getText()).join(',');
    this.groupToken = group;
  }

  override *render(context: Context): Generator<unknown, unknown, unknown> {
    const ctx = asRenderContext(context);
    const group = formatRaw(yield evalToken(this.groupToken, ctx));
    const key = `${group}:${this.text}`;
    ctx.budget.useMemory(key.length);
    const positions = ctx.getRegister('cycle positions', new Map<string, number>());
    const position = positions.get(key) ?? 0;
    positions.set(key, (position + 1) % this.values.length);
    const candidate = this.values[position];
    if (!candidate) return '';
    const value = toValue(yield candidate.value(ctx, false));
    return candidate.filters.at(-1)?.raw ? formatRaw(value) : ctx.format(value);
  }
}

class RefusedTag extends Tag {
  constructor(...args: ConstructorParameters<typeof CycleTag>) {
    super(...args);
    throw new Error(`tag "${this.name}" is not available`);
  }

  override render(): void {
    // Never constructed.
  }
}

/** liquidjs checks these lines with a pattern that is quadratic in blank lines; their content does not matter. */
class InlineComment extends Tag {
  override render(): void {
    // A comment writes nothing.
  }
}

/** Filters that answer at once, whatever the size of what they are given. */
const CHEAP_FILTERS = new Set(['size', 'first', 'last', 'default', 'raw']);
/** Filters that run code for every item. */
const PER_ITEM_FILTERS =
  /^(sort|sort_natural|sample|map|sum|uniq|where|reject|group_by|has|find|find_index)(_exp)?$/;
const UNITS_PER_VISITED_ITEM = 64;
/** Filters that search their input for their first argument. */
const SEARCH_FILTERS = new Set([
  'split',
  'remove',
  'remove_first',
  'remove_last',
  'replace',
  'replace_first',
  'replace_last',
]);
/** Which argument of a filter is read as code. */
function codeArgument(name: string): number {
  if (name.endsWith('_exp')) return 1;
  return /^(where|reject|group_by|has|find|find_index)$/.test(name) ? 0 : -1;
}

function refuseHeavyCall(name: string, value: unknown, args: readonly unknown[], budget: RenderBudget): void {
  budget.checkTime();
  budget.useValue(value);
  for (const arg of args) budget.useValue(arg);
  if (Array.isArray(value) && PER_ITEM_FILTERS.test(name)) {
    budget.useMemory(value.length * UNITS_PER_VISITED_ITEM);
  }
  if (SEARCH_FILTERS.has(name)) checkSearch(value, args[0]);
  const format = args[0];
  if (name === 'date' && typeof format === 'string' && format.length > MAX_DATE_FORMAT) {
    throw new RangeError('date format too long');
  }
  const code = args[codeArgument(name)];
  if (typeof code === 'string' && code.includes('..')) throw new RangeError(`no ranges within ${name}`);
}

function checkSearch(haystack: unknown, needle: unknown): void {
  if (formatRaw(haystack).length * formatRaw(needle).length > MAX_SEARCH_WORK) {
    throw new RangeError('too much text to search');
  }
}

/** liquidjs's own counts a nested object too low to stop one that filters have folded into itself many times. */
function json(this: { context: Context }, value: unknown, space?: number): unknown {
  const { budget } = asRenderContext(this.context);
  const visit = (_key: string, inner: unknown): unknown => {
    budget.countRead();
    budget.useMemory(typeof inner === 'string' ? inner.length + UNITS_PER_ITEM : UNITS_PER_ITEM);
    return inner;
  };
  return JSON.stringify(value, visit, space);
}

function guardFilter(name: string, filter: FilterImplOptions): FilterImplOptions {
  if (CHEAP_FILTERS.has(name)) return filter;
  const handler = typeof filter === 'function' ? filter : filter.handler;
  const guarded = function* (
    this: ThisParameterType<typeof handler>,
    value: unknown,
    ...args: unknown[]
  ): Generator<unknown, unknown, unknown> {
    const { budget } = asRenderContext(this.context);
    refuseHeavyCall(name, value, args, budget);
    const result = yield handler.call(this, value, ...args);
    budget.useValue(result);
    return result;
  };
  return guarded;
}

const operators: Operators = {
  ...defaultOperators,
  contains: function* (left: unknown, right: unknown, ctx: Context) {
    if (typeof left === 'string') checkSearch(left, right);
    return yield (defaultOperators.contains as (l: unknown, r: unknown, c: Context) => unknown)(
      left,
      right,
      ctx,
    );
  },
};

/** The one liquidjs instance: no files, no prototypes, UTC, English month names, JavaScript's truthiness. */
export const engine: Liquid = makeEngine();

function makeEngine(): Liquid {
  const liquid = new Liquid({
    jsTruthy: true,
    ownPropertyOnly: true,
    strictFilters: true,
    parseLimit: MAX_SOURCE_LENGTH,
    relativeReference: false,
    templates: {},
    locale: 'en-US',
    timezoneOffset: 0,
    operators,
    outputEscape: formatOutput as never,
  });
  liquid.renderer.renderTemplates = renderTemplates as typeof liquid.renderer.renderTemplates;
  for (const [name, filter] of Object.entries(standardFilters)) {
    liquid.registerFilter(name, guardFilter(name, filter as FilterImplOptions));
  }
  for (const name of ['json', 'jsonify', 'inspect']) liquid.registerFilter(name, json as FilterImplOptions);
  for (const name of ['include', 'render', 'layout', 'block']) liquid.registerTag(name, RefusedTag);
  liquid.registerTag('cycle', CountedCycleTag);
  liquid.registerTag('#', InlineComment);
  return liquid;
}

/** For `echo`; our own outputs and `cycle` ask the context directly. */
function formatOutput(this: { context: Context }, value: unknown): string {
  return asRenderContext(this.context).format(value);
}

/** Renders parsed templates; throws when the budget of `ctx` is used up. */
export function renderAll(templates: readonly object[], ctx: RenderContext): string {
  return String(
    toValueSync(renderTemplates(templates, ctx, new CountingEmitter(ctx.budget, false)) as never),
  );
}
