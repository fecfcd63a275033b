import { traceOfBytes } from '../../base/kernel/trace-context.rules.ts';
import { isTracing, noteShared, openSpan, span } from '../../base/kernel/traces.ts';
import type { ClaimedBatch } from '../ledger/index.ts';
import type { Kind } from '../ledger/ledger.rules.ts';
import { BatchTrace } from './batch-span.ts';
import type { HeldBatch } from './held-batch.ts';

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
