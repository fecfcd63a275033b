import { rowOf, stageFacts } from '../../base/kernel/mail-replies.rules.ts';
import type { HandOver, Refused } from '../../base/kernel/ports/mail-transport.ts';
import { storable } from '../../base/lib/index.ts';
import { diagnose, diagnosisOf } from '../diagnosis/index.ts';
import type { BatchResult } from '../ledger/index.ts';
import { afterTemporaryFailure, type RetryTimes } from '../ledger/ledger.rules.ts';
import { namedDelayMs } from './named-delay.rules.ts';

/** An email's earlier attempts, which decide about the next one. */
export interface AttemptHistory {
  attempts: number;
  answeredForMs: number | null;
}

/** What the outcome of a transfer means for its email (B3.3), unless it is one of the route or of the sender. */
export function resultOf(handOver: HandOver, history: AttemptHistory, times: RetryTimes): BatchResult {
  if (handOver.kind === 'accepted')
    return { outcome: 'sent', ...(handOver.providerId && { providerId: handOver.providerId }) };
  if (handOver.kind === 'withheld' || handOver.kind === 'route') return { outcome: 'giveback' };
  const text = handOver.kind === 'refused' ? handOver.response : handOver.error;
  const error = storable(text);
  const said = handOver.kind === 'refused' && !handOver.isOwn ? saidBy(handOver) : {};
  switch (rowOf(handOver)?.effect) {
    case 'uncertain':
      return { outcome: 'uncertain', error };
    case 'fail':
    case 'fail or pause':
      return { outcome: 'failed', error, ...said };
    default: {
      const decision = afterTemporaryFailure(
        history.attempts,
        history.answeredForMs,
        times,
        namedDelayMs(text),
      );
      return decision.kind === 'give_up'
        ? { outcome: 'failed', error, ...said }
        : { outcome: 'retry', error, waitMs: decision.waitMs, ...said };
    }
  }
}

/** What a refusal says (behaviour B3.7). */
function saidBy({
  code,
  enhancedCode,
  response,
  stage,
}: Refused): Pick<BatchResult, 'diagnosis' | 'hardBounce'> {
  const found = diagnose({
    reply: code,
    status: enhancedCode,
    text: response,
    about: stageFacts[stage].about,
  });
  return {
    diagnosis: diagnosisOf(found, response),
    ...(found.bounceType === 'Permanent' && { hardBounce: true }),
  };
}
