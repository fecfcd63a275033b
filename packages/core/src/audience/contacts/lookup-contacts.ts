import { addressSought, projectIdOf, query } from '../../base/kernel/index.ts';
import { lookupInput, lookupResult } from './contacts.schema.ts';
import { findAddresses } from './contacts.store.ts';

export const lookupContacts = query({
  name: 'contacts.lookup',
  summary: 'Checks which of up to 500 addresses have a contact',
  permission: 'data:read',
  input: lookupInput,
  output: lookupResult,
  async handler(ctx, { emails }) {
    const known = await findAddresses(ctx.db, projectIdOf(ctx), emails.map(addressSought));
    const isKnown = (email: string): boolean => known.has(addressSought(email));
    return { found: emails.filter(isKnown), notFound: emails.filter((email) => !isKnown(email)) };
  },
});
