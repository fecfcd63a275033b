import type { Db } from '../../../base/db/index.ts';
import type { Secrets } from '../../../base/kernel/index.ts';
import { lockContacts } from '../contacts.store.ts';
import { settleData } from '../fields/definitions.rules.ts';
import { presentDefinitions } from '../fields/definitions.ts';
import type { BulkInput, BulkProgress } from '../jobs/jobs.rules.ts';
import { updateContactsById } from '../update-by-id.store.ts';

/** Writes the data of a bulk change into contacts. `db` must be a transaction. */
export async function changeData(
  db: Db,
  secrets: Pick<Secrets, 'addressHash'>,
  projectId: string,
  { data, timeZone = 'UTC' }: BulkInput,
  ids: readonly string[],
): Promise<{ found: Set<string>; changed: number; refused: BulkProgress['errors'] }> {
  if (!data) throw new Error('a bulk change does not know its data');
  const { set, unset, lists } = settleData(
    { ...data, transient: {} },
    await presentDefinitions(db, projectId),
    timeZone,
    'lenient',
  );
  const before = await lockContacts(db, projectId, ids);
  const change = { subscribed: null, set, unset, lists };
  const after = await updateContactsById(
    db,
    secrets,
    projectId,
    before.map(({ id, email }) => ({ id, email, ...change })),
    { by: 'mass', source: 'bulk', actor: 'system', reason: 'bulk' },
  );
  const refused = before.flatMap(({ id, email }) =>
    after.get(id)?.isTooLarge
      ? { contactId: id, email, error: 'The data would be larger than 64 KiB of JSON' }
      : [],
  );
  const changed = before.filter(({ id }) => {
    const now = after.get(id);
    return now && !now.isSame && !now.isTooLarge;
  });
  return { found: new Set(before.map(({ id }) => id)), changed: changed.length, refused };
}
