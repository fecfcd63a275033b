import type { Db, EmailSource, EmailStatus } from '../../../base/db/index.ts';
import { quarterAfter, quarterBefore } from '../../../base/figures/index.ts';
import { countEmails, countHeldEmails, type EmailSearch } from '../emails.store.ts';
import { isTallied } from './tallied.rules.ts';
import { sumTallies } from './tally.store.ts';

/**
 * The number of emails of a project, by status, source and period, at a cost that does not grow with them; null when tallies do not know it.
 * SCHEDULED emails, and those that a delivery process holds, are counted: they are PENDING or UNCERTAIN as stored.
 */
export async function totalOfEmails(db: Db, search: EmailSearch): Promise<number | null> {
  if (!isTallied(search) || search.status === 'SENDING' || search.status === 'SCHEDULED') return null;
  const from = search.from && quarterAfter(search.from);
  const to = search.to && quarterBefore(search.to);
  if (from && to && from >= to) return null;
  const { projectId } = search;
  const sourceType = search.sourceType as EmailSource | undefined;
  const status = search.status as EmailStatus | undefined;
  const stored = await sumTallies(db, { projectId, sourceType, from, to, statuses: status && [status] });
  if (stored === null) return null;
  const within = { ...search, from, to };
  let total = stored;
  if (status === 'PENDING' || status === 'UNCERTAIN') total -= await countHeldEmails(db, within, status);
  if (status === 'PENDING') total -= await countEmails(db, { ...within, status: 'SCHEDULED' });
  // What lies beside the whole quarters of an hour.
  if (search.from && from && search.from < from)
    total += await countEmails(db, { ...search, from: search.from, to: from });
  if (search.to && to && to < search.to)
    total += await countEmails(db, { ...search, from: to, to: search.to });
  return total;
}
