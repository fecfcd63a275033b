import { Context, type Drop, type Liquid, type Tag, toValue } from 'liquidjs';
import type { RenderBudget } from './limits.ts';
import { isPlain, type Path, readProperty, resolveFlatKey, resolveName } from './paths.ts';
import type { ScriptWatch } from './script-watch.ts';
import { formatRaw, formatValue, type OutputMode, withoutMark } from './values.ts';

type Emitter = Parameters<Tag['render']>[1];
type Limiter = Context['memoryLimit'];
type Scope = Record<string, unknown>;

/** One rendering: the variables, the remaining budget, and the output mode. */
export class RenderContext extends Context {
  readonly budget: RenderBudget;
  readonly mode: OutputMode;
  readonly vars: Scope;
  /** Whether an array was written; lists are formatted differently in plain text. */
  sawList = false;
  /** The names, as written, of outputs that were reached and have no value; null when nobody asks. */
  gaps: Set<string> | null = null;
  /** Whether filters that make HTML mark it. */
  marksHtml = true;
  private readonly engine: Liquid;
  private readonly own: { scopes: Scope[] };

  constructor(liquid: Liquid, vars: Scope, mode: OutputMode, budget: RenderBudget) {
    const limits = { use: (n: number) => budget.useMemory(n), check: () => undefined };
    const limiter = limits as unknown as Limiter;
    super(vars, liquid.options, { sync: true }, { memoryLimit: limiter, renderLimit: limiter, liquid });
    this.engine = liquid;
    this.vars = vars;
    this.mode = mode;
    this.budget = budget;
    this.own = this as unknown as { scopes: Scope[] };
  }

  /** Finds the innermost scope with the name: loops, then assigned names, then the variables. */
  scopeOf(name: string): Scope {
    const { scopes } = this.own;
    for (let i = scopes.length - 1; i >= 0; i--) {
      const scope = scopes[i];
      if (scope && name in scope) return scope;
    }
    return this.vars;
  }

  /** The value at the path, which may begin at a name of a loop or an assignment. */
  resolve({ segments, names }: Path): unknown {
    const scope = this.scopeOf(String(segments[0]));
    const read = (value: unknown, key: string | number): unknown =>
      isPlain(value) ? readProperty(value, key) : this.readProperty(value as never, key);
    if (names) return resolveName(this.vars, scope, names, read);
    let value: unknown = scope;
    for (const segment of segments) {
      if (value === undefined || value === null) break;
      value = read(value, segment);
    }
    return value === undefined && segments.length > 1 ? resolveFlatKey(this.vars, segments) : value;
  }

  get depth(): number {
    return this.own.scopes.length;
  }

  /** Removes the scopes of a tag that failed midway. */
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
    if (value !== undefined) return value;
    return this.resolve({ segments: path.map(String), names: [path.map(String).join('.')] });
  }

  /** Marked HTML has the properties of its text, and none of its own. */
  override readProperty(obj: Parameters<Context['readProperty']>[0], key: string | number | Drop): unknown {
    return super.readProperty(withoutMark(obj) as typeof obj, key);
  }

  override spawn(scope: object = {}): Context {
    const spawned = new RenderContext(this.engine, Object(scope), this.mode, this.budget);
    spawned.gaps = this.gaps;
    return spawned;
  }
}

/** Counts the template's output; a capture counts as memory, the part as output. */
export class CountingEmitter implements Emitter {
  buffer = '';
  private readonly budget: RenderBudget;
  private readonly isCapture: boolean;
  private readonly watch: ScriptWatch | null;

  constructor(budget: RenderBudget, isCapture: boolean, watch: ScriptWatch | null = null) {
    this.budget = budget;
    this.isCapture = isCapture;
    this.watch = watch;
  }

  /** Whether what is written next is the content of a script of JSON. */
  get isInJson(): boolean {
    return this.watch?.isInJson === true;
  }

  write(value: unknown): void {
    const text = typeof value === 'string' ? value : formatRaw(toValue(value));
    if (this.isCapture) this.budget.useMemory(text.length);
    else this.budget.useOutput(text.length);
    this.watch?.write(text);
    this.buffer += text;
  }
}

/** A template that renders without a generator; liquidjs's own tags remain generators. */
export interface DirectTemplate {
  writeTo(ctx: RenderContext, emitter: Emitter): void;
}

function isDirect(template: object): template is DirectTemplate {
  return 'writeTo' in template;
}

/**
 * Renders templates in sequence. One that fails (a filter with unsuitable input) is left out and rendering
 * continues; only an exhausted budget ends it.
 */
export function* renderTemplates(
  templates: readonly object[],
  context: Context,
  target?: Emitter,
): IterableIterator<unknown> {
  const ctx = asRenderContext(context);
  const emitter = target ?? new CountingEmitter(ctx.budget, true);
  const { depth } = ctx;
  for (const template of templates) {
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

export function asRenderContext(context: Context): RenderContext {
  if (context instanceof RenderContext) return context;
  throw new TypeError('Templates are rendered within a RenderContext only.');
}
