import { AppError, projectIdOf, query } from '../../base/kernel/index.ts';
import { getContactInput, limitedContact } from './contacts.schema.ts';
import { findContact } from './contacts.store.ts';
import { readLimitState } from './get-limits-of-contacts.ts';

export const getContact = query({
  name: 'contacts.get',
  summary: 'Returns one contact',
  permission: 'data:read',
  errors: ['CONTACT_NOT_FOUND'],
  input: getContactInput,
  output: limitedContact,
  async handler(ctx, { id }) {
    const contact = await findContact(ctx.db, projectIdOf(ctx), id);
    if (!contact) throw contactNotFound();
    return { ...contact, limits: await readLimitState(ctx, contact.id) };
  },
});

export const contactNotFound = (): AppError => new AppError('CONTACT_NOT_FOUND', 'Contact not found');
