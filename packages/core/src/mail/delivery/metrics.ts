import { Counter, register } from 'prom-client';
import { countEmails, countUncertain } from '../../base/kernel/metrics.ts';
import type { Written } from '../ledger/index.ts';

const name = 'postrider_composing_setbacks_total';

/** How often email could not be composed for a reason outside of it, such as a module that is missing. Each is worth an alarm. */
export const composingSetbacks = (register.getSingleMetric(name) ??
  new Counter({
    name,
    help: 'Attempts to compose the email of a content that failed for a reason outside of it',
  })) as Counter;

/** @param cause why email became UNCERTAIN, where it did */
export function countWritten({ outcomes }: Written, cause: 'answer' | 'process'): void {
  for (const { source, outcome, count } of outcomes) {
    countEmails(source, outcome, count);
    if (outcome === 'uncertain') countUncertain(cause, count);
  }
}
