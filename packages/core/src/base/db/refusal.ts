import { databaseCode } from './retry.ts';

/** A rule that a statement found violated, and that made it abort with `refuse(text)` (functions.sql). */
export type Refusal =
  | { rule: 'sender' }
  | { rule: 'idempotency' }
  | { rule: 'billing' }
  | { rule: 'ramp' | 'later'; cap: number }
  | { rule: 'topic' }
  | { rule: 'unsubscribed' | 'topic_off'; address: string }
  | { rule: 'data_too_large'; address: string };

/**
 * The rule that made a statement abort itself; null for every other failure. Takes errors of pg and of Prisma.
 *
 * @throws Error for a refusal whose text is not one of `Refusal`
 */
export function refusalOf(error: unknown): Refusal | null {
  if (databaseCode(error) !== 'PR001') return null;
  const text = messageOf(error);
  const separator = text.indexOf(':');
  const rule = separator < 0 ? text : text.slice(0, separator);
  const address = separator < 0 ? null : text.slice(separator + 1);
  if (
    address === null &&
    (rule === 'sender' || rule === 'idempotency' || rule === 'billing' || rule === 'topic')
  )
    return { rule };
  if (address !== null && (rule === 'ramp' || rule === 'later')) return { rule, cap: Number(address) };
  if (address !== null && (rule === 'unsubscribed' || rule === 'topic_off' || rule === 'data_too_large'))
    return { rule, address };
  throw new Error(`A statement refused with "${rule}", which is no known rule`, { cause: error });
}

/** The error of a rule that a statement for many requests found violated by one of them: `refusalOf` reads the same from it. */
export const refusedWith = (text: string): Error => Object.assign(new Error(text), { code: 'PR001' });

/** The message of the database itself: Prisma's own one has more around it. */
function messageOf(error: unknown): string {
  const { message, meta } = error as { message?: unknown; meta?: Record<string, unknown> };
  const adapter = meta?.['driverAdapterError'] as { cause?: { originalMessage?: unknown } } | undefined;
  return String(adapter?.cause?.originalMessage ?? message);
}
