import { isDuplicate } from '../../base/db/index.ts';
import { type Context, command, conflict, projectIdOf, suggestions } from '../../base/kernel/index.ts';
import { hashedAddress, numberedChoices, recordMove, statedBy, writeConsent } from '../consent/index.ts';
import { isTooLarge, type StoredValue } from './contacts.rules.ts';
import { contactShape, limitedContact, updateContactInput } from './contacts.schema.ts';
import {
  type ContactRow,
  contactDataLimitError,
  externalIdTaken,
  findContact,
  isAddressTaken,
  lockContact,
  writeContact,
} from './contacts.store.ts';
import type { SettledData } from './fields/definitions.rules.ts';
import { assertListsFit, settledData } from './fields/definitions.ts';
import { changedList } from './fields/lists.rules.ts';
import { recallFormerSpellings } from './former-spellings.store.ts';
import { contactNotFound } from './get-contact.ts';
import { findOptOut, isByRecipient, rememberOptOuts } from './subscriptions.store.ts';

export const updateContact = command({
  name: 'contacts.update',
  summary: 'Updates the address, external id, subscription or data of a contact',
  permission: 'data:write',
  risk: 'events',
  errors: ['CONTACT_NOT_FOUND', 'CONFLICT'],
  input: updateContactInput,
  output: contactShape,
  record: limitedContact,
  async handler(ctx, { id: reference, email, externalId, subscribed, data, topics, consent }) {
    const projectId = projectIdOf(ctx);
    const settled = data && (await settledData(ctx, data, 'strict'));
    const choices = await numberedChoices(ctx.db, projectId, topics);
    const said = await statedBy(ctx, projectId, consent);
    const before = await lockContact(ctx.db, projectId, reference);
    if (!before) throw contactNotFound();
    const { id } = before;
    const after = {
      email: email ?? before.email,
      externalId: externalId === undefined ? before.externalId : externalId,
      data: mergeData(before.data, settled),
    };
    if (settled) assertListsFit(after.data, settled.lists);
    const carried = await moveAddress(ctx, before, after.email, subscribed);
    await write(ctx, before, after);
    if (after.email !== before.email) await recordMove(ctx.db, projectId, id, said);
    if (subscribed !== undefined || topics !== undefined || consent !== undefined || carried !== null) {
      const optOut = hashedAddress(ctx.services.secrets, projectId, after.email);
      await writeConsent(ctx.db, projectId, said, {
        ...{ contact: id, kind: 'state', wanted: subscribed ?? (carried === null ? null : false), optOut },
        ...(carried !== null && { optOutBy: carried }),
        ...choices,
      });
    }
    const contact = await findContact(ctx.db, projectId, { by: 'id', value: id });
    if (!contact) throw contactNotFound();
    ctx.audit({ targetType: 'contact', targetId: id, changed: changedFields(before, contact) });
    return contact;
  },
});

/** @throws AppError VALIDATION_ERROR when the contact's data would be too large */
function mergeData(
  before: Record<string, StoredValue>,
  data: SettledData | null | undefined,
): Record<string, StoredValue> {
  if (data === undefined) return before;
  if (data === null) return {};
  const merged = new Map(Object.entries(before));
  for (const [key, value] of Object.entries(data.set)) merged.set(key, value);
  for (const key of data.unset) merged.delete(key);
  for (const [key, change] of Object.entries(data.lists))
    merged.set(key, changedList(merged.get(key), change));
  const after = Object.fromEntries(merged);
  if (isTooLarge(JSON.stringify(after))) throw contactDataLimitError();
  return after;
}

/**
 * An opt-out belongs to an address: it stays with the contact's old address, and applies to the new one unless
 * `subscribed` is given.
 *
 * @returns whose opt-out of the new address ends the subscription; null for none
 * @throws AppError CONFLICT when another contact has the address
 */
async function moveAddress(
  { db, services: { secrets } }: Context,
  before: ContactRow,
  email: string,
  subscribed: boolean | undefined,
): Promise<'recipient' | 'request' | null> {
  if (email === before.email) return null;
  const { projectId } = before;
  await recallFormerSpellings(db, secrets, projectId, [email]);
  if (await isAddressTaken(db, projectId, email)) throw addressTaken();
  if (before.status === 'unsubscribed' || before.status === 'snoozed') {
    const byRecipient = await isByRecipient(db, projectId, before.id);
    await rememberOptOuts(db, secrets, projectId, [{ email: before.email, byRecipient }]);
  }
  if (subscribed !== undefined || !before.subscribed) return null;
  const optOut = await findOptOut(db, secrets, projectId, email);
  return optOut && (optOut.byRecipient ? 'recipient' : 'request');
}

async function write(
  { db, services }: Context,
  before: ContactRow,
  after: Pick<ContactRow, 'email' | 'externalId' | 'data'>,
): Promise<void> {
  try {
    await writeContact(db, before, after);
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    // Otherwise another contact got the address after it was checked.
    throw (await externalIdTaken(services, before, after.externalId)) ?? addressTaken();
  }
}

const addressTaken = () =>
  conflict('Another contact in this project has this email address', {
    suggestion: suggestions.CONFLICT.addressTaken,
  });

const changedFields = (before: ContactRow, after: ContactRow): string[] =>
  (['email', 'externalId', 'subscribed', 'topics', 'data'] as const).filter(
    (field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  );
