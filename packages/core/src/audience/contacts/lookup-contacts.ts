import { addressSought, invalid, projectIdOf, query } from '../../base/kernel/index.ts';
import { lookupInput, lookupLimit, lookupResult } from './contacts.schema.ts';
import { findNamed } from './contacts.store.ts';

export const lookupContacts = query({
  name: 'contacts.lookup',
  summary: 'Finds the contacts of up to 500 addresses or external ids',
  permission: 'data:read',
  input: lookupInput,
  output: lookupResult,
  async handler(ctx, { emails = [], externalIds = [] }) {
    assertNumber(emails.length + externalIds.length);
    const sought = externalIds.map((given) => given.trim());
    const found = await findNamed(ctx.db, projectIdOf(ctx), emails.map(addressSought), sought);
    const byEmail = new Map(found.map((contact) => [contact.email, contact]));
    const byExternalId = new Map(found.map((contact) => [contact.externalId, contact]));
    const contactAt = (email: string) => byEmail.get(addressSought(email));
    const known = [
      ...emails.map((given) => ({ given, contact: contactAt(given) })),
      ...externalIds.map((given) => ({ given, contact: byExternalId.get(given.trim()) })),
    ];
    return {
      found: emails.filter(contactAt),
      notFound: emails.filter((email) => !contactAt(email)),
      contacts: known.flatMap(({ given, contact }) => (contact ? [{ given, ...contact }] : [])),
    };
  },
});

/** @throws AppError VALIDATION_ERROR */
function assertNumber(count: number): void {
  if (count === 0)
    throw invalid([{ field: 'emails', code: 'required', message: 'Give emails or externalIds' }]);
  if (count > lookupLimit)
    throw invalid([
      {
        field: 'emails',
        code: 'too_big',
        message: `At most ${lookupLimit} addresses and external ids together`,
      },
    ]);
}
