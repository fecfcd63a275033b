import type { OutgoingAnswer } from '../../../base/kernel/ports/outgoing-http.ts';

/** Seconds from an attempt to the next one (behaviour B11.3); after the last of them the delivery is FAILED. */
export const retrySeconds = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400] as const;

export const attemptTimeoutMs = 15_000;
/** A claim outlives its attempt and the writing of the result. After a crash its deliveries are due again at its end. */
export const leaseMs = 30_000;
/** Bytes of an answer that are kept. */
export const keptResponseBytes = 2_048;
/** An endpoint without a success for this long is disabled. */
export const failingDays = 5;

export interface Verdict {
  delivered: boolean;
  /** the endpoint no longer wants events: neither this delivery nor another is attempted */
  gone: boolean;
  statusCode: number | null;
  error: string | null;
}

/** What an answer means for the delivery (behaviour B11.3). */
export function judge(answer: OutgoingAnswer): Verdict {
  if (answer.kind !== 'answer')
    return { delivered: false, gone: false, statusCode: null, error: answer.reason };
  const { status } = answer;
  return {
    delivered: status >= 200 && status < 300,
    gone: status === 410,
    statusCode: status,
    error: status >= 300 && status < 400 ? 'redirects are not followed' : null,
  };
}
