import { AppError, projectIdOf, query } from '../../base/kernel/index.ts';
import { contactShape, getContactInput } from './contacts.schema.ts';
import { findContact } from './contacts.store.ts';

export const getContact = query({
  name: 'contacts.get',
  summary: 'Returns one contact',
  permission: 'data:read',
  errors: ['CONTACT_NOT_FOUND'],
  input: getContactInput,
  output: contactShape,
  async handler(ctx, { id }) {
    const contact = await findContact(ctx.db, projectIdOf(ctx), id);
    if (!contact) throw contactNotFound();
    return contact;
  },
});

export const contactNotFound = (): AppError => new AppError('CONTACT_NOT_FOUND', 'Contact not found');
