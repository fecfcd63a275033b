import { LiquidError, TagToken } from 'liquidjs';
import { engine, newContext, renderAll } from './engine.ts';
import { TemplateSyntaxError, withoutPlace } from './errors.ts';
import { areSafePlaces } from './html-places.ts';
import { MAX_OUTPUT_LENGTH, MAX_SOURCE_LENGTH, RenderBudget } from './limits.ts';
import { gapOf, OutputTemplate, renderSimple, type SimpleOutput } from './output.ts';
import { resolvePath } from './paths.ts';
import type { DirectTemplate, RenderContext } from './render-context.ts';
import { ReadyToken, TemplateParser, TokenQueue, withSafeTokenizer } from './safe-parser.ts';
import { type MarkupNode, type SourceNode, scan, sourceOffset } from './scan.ts';
import { ScriptWatch } from './script-watch.ts';
import type { OutputMode } from './values.ts';

export type Variables = Record<string, unknown>;

/** A slot of a flat template. */
export interface Slot {
  /** The value itself, undefined when it is missing. */
  resolve(vars: Variables): unknown;
  /** Whether it is a path and nothing else, without a fallback. */
  readonly isPath: boolean;
  /** Whether it is one of the system URLs, which are written unescaped and may be the entire address of a link. */
  readonly isSystemUrl: boolean;
  /** The value as the template's own output writes it (escaped in HTML). */
  render(vars: Variables): string;
  /** The value as plain text, lists joined by `, `. */
  renderText(vars: Variables): string;
}

/** A template that is text with slots: `literals[0] slots[0] literals[1] … literals[n]`. */
export interface FlatTemplate {
  readonly literals: readonly string[];
  readonly slots: readonly Slot[];
}

export interface ParseOptions {
  /** Renders by plain replacement only: names are replaced, tags and filtered outputs render nothing. */
  plain?: boolean;
}

export interface RenderOptions {
  /** writes arrays on one line in HTML too */
  inlineLists?: boolean;
}

/** The result of a rendering. */
export interface Rendering {
  readonly text: string;
  /** Whether an array was written as an output. */
  readonly sawList: boolean;
  /** Whether a limit was reached and the part was rendered by plain replacement. */
  readonly limited: boolean;
}

/** A parsed template, to be rendered many times. */
export interface CompiledTemplate {
  readonly output: 'html' | 'text';
  /** Whether it has no outputs or tags. */
  readonly isPlain: boolean;
  /** Set when the template consists of outputs only, none where its value could change the HTML around it. */
  readonly flat: FlatTemplate | null;
  /** Renders with one set of variables. Never throws: a part that fails is left out, a limit leads to plain replacement. */
  render(vars: Variables): string;
  /** The same, with details of the rendering. */
  renderDetailed(vars: Variables, options?: RenderOptions): Rendering;
  /** The fixed text with `mark` in place of every output and tag. */
  skeleton(mark: string): string;
  /**
   * The names, as written, of the outputs that a rendering with these variables reaches and that have no value (behaviour B4.2): missing,
   * null or `""`. Those of a branch that is not taken, and of a loop without items, are not reached.
   */
  gaps(vars: Variables): string[];
}

/**
 * Parses a template (Liquid with plain names, `??` and automatic escaping; behaviour B1.2).
 * @throws {TemplateSyntaxError} with the place of the mistake.
 */
export function parseTemplate(
  source: string,
  output: 'html' | 'text',
  options: ParseOptions = {},
): CompiledTemplate {
  if (source.length > MAX_SOURCE_LENGTH) {
    throw new TemplateSyntaxError(`template longer than ${MAX_SOURCE_LENGTH} characters`, 1, 1);
  }
  const nodes = scan(source);
  const templates = nodes.map((node, index) => readDirect(source, node, index));
  const hasTags = nodes.some((node) => node.kind === 'tag');
  if (options.plain && (hasTags || templates.some(needsRendering))) {
    return new TaggedTemplate(output, nodes, templates, null);
  }
  if (hasTags) return new TaggedTemplate(output, nodes, templates, readTags(source, nodes, templates));
  return makeTagless(output, nodes, templates);
}

/** A text that is used as it is, even if it looks like a template. */
export const literalTemplate = (text: string, output: 'html' | 'text'): CompiledTemplate =>
  new FlatCompiledTemplate(output, [text], []);

function makeTagless(
  output: 'html' | 'text',
  nodes: readonly SourceNode[],
  templates: readonly (DirectTemplate | null)[],
): CompiledTemplate {
  const outputs = templates.filter((template) => template instanceof OutputTemplate);
  const simple = outputs.flatMap((template) => template.simple ?? []);
  const literals = literalsOf(nodes);
  const isFlat = simple.length === outputs.length && (output === 'text' || areSafePlaces(literals, simple));
  if (isFlat) return new FlatCompiledTemplate(output, literals, simple);
  return new TaggedTemplate(
    output,
    nodes,
    templates,
    templates.filter((template) => template !== null),
  );
}

/** The literals before, between and after the outputs; one more than there are outputs. */
function literalsOf(nodes: readonly SourceNode[]): string[] {
  const literals: string[] = [''];
  for (const node of nodes) {
    if (node.kind === 'text') literals[literals.length - 1] += node.text;
    else literals.push('');
  }
  return literals;
}

/** Whether an output is more than a name with fallbacks. */
const needsRendering = (template: DirectTemplate | null): boolean =>
  template instanceof OutputTemplate && template.simple === null;

class Literal implements DirectTemplate {
  private readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  writeTo(_ctx: RenderContext, emitter: { write(text: string): void }): void {
    emitter.write(this.text);
  }
}

function readDirect(source: string, node: SourceNode, index: number): DirectTemplate | null {
  if (node.kind === 'text') return new Literal(node.text);
  if (node.kind === 'tag') return null;
  try {
    return new OutputTemplate(node, String(index));
  } catch (error) {
    throw toSyntaxError(source, node, error);
  }
}

/** Passes text and outputs to liquidjs as finished templates, and each tag as a token. */
function readTags(
  source: string,
  nodes: readonly SourceNode[],
  templates: readonly (DirectTemplate | null)[],
): object[] {
  let current = 0;
  const queue = new TokenQueue(nodes.length, (index) => {
    current = index;
    const ready = templates[index];
    if (ready) return new ReadyToken(ready);
    const node = nodes[index] as MarkupNode;
    const { markup } = node;
    return withSafeTokenizer(new TagToken(markup, 0, markup.length, engine.options, String(index)));
  });
  try {
    return new TemplateParser(engine).parseTokens(queue.asTokens());
  } catch (error) {
    throw toSyntaxError(source, nodes[current] as MarkupNode, error, nodes);
  }
}

/** liquidjs's errors carry their token, whose `file` is the index of its node here. */
function toSyntaxError(
  source: string,
  node: MarkupNode,
  error: unknown,
  nodes: readonly SourceNode[] = [],
): TemplateSyntaxError {
  if (error instanceof TemplateSyntaxError) return error;
  if (!(error instanceof Error)) throw error;
  if (error instanceof RangeError) {
    return TemplateSyntaxError.at(source, node.at, 'expression nested too deeply');
  }
  const token = LiquidError.is(error) ? (error as unknown as { token: TagToken }).token : undefined;
  const named = token?.file ? nodes[Number(token.file)] : undefined;
  const place = named && named.kind !== 'text' ? named : node;
  const message = withoutPlace(error.message);
  return TemplateSyntaxError.at(source, sourceOffset(place, token?.begin ?? 0), message);
}

class FlatCompiledTemplate implements CompiledTemplate {
  readonly output: 'html' | 'text';
  readonly isPlain: boolean;
  readonly flat: FlatTemplate;
  private readonly outputs: readonly SimpleOutput[];

  constructor(output: 'html' | 'text', literals: readonly string[], outputs: readonly SimpleOutput[]) {
    this.output = output;
    this.outputs = outputs;
    this.isPlain = outputs.length === 0;
    this.flat = { literals, slots: outputs.map((simple) => makeSlot(simple, output)) };
  }

  render(vars: Variables): string {
    return this.fill(vars, this.output);
  }

  renderDetailed(vars: Variables, options?: RenderOptions): Rendering {
    const mode = modeOf(this.output, options);
    const sawList = this.outputs.some((output) => Array.isArray(resolvePath(vars, output.path)));
    return { text: this.fill(vars, mode), sawList, limited: false };
  }

  skeleton(mark: string): string {
    return this.flat.literals.join(mark);
  }

  gaps(vars: Variables): string[] {
    return gapsIn(this.outputs, vars);
  }

  private fill(vars: Variables, mode: OutputMode): string {
    const { literals } = this.flat;
    let text = literals[0] ?? '';
    let left = MAX_OUTPUT_LENGTH;
    for (let i = 0; i < this.outputs.length; i++) {
      const output = this.outputs[i];
      if (output && left > 0) {
        const value = renderSimple(output, vars, mode);
        left -= value.length;
        if (left > 0) text += value;
      }
      text += literals[i + 1] ?? '';
    }
    return text;
  }
}

const gapsIn = (outputs: readonly SimpleOutput[], vars: Variables): string[] => [
  ...new Set(outputs.flatMap((output) => gapOf(output, vars) ?? [])),
];

function makeSlot(simple: SimpleOutput, output: 'html' | 'text'): Slot {
  return {
    isPath: simple.fallback === null,
    isSystemUrl: simple.isSystemUrl,
    resolve: (vars) => resolvePath(vars, simple.path),
    render: (vars) => renderSimple(simple, vars, output),
    renderText: (vars) => renderSimple(simple, vars, 'text'),
  };
}

function modeOf(output: 'html' | 'text', options?: RenderOptions): OutputMode {
  return output === 'html' && options?.inlineLists ? 'html-inline' : output;
}

class TaggedTemplate implements CompiledTemplate {
  readonly output: 'html' | 'text';
  readonly isPlain = false;
  readonly flat = null;
  private readonly nodes: readonly SourceNode[];
  private readonly direct: readonly (DirectTemplate | null)[];
  /** null when only plain replacement is wanted */
  private readonly templates: readonly object[] | null;
  private readonly hasJsonScript: boolean;

  constructor(
    output: 'html' | 'text',
    nodes: readonly SourceNode[],
    direct: readonly (DirectTemplate | null)[],
    templates: readonly object[] | null,
  ) {
    this.output = output;
    this.nodes = nodes;
    this.direct = direct;
    this.templates = templates;
    this.hasJsonScript =
      output === 'html' &&
      direct.some((template) => template instanceof OutputTemplate && template.isJson) &&
      nodes.some((node) => node.kind === 'text' && /<script/i.test(node.text));
  }

  render(vars: Variables): string {
    return this.renderDetailed(vars).text;
  }

  renderDetailed(vars: Variables, options?: RenderOptions): Rendering {
    const mode = modeOf(this.output, options);
    const plainly = (): Rendering => ({
      text: this.replacePlainly(vars, mode),
      sawList: mode === 'html',
      limited: true,
    });
    if (!this.templates) return plainly();
    // `increment` modifies the variables, so they are copied.
    const own: Variables = Object.assign(Object.create(null), vars);
    const ctx = newContext(own, mode, new RenderBudget());
    try {
      const text = renderAll(this.templates, ctx, this.hasJsonScript ? new ScriptWatch() : null);
      return { text, sawList: ctx.sawList, limited: false };
    } catch {
      // Reached only by an exhausted budget, a string longer than the JavaScript engine allows, or too deep a recursion.
      return plainly();
    }
  }

  gaps(vars: Variables): string[] {
    if (!this.templates) {
      const outputs = this.direct.flatMap((template) =>
        template instanceof OutputTemplate && template.simple ? [template.simple] : [],
      );
      return gapsIn(outputs, vars);
    }
    const ctx = newContext(Object.assign(Object.create(null), vars), this.output, new RenderBudget());
    const gaps = new Set<string>();
    ctx.gaps = gaps;
    try {
      renderAll(this.templates, ctx, null);
    } catch {
      // As far as a rendering gets.
    }
    return [...gaps];
  }

  skeleton(mark: string): string {
    return this.nodes.map((node) => (node.kind === 'text' ? node.text : mark)).join('');
  }

  /** The part without its logic: names are replaced, tags and filtered outputs render nothing. */
  private replacePlainly(vars: Variables, mode: OutputMode): string {
    let text = '';
    let left = MAX_OUTPUT_LENGTH;
    for (let i = 0; i < this.nodes.length; i++) {
      const node = this.nodes[i];
      const template = this.direct[i];
      if (node?.kind === 'text') {
        text += node.text;
      } else if (template instanceof OutputTemplate && template.simple && left > 0) {
        const value = renderSimple(template.simple, vars, mode);
        left -= value.length;
        if (left > 0) text += value;
      }
    }
    return text;
  }
}
