import type { Period } from '../../base/figures/parts.rules.ts';
import { type AppError, invalid } from '../../base/kernel/errors.ts';

const dayMs = 86_400_000;
/** The length of a period when a request gives only one of its ends, or neither. */
const defaultDays = 30;
/** The longest period that can be asked for. */
const mostDays = 90;

export type { Period };

/**
 * The period of a request: 30 days until now where it names no ends.
 *
 * @throws AppError VALIDATION_ERROR when it ends before it starts, or is longer than 90 days
 */
export function periodOf({ from, to }: Partial<Period>, now: Date): Period {
  const end = to ?? now;
  const start = from ?? new Date(end.getTime() - defaultDays * dayMs);
  const length = end.getTime() - start.getTime();
  if (length < 0)
    throw outOfRange({ field: from ? 'from' : 'to', message: 'The period must not end before it starts' });
  if (length > mostDays * dayMs)
    throw outOfRange({ field: 'from', message: `A period has at most ${mostDays} days` });
  return { from: start, to: end };
}

const outOfRange = (error: { field: string; message: string }): AppError =>
  invalid([{ ...error, code: 'invalid_range' }]);
