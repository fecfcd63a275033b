import {
  type Context,
  CycleTag,
  EchoTag,
  evalToken,
  Liquid,
  Tag,
  type Token,
  toValue,
  toValueSync,
  Value,
} from 'liquidjs';
import { trimBlanks } from './blanks.ts';
import { guardedFilters } from './guarded-filters.ts';
import { MAX_SOURCE_LENGTH, type RenderBudget } from './limits.ts';
import { asRenderContext, CountingEmitter, RenderContext, renderTemplates } from './render-context.ts';
import type { ScriptWatch } from './script-watch.ts';
import { formatRaw, isNone, type OutputMode } from './values.ts';

/** `cycle` with groups that are counted: liquidjs keeps one key per group and iteration. */
class CountedCycleTag extends CycleTag {
  private readonly values: Value[];
  private readonly text: string;
  private readonly groupToken: Token | undefined;

  constructor(...args: ConstructorParameters<typeof CycleTag>) {
    super(...args);
    const { candidates, group } = this as unknown as { candidates: Token[]; group?: Token };
    this.values = candidates.map(
      (token) => new Value(token as ConstructorParameters<typeof Value>[0], this.liquid),
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
    const value: unknown = yield candidate.value(ctx, false);
    return candidate.filters.at(-1)?.raw ? formatRaw(value) : ctx.format(value);
  }
}

/** `echo` writes a value as an output does; liquidjs's own takes the mark from marked HTML first. */
class MarkingEchoTag extends EchoTag {
  override *render(
    context: Context,
    emitter: Parameters<EchoTag['render']>[1],
  ): Generator<unknown, void, unknown> {
    const { value } = this as unknown as { value?: Value };
    if (!value) return;
    const ctx = asRenderContext(context);
    const result: unknown = yield value.value(ctx, false);
    // It has no `??`, and its filters have given what they give.
    if (ctx.gaps && isNone(toValue(result))) ctx.gaps.add(trimBlanks(this.token.args.split('|')[0] ?? ''));
    emitter.write(value.filters.at(-1)?.raw ? formatRaw(result) : ctx.format(result));
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

/** liquidjs checks these lines with a pattern that is quadratic in blank lines; their content is irrelevant. */
class InlineComment extends Tag {
  override render(): void {
    // A comment renders nothing.
  }
}

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
  });
  liquid.renderer.renderTemplates = renderTemplates as typeof liquid.renderer.renderTemplates;
  for (const [name, filter] of guardedFilters()) liquid.registerFilter(name, filter);
  for (const name of ['include', 'render', 'layout', 'block']) liquid.registerTag(name, RefusedTag);
  liquid.registerTag('cycle', CountedCycleTag);
  liquid.registerTag('echo', MarkingEchoTag);
  liquid.registerTag('#', InlineComment);
  return liquid;
}

/**
 * Renders parsed templates; throws when the budget of `ctx` is exhausted.
 * @param watch follows the text, so that outputs know whether they are inside a script of JSON
 */
export function renderAll(
  templates: readonly object[],
  ctx: RenderContext,
  watch: ScriptWatch | null,
): string {
  const emitter = new CountingEmitter(ctx.budget, false, watch);
  return String(toValueSync(renderTemplates(templates, ctx, emitter) as never));
}

export function newContext(
  vars: Record<string, unknown>,
  mode: OutputMode,
  budget: RenderBudget,
): RenderContext {
  return new RenderContext(engine, vars, mode, budget);
}
