import type { FilterImplOptions } from 'liquidjs';
import { type Expression, evalToken, Filter, TypeGuards, toValue, toValueSync } from 'liquidjs';
import { isBlank, trimBlanks } from './blanks.ts';
import { engine } from './engine.ts';
import { withHint } from './errors.ts';
import { noteName } from './noted-names.ts';
import { mayBeExpression, type Path, parsePath, resolvePath } from './paths.ts';
import { CountingEmitter, type DirectTemplate, type RenderContext } from './render-context.ts';
import { SafeTokenizer } from './safe-parser.ts';
import type { MarkupNode } from './scan.ts';
import {
  escapeJson,
  formatRaw,
  formatValue,
  isNone,
  MarkedHtml,
  type OutputMode,
  withoutMark,
} from './values.ts';

/** The system URLs of an email; they are written unescaped, also in HTML. */
export const SYSTEM_URLS: ReadonlySet<string> = new Set(['unsubscribeUrl', 'subscribeUrl', 'manageUrl']);

const WORD_BEFORE_QUOTE = /[\p{L}\p{N}_]/u;

/** What follows the value: a fallback literal, or filters. */
type Step = { readonly fallback: string } | { readonly filters: readonly Filter[] };

/** A `{{name}}` or `{{name ?? literal}}`. */
export interface SimpleOutput {
  readonly path: Path;
  /** The fallback for a value that is missing, null, `false` or `""`; null without a fallback. */
  readonly fallback: string | null;
  /** Whether it is one of the system URLs. */
  readonly isSystemUrl: boolean;
  /** The name as it is written. */
  readonly written: string;
}

/** The name of a simple output without a value; null if it has one. */
export function gapOf(output: SimpleOutput, vars: Record<string, unknown>): string | null {
  if (output.written === '' || (output.fallback ?? '') !== '') return null;
  return isNone(resolvePath(vars, output.path)) ? output.written : null;
}

/** Writes the value of a simple output. */
export function renderSimple(output: SimpleOutput, vars: Record<string, unknown>, mode: OutputMode): string {
  const value = resolvePath(vars, output.path);
  if (output.fallback !== null && isMissing(value)) return formatValue(output.fallback, mode);
  return output.isSystemUrl ? formatRaw(value) : formatValue(value, mode);
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null || value === false || value === '';
}

/** One `{{ … }}`. */
export class OutputTemplate implements DirectTemplate {
  /** Set when it is only a name with fallbacks. */
  readonly simple: SimpleOutput | null;
  private readonly path: Path | null;
  /** The name, or what stands in its place, as it is written. */
  private readonly written: string;
  private readonly expression: Expression | null;
  private readonly steps: readonly Step[];
  /** Whether it writes JSON, if it is inside a script of JSON. */
  readonly isJson: boolean;
  private readonly isRaw: boolean;

  constructor(node: MarkupNode, file: string) {
    const parts = splitSteps(node.markup);
    const head = parts[0] ?? { operator: '', from: 0, to: 0 };
    const text = node.markup.slice(head.from, head.to);
    this.path = parsePath(text);
    this.written = trimBlanks(text);
    if (this.path) noteName(this.path);
    const isEmpty = trimBlanks(text) === '' && parts[1]?.operator !== '|';
    if (isEmpty) this.expression = null;
    else if (this.path === null) this.expression = readExpression(node.markup, file, head);
    else this.expression = mayBeExpression(this.path) ? tryExpression(node.markup, file, head) : null;
    this.steps = readSteps(node.markup, file, parts);
    const last = this.steps.at(-1);
    const filter = last !== undefined && 'filters' in last ? last.filters.at(-1) : undefined;
    this.isRaw = filter?.raw === true;
    this.isJson = filter?.name === 'json';
    this.simple = this.asSimple(isEmpty);
  }

  writeTo(ctx: RenderContext, emitter: { write(text: string): void }): void {
    if (ctx.gaps) this.noteGaps(ctx, ctx.gaps);
    const value = this.evaluate(ctx);
    if (this.isRaw) emitter.write(formatRaw(value));
    else if (this.isJson && emitter instanceof CountingEmitter && emitter.isInJson)
      emitter.write(escapeJson(formatRaw(value)));
    else if (this.simple?.isSystemUrl && value === ctx.vars[String(this.path?.segments[0])])
      emitter.write(formatRaw(value));
    else emitter.write(ctx.format(value));
  }

  private asSimple(isEmpty: boolean): SimpleOutput | null {
    if (this.expression || (!this.path && !isEmpty)) return null;
    let fallback: string | null = null;
    for (const step of this.steps) {
      if (!('fallback' in step)) return null;
      fallback ||= step.fallback;
    }
    // An empty path has no value: the empty output.
    const path = this.path ?? { segments: [''], names: null };
    const { segments } = path;
    const isSystemUrl =
      segments.length === 1 && SYSTEM_URLS.has(String(segments[0])) && this.steps.length === 0;
    return { path, fallback, isSystemUrl, written: this.written };
  }

  /** Notes the name if it, or what is written of it, has no value, and the variables among the arguments of its filters that have none. */
  private noteGaps(ctx: RenderContext, gaps: Set<string>): void {
    const isVariable = this.written !== '' && !LITERAL.test(this.written);
    let value = this.readHead(ctx);
    let hasValue = !isVariable || !isNone(withoutMark(value));
    for (const step of this.steps) {
      if ('fallback' in step) {
        if (isMissing(withoutMark(value))) value = step.fallback;
        hasValue ||= step.fallback !== '';
        continue;
      }
      for (const filter of step.filters) {
        const isDefault = filter.name === 'default';
        // The argument of `default` is read only where it is needed.
        if (!isDefault || isMissing(withoutMark(value))) noteArguments(filter, ctx, gaps);
        value = toValueSync(filter.render(value, ctx) as never);
        if (isDefault) hasValue ||= !isNone(toValue(withoutMark(value)));
      }
    }
    const written = value instanceof MarkedHtml ? value.valueOf() : toValue(value);
    if (isVariable && (!hasValue || isNone(written))) gaps.add(this.written);
  }

  private evaluate(ctx: RenderContext): unknown {
    let value = this.readHead(ctx);
    for (const step of this.steps) {
      if ('fallback' in step) {
        if (isMissing(withoutMark(value))) value = step.fallback;
        continue;
      }
      for (const filter of step.filters) value = toValueSync(filter.render(value, ctx) as never);
    }
    return value instanceof MarkedHtml ? value : toValue(value);
  }

  private readHead(ctx: RenderContext): unknown {
    const value = this.path ? ctx.resolve(this.path) : undefined;
    if (value !== undefined || !this.expression) return value;
    return toValueSync(this.expression.evaluate(ctx, false) as never);
  }
}

/** A text, a number or a range in the place of a name. */
const LITERAL = /^["'(\d-]/;

function noteArguments({ args }: Filter, ctx: RenderContext, gaps: Set<string>): void {
  for (const arg of args) {
    const token = Array.isArray(arg) ? arg[1] : arg;
    if (token === undefined || !TypeGuards.isPropertyAccessToken(token)) continue;
    if (isNone(toValue(toValueSync(evalToken(token, ctx, true) as never)))) gaps.add(token.getText());
  }
}

interface Part {
  readonly operator: '' | '|' | '??';
  readonly from: number;
  readonly to: number;
}

/** Splits the content of an output at `|` and `??`, except within quotes. */
function splitSteps(markup: string): Part[] {
  let from = markup[2] === '-' ? 3 : 2;
  const end = markup.at(-3) === '-' ? markup.length - 3 : markup.length - 2;
  const parts: Part[] = [];
  let operator: Part['operator'] = '';
  let quote = '';
  for (let at = from; at < end; at++) {
    const char = markup.charAt(at);
    if (quote !== '') {
      if (char === '\\') at++;
      else if (char === quote) quote = '';
      continue;
    }
    if ((char === '"' || char === "'") && !WORD_BEFORE_QUOTE.test(markup.charAt(at - 1))) quote = char;
    const next = char === '|' ? '|' : char === '?' && markup[at + 1] === '?' ? '??' : '';
    if (next === '') continue;
    parts.push({ operator, from, to: at });
    operator = next;
    from = at + next.length;
    at = from - 1;
  }
  if (from <= end) parts.push({ operator, from, to: end });
  return parts;
}

function readExpression(markup: string, file: string, part: Part): Expression {
  const tokenizer = tokenizerOf(markup, file, part.from, part.to);
  try {
    const expression = tokenizer.readExpression();
    tokenizer.assert(expression.valid(), () => `invalid value expression: ${tokenizer.snapshot()}`);
    tokenizer.assertEnd();
    return expression;
  } catch (error) {
    throw withHint(error, trimBlanks(markup.slice(part.from, part.to)));
  }
}

/** The expression that a name would be; null for one such as `terms and`, which is only a name. */
function tryExpression(markup: string, file: string, part: Part): Expression | null {
  try {
    return readExpression(markup, file, part);
  } catch {
    return null;
  }
}

function readSteps(markup: string, file: string, parts: readonly Part[]): Step[] {
  const steps: Step[] = [];
  for (let i = 1; i < parts.length; i++) {
    const part = parts[i];
    if (!part) break;
    if (part.operator === '??') {
      steps.push({ fallback: readLiteral(markup, file, part) });
      continue;
    }
    let last = part;
    while (parts[i + 1]?.operator === '|') last = parts[++i] ?? last;
    steps.push({ filters: readFilters(markup, file, part.from - 1, last.to) });
  }
  return steps;
}

/** The right side of `??` is never a variable: a quoted string, or the bare words. */
function readLiteral(markup: string, file: string, part: Part): string {
  const text = markup.slice(part.from, part.to);
  const bare = trimBlanks(text);
  if (!/^["']/.test(bare)) return bare;
  let { from } = part;
  while (isBlank(markup.charAt(from))) from++;
  const tokenizer = tokenizerOf(markup, file, from, part.to);
  const quoted = tokenizer.readQuoted();
  tokenizer.skipBlank();
  return quoted && tokenizer.end() ? quoted.content : bare;
}

function readFilters(markup: string, file: string, from: number, to: number): Filter[] {
  const tokenizer = tokenizerOf(markup, file, from, to);
  const tokens = tokenizer.readFilters();
  tokenizer.assertEnd();
  return tokens.map((token) => {
    const filter: FilterImplOptions | undefined = engine.filters[token.name];
    if (!filter) throw new Error(`undefined filter: ${token.name}`);
    return new Filter(token, filter, engine);
  });
}

function tokenizerOf(markup: string, file: string, from: number, to: number): SafeTokenizer {
  return new SafeTokenizer(markup, engine.options.operators, file, [from, to]);
}
