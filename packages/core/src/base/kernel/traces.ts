import { AsyncLocalStorage } from 'node:async_hooks';
import { randomFillSync } from 'node:crypto';
import { AppError } from './errors.ts';
import { bytesOfTrace, readTraceparent, type TraceContext } from './trace-context.rules.ts';

/**
 * The seam of OpenTelemetry: what is traced calls these functions, which do nothing until a tracer is set, and know nothing of the libraries
 * that export spans (decision 105). A span is an object of its own until it has ended; most are then forgotten.
 */

/** What attributes may say: ids, statuses, classes, sizes and times. Never an address, a text or a token. */
export interface SpanAttributes {
  'http.request.method'?: string | undefined;
  'http.route'?: string | undefined;
  'http.response.status_code'?: number | undefined;
  /** the code of a refusal, or the class of an error; never its message */
  'error.type'?: string | undefined;
  'postrider.operation'?: string | undefined;
  'postrider.request_id'?: string | undefined;
  'postrider.project_id'?: string | undefined;
  'postrider.campaign_id'?: string | undefined;
  'postrider.batch_id'?: string | undefined;
  'postrider.email_id'?: string | undefined;
  'postrider.endpoint_id'?: string | undefined;
  /** how many requests, batches, emails, events or executions it was for */
  'postrider.count'?: number | undefined;
  'postrider.bytes'?: number | undefined;
  'postrider.attempt'?: number | undefined;
  'postrider.outcome'?: string | undefined;
  /** the id of a route that email leaves by */
  'postrider.route'?: string | undefined;
  /** how long it was due before it began, in milliseconds */
  'postrider.waited_ms'?: number | undefined;
  /** why a span of a trace that is not sampled was exported */
  'postrider.kept'?: 'error' | 'slow' | undefined;
}

export type SpanKind = 'internal' | 'server' | 'client' | 'consumer';

/** A span that has ended and is to be exported. Times are milliseconds since 1970. */
export interface EndedSpan {
  name: string;
  kind: SpanKind;
  context: TraceContext;
  parent: TraceContext | null;
  /** whether the span above is in another process */
  isRemote: boolean;
  begunAt: number;
  endedAt: number;
  hasFailed: boolean;
  attributes: SpanAttributes;
  links: readonly TraceContext[];
}

/** What decides about traces and exports their spans. */
export interface Tracer {
  /** @param parent whether the caller's part of the trace is sampled; null where the trace begins here */
  samples(traceId: string, parent: boolean | null): boolean;
  take(span: EndedSpan): void;
  /** whether a span of a trace that is not sampled may be exported now */
  admitsUnsampled(): boolean;
}

let tracer: Tracer | null = null;

/** @param next null to end tracing */
export function setTracer(next: Tracer | null): void {
  tracer = next;
}

export const isTracing = (): boolean => tracer !== null;

/** A span that lasts longer is exported from every trace, in milliseconds. */
const slowMs = 1_000;

const randomBytes = Buffer.alloc(4_096);
let randomAt = randomBytes.length;

/** Ids need not be secret, only different, so one call makes many. */
function newHex(bytes: number): string {
  if (randomAt + bytes > randomBytes.length) {
    randomFillSync(randomBytes);
    randomAt = 0;
  }
  randomAt += bytes;
  return randomBytes.toString('hex', randomAt - bytes, randomAt);
}

/** The part of a trace that is in this process. */
class Trace {
  /** what the caller says of it, if that is known to be followed */
  #remote: TraceContext | null;
  /** what a caller said who has yet to prove who it is */
  #offered: TraceContext | null;
  #id: string | null = null;
  #isSampled = false;
  #waiting: (() => void)[] = [];
  /** from the monotonic clock to milliseconds since 1970; one for all spans, so that they fit into each other */
  readonly epoch = Date.now() - performance.now();

  /** @param isOpen whether it is found out later what it is a part of */
  constructor(remote: TraceContext | null, offered: TraceContext | null = null, isOpen = offered !== null) {
    this.#remote = remote;
    this.#offered = offered;
    if (!isOpen) this.settle();
  }

  get id(): string {
    this.settle();
    return this.#id ?? '';
  }

  get remote(): TraceContext | null {
    return this.#remote;
  }

  get isSettled(): boolean {
    return this.#id !== null;
  }

  get isSampled(): boolean {
    return this.#isSampled;
  }

  /** Whether it is sampled, or would be for a caller who may ask for that. */
  get mayBeSampled(): boolean {
    return this.#isSampled || (this.#offered?.isSampled ?? false);
  }

  /** The caller is one whose traces are followed. */
  follow(): void {
    if (this.isSettled) return;
    this.#remote = this.#offered;
    this.settle();
  }

  /** It is found to be a part of this one. */
  join(remote: TraceContext): void {
    if (this.isSettled) return;
    this.#remote = remote;
    this.settle();
  }

  /** From here on it has an id: that of the caller if it is followed, else one of its own. */
  settle(): void {
    if (this.isSettled) return;
    this.#id = this.#remote?.traceId ?? newHex(16);
    this.#isSampled = tracer?.samples(this.#id, this.#remote?.isSampled ?? null) ?? false;
    this.#offered = null;
    for (const then of this.#waiting) then();
    this.#waiting = [];
  }

  /** One that is never sampled: of work that no request and no decision asked for. */
  ignore(): this {
    this.#isSampled = false;
    return this;
  }

  whenSettled(then: () => void): void {
    if (this.isSettled) then();
    else this.#waiting.push(then);
  }
}

/** Of another process, or of this one. */
export type Sharer = TraceContext | Span;

export class Span {
  readonly #trace: Trace;
  readonly #parent: Span | null;
  #links: readonly Sharer[];
  readonly #since: number;
  #until = 0;
  #id: string | null = null;
  #hasFailed = false;
  #isPatient = false;
  #isVain = false;
  #attributes: SpanAttributes;
  name: string;
  readonly kind: SpanKind;

  constructor(
    name: string,
    attributes: SpanAttributes,
    { trace, parent, kind = 'internal', links = [], since = performance.now() }: SpanPlace,
  ) {
    this.#since = since;
    this.name = name;
    this.kind = kind;
    this.#attributes = attributes;
    this.#trace = trace;
    this.#parent = parent;
    this.#links = links;
  }

  get trace(): Trace {
    return this.#trace;
  }

  get hasEnded(): boolean {
    return this.#until !== 0;
  }

  get #spanId(): string {
    this.#id ??= newHex(8);
    return this.#id;
  }

  /** What other processes are told; of a trace of an unproven caller, from here on one of its own. */
  get context(): TraceContext {
    const { id: traceId, isSampled } = this.#trace;
    return { traceId, spanId: this.#spanId, isSampled };
  }

  /** null while the caller is unproven */
  get traceId(): string | null {
    return this.#trace.isSettled ? this.#trace.id : null;
  }

  set(attributes: SpanAttributes): void {
    this.#attributes = { ...this.#attributes, ...attributes };
  }

  /** A refusal is no failure: the caller is told what to change. */
  fail(error: unknown): void {
    const isRefusal = error instanceof AppError && error.kind !== 'internal';
    this.#hasFailed ||= !isRefusal;
    this.set({ 'error.type': typeOf(error) });
  }

  /** Something went wrong that was not thrown. */
  failed(): void {
    this.#hasFailed = true;
  }

  /** It is long by its nature, such as a stream, and what it is a part of is too: that alone is no reason to export it. */
  patient(): void {
    this.#isPatient = true;
    this.#parent?.patient();
  }

  /** @see Trace.follow */
  follow(): void {
    this.#trace.follow();
  }

  /** Nothing was to be done: it is not exported. */
  wasVain(): void {
    this.#isVain = true;
  }

  /** Whether it is still to be found out what it is a part of. */
  get isOpen(): boolean {
    return !this.#trace.isSettled;
  }

  /** What it is done for, where that is found out in the middle of it; the first sampled one has it, and the others are linked. */
  join(sharers: readonly TraceContext[]): void {
    const [first, ...others] = sharers.filter(({ isSampled }) => isSampled);
    if (!first || !this.isOpen) return;
    this.#links = others.slice(0, mostLinks);
    this.#trace.join(first);
  }

  run<Result>(work: () => Result): Result {
    return current.run(this, work);
  }

  end(): void {
    if (this.hasEnded) return;
    this.#until = performance.now();
    if (this.#parent === null) this.#trace.settle();
    if (this.#links.length === 0 && this.#trace.isSettled) {
      this.#export();
      return;
    }
    const traces = [this.#trace, ...this.#links.flatMap((link) => (link instanceof Span ? link.trace : []))];
    let open = traces.length;
    for (const trace of traces)
      trace.whenSettled(() => {
        open -= 1;
        if (open === 0) this.#export();
      });
  }

  #export(): void {
    const kept = this.#trace.isSampled ? undefined : this.#isKept();
    if (!tracer || kept === null || this.#isVain) return;
    const { epoch, remote, id: traceId } = this.#trace;
    const isSampled = true;
    tracer.take({
      name: this.name,
      kind: this.kind,
      context: { traceId, spanId: this.#spanId, isSampled },
      parent: this.#parent ? { traceId, spanId: this.#parent.#spanId, isSampled } : remote,
      isRemote: this.#parent === null,
      begunAt: epoch + this.#since,
      endedAt: epoch + this.#until,
      hasFailed: this.#hasFailed,
      attributes: kept ? { ...this.#attributes, 'postrider.kept': kept } : this.#attributes,
      links: this.#links
        .map((link) => (link instanceof Span ? link.context : link))
        .filter((link) => link.isSampled),
    });
  }

  #isKept(): 'error' | 'slow' | null {
    const isSlow = !this.#isPatient && this.#until - this.#since > slowMs;
    if (!(this.#hasFailed || isSlow) || !tracer?.admitsUnsampled()) return null;
    return this.#hasFailed ? 'error' : 'slow';
  }
}

interface SpanPlace {
  trace: Trace;
  /** in this process */
  parent: Span | null;
  kind?: SpanKind | undefined;
  links?: readonly Sharer[] | undefined;
  /** when it began, by the monotonic clock; default now */
  since?: number;
}

const current = new AsyncLocalStorage<Span>();

/** Codes of the product, of PostgreSQL and of the system; else the class. */
function typeOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && /^[0-9A-Z_]{4,40}$/.test(code) ? code : error.constructor.name;
}

/** The innermost span that has not ended: timers and connections live longer than the request that happened to start them. */
export function currentSpan(): Span | null {
  if (tracer === null) return null;
  const span = current.getStore();
  return span && !span.hasEnded ? span : null;
}

/** The trace that a row keeps for the process that takes it; null for one that is not sampled. */
export function currentTrace(): Buffer | null {
  const span = currentSpan();
  if (!span) return null;
  const { context } = span;
  return context.isSampled ? bytesOfTrace(context) : null;
}

/** What log lines have of the current span. */
export function traceOfLine(): { traceId?: string } {
  const traceId = currentSpan()?.traceId;
  return traceId ? { traceId } : {};
}

type Work<Result> = (span: Span | null) => Promise<Result>;

async function during<Result>(span: Span, work: Work<Result>): Promise<Result> {
  try {
    return await span.run(() => work(span));
  } catch (error) {
    span.fail(error);
    throw error;
  } finally {
    span.end();
  }
}

/** Work that is a part of the current span; of none, it is not traced. */
export function span<Result>(
  name: string,
  attributes: SpanAttributes,
  work: Work<Result>,
  kind?: SpanKind,
): Promise<Result> {
  const parent = currentSpan();
  if (!parent) return work(null);
  return during(new Span(name, attributes, { trace: parent.trace, parent, kind }), work);
}

/** A named statement; of a group, the span of the group is that of its statement. */
export function statementSpan<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  const parent = currentSpan();
  if (!parent || parent.name.startsWith('sql ')) return work();
  return during(new Span(`sql ${name}`, {}, { trace: parent.trace, parent, kind: 'client' }), work);
}

interface Root {
  /** what the row that it is about keeps of its trace; without one, the trace begins here */
  parent?: TraceContext | null;
  kind?: SpanKind;
}

/** Work with which a trace begins in this process. */
export const rootSpan = <Result>(
  name: string,
  attributes: SpanAttributes,
  { parent = null, kind }: Root,
  work: Work<Result>,
): Promise<Result> =>
  tracer
    ? during(new Span(name, attributes, { trace: new Trace(parent), parent: null, kind }), work)
    : work(null);

/**
 * Work of which it is found out only in the middle for what it is done, by `Span.join`. Where none of that is sampled, a trace begins with
 * it.
 */
export const joiningSpan = <Result>(
  name: string,
  attributes: SpanAttributes,
  work: Work<Result>,
): Promise<Result> =>
  tracer
    ? during(new Span(name, attributes, { trace: new Trace(null, null, true), parent: null }), work)
    : work(null);

/**
 * Work that several do together: a part of the trace of the first that is sampled, and linked to the others. Without a sampled one it is
 * exported only if it fails or is slow.
 */
export function sharedSpan<Result>(
  name: string,
  attributes: SpanAttributes,
  sharers: readonly Sharer[],
  work: Work<Result>,
  kind?: SpanKind,
): Promise<Result> {
  return tracer ? during(new Span(name, attributes, { ...placeAmong(sharers), kind }), work) : work(null);
}

function placeAmong(sharers: readonly Sharer[]): SpanPlace {
  const first = sharers.find(mayBeSampled) ?? sharers[0];
  const links = sharers.filter((sharer) => sharer !== first && mayBeSampled(sharer)).slice(0, mostLinks);
  return first instanceof Span
    ? { trace: first.trace, parent: first, links }
    : { trace: first ? new Trace(first) : new Trace(null).ignore(), parent: null, links };
}

/** The same of work that has been done since `since`, where it is known only afterwards who shared it. */
export function noteShared(
  name: string,
  attributes: SpanAttributes,
  sharers: readonly Sharer[],
  since: number,
): void {
  if (tracer) new Span(name, attributes, { ...placeAmong(sharers), since }).end();
}

/**
 * A span that its caller ends, of work that goes on in many steps.
 *
 * @param begins whether a trace may begin with it; otherwise only one that it is a part of is sampled
 */
export function openSpan(
  name: string,
  attributes: SpanAttributes,
  { parent = null, kind, begins }: Root & { begins: boolean },
): Span | null {
  if (!tracer) return null;
  const trace = new Trace(parent);
  return new Span(name, attributes, {
    trace: parent || begins ? trace : trace.ignore(),
    parent: null,
    kind,
  });
}

/** A part of a span that has been done since `since`. */
export function noteSpan(
  parent: Span,
  name: string,
  attributes: SpanAttributes,
  { since, kind, hasFailed }: { since: number; kind: SpanKind; hasFailed: boolean },
): void {
  const noted = new Span(name, attributes, { trace: parent.trace, parent, kind, since });
  if (hasFailed) noted.failed();
  noted.end();
}

const mostLinks = 64;

const mayBeSampled = (sharer: Sharer): boolean =>
  sharer instanceof Span ? sharer.trace.mayBeSampled : sharer.isSampled;

/**
 * The span of a request, which its door ends. The trace that a caller names is followed once the caller has proven who it is, by
 * `Span.follow`: until then its spans wait.
 */
export function requestSpan(name: string, traceparent: string | undefined): Span | null {
  if (!tracer) return null;
  const offered = traceparent === undefined ? null : readTraceparent(traceparent);
  return new Span(name, {}, { trace: new Trace(null, offered), parent: null, kind: 'server' });
}
