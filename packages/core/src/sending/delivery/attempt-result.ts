import { storable } from '../../kernel/index.ts';
import type { HandOver } from '../../kernel/ports/mail-transport.ts';
import { classifyHardBounce } from '../hard-bounce.rules.ts';
import type { BatchResult } from '../ledger/batch.ts';
import { afterTemporaryFailure, type RetryTimes } from '../sending.rules.ts';

/** An email's earlier attempts, which decide about the next one. */
export interface AttemptHistory {
  attempts: number;
  answeredForMs: number | null;
}

/** What the outcome of a transfer means for its email (B3.3). */
export function resultOf(handOver: HandOver, history: AttemptHistory, times: RetryTimes): BatchResult {
  switch (handOver.kind) {
    case 'accepted':
      return { outcome: 'sent', ...(handOver.providerId && { providerId: handOver.providerId }) };
    case 'route':
    case 'withheld':
      return { outcome: 'giveback' };
    case 'unknown':
      return { outcome: 'uncertain', error: storable(handOver.error) };
    case 'interrupted':
      return temporary(handOver.error, history, times);
    case 'refused': {
      if (!handOver.permanent) return temporary(handOver.response, history, times);
      // Answers to MAIL FROM and DATA concern the sender or the server, whatever their text.
      const aboutRecipient = handOver.stage === 'rcpt' || handOver.stage === 'final';
      const hardBounce =
        aboutRecipient && classifyHardBounce(handOver.code, handOver.enhancedCode, handOver.response);
      return { outcome: 'failed', error: storable(handOver.response), ...(hardBounce && { hardBounce }) };
    }
  }
}

function temporary(
  text: string,
  { attempts, answeredForMs }: AttemptHistory,
  times: RetryTimes,
): BatchResult {
  const error = storable(text);
  const decision = afterTemporaryFailure(attempts, answeredForMs, times);
  return decision.kind === 'give_up'
    ? { outcome: 'failed', error }
    : { outcome: 'retry', error, waitMs: decision.waitMs };
}
