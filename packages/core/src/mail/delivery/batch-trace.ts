import { traceOfBytes } from '../../base/kernel/trace-context.rules.ts';
import { isTracing, noteShared, noteSpan, openSpan, type Span, span } from '../../base/kernel/traces.ts';
import type { ClaimedBatch } from '../ledger/index.ts';
import type { Kind } from '../ledger/ledger.rules.ts';
import type { Attempt } from './attempt.ts';
import type { HeldBatch } from './held-batch.ts';

interface Transfer {
  name: 'smtp.transaction' | 'ses.request';
  route: string;
  /** when the first of its batch began */
  since: number;
  count: number;
  bytes: number;
  hasFailed: boolean;
}

/**
 * The span of a batch for as long as this process holds it, with those of what it is made of (behaviour B11.13): a part of the trace of its
 * request. With a batch of a campaign a trace begins.
 */
export class BatchTrace {
  readonly #span: Span;
  readonly #kind: Kind;
  /** of a campaign: all hand-overs of the batch together */
  #transfer: Transfer | null = null;

  constructor(span: Span, kind: Kind) {
    this.#span = span;
    this.#kind = kind;
    // Its email waits for connections, and for the pace of its route.
    span.patient();
  }

  run<Result>(work: () => Result): Result {
    return this.#span.run(work);
  }

  handedOver(
    name: Transfer['name'],
    { begunAt, email, data }: Attempt,
    { route, outcome }: { route: string; outcome: string },
  ): void {
    // A server that refuses a message has done its part.
    const hasFailed = !/^[2-5]xx$/.test(outcome);
    if (this.#kind === 'direct') {
      const attributes = {
        'postrider.email_id': email.id,
        'postrider.route': route,
        'postrider.outcome': outcome,
        'postrider.bytes': data.length,
        'postrider.attempt': email.attempts + 1,
        'postrider.waited_ms': Math.max(0, Math.round(begunAt - email.dueAt)),
      };
      noteSpan(this.#span, name, attributes, { since: begunAt, kind: 'client', hasFailed });
      return;
    }
    this.#transfer ??= { name, route, since: begunAt, count: 0, bytes: 0, hasFailed: false };
    this.#transfer.since = Math.min(this.#transfer.since, begunAt);
    this.#transfer.count += 1;
    this.#transfer.bytes += data.length;
    this.#transfer.hasFailed ||= hasFailed;
  }

  /** The process no longer holds the batch. */
  end(): void {
    if (this.#span.hasEnded) return;
    if (this.#transfer) {
      const { name, route, since, count, bytes, hasFailed } = this.#transfer;
      const attributes = { 'postrider.route': route, 'postrider.count': count, 'postrider.bytes': bytes };
      noteSpan(this.#span, name, attributes, { since, kind: 'client', hasFailed });
    }
    this.#span.end();
  }
}

export function traceBatch(batch: HeldBatch, { trace }: ClaimedBatch): BatchTrace | null {
  if (!isTracing()) return null;
  const attributes = {
    'postrider.batch_id': batch.id,
    'postrider.project_id': batch.projectId,
    'postrider.campaign_id': batch.campaignId ?? undefined,
    'postrider.count': batch.size,
  };
  const begins = batch.campaignId !== null;
  const opened = openSpan('delivery.batch', attributes, {
    parent: traceOfBytes(trace),
    kind: 'consumer',
    begins,
  });
  return opened && new BatchTrace(opened, batch.kind);
}

/** The claim that took these batches, of which those were read. */
export function traceClaim(kind: Kind, count: number, read: readonly ClaimedBatch[], askedAt: number): void {
  if (!isTracing()) return;
  const sharers = read.flatMap(({ trace }) => traceOfBytes(trace) ?? []);
  noteShared('delivery.claim', { 'postrider.count': count, 'postrider.outcome': kind }, sharers, askedAt);
}

/** Composes emails of a batch as a part of its span. */
export function inBatch<Result>(
  { trace }: HeldBatch,
  emails: number,
  compose: () => Promise<Result>,
): Promise<Result> {
  const traced = (): Promise<Result> => span('delivery.compose', { 'postrider.count': emails }, compose);
  return trace ? trace.run(traced) : compose();
}
