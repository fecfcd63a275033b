import { getContact, listContacts, upsertContact, verifyAddress } from '@postrider/core/contacts';
import { builder } from './builder.ts';
import { mutationField, recordField } from './fields.ts';
import { connectionField } from './lists.ts';
import { objectFromZod } from './object-from-zod.ts';

const VerifiedAddress = objectFromZod(verifyAddress.output, 'VerifiedAddress');
export const Contact = objectFromZod(getContact.output, 'Contact');

type ContactRecord = typeof Contact.$inferType;

const UpsertContactPayload = builder
  .objectRef<{ contact: ContactRecord; isNew: boolean }>('UpsertContactPayload')
  .implement({
    fields: (t) => ({
      contact: t.field({ type: Contact, resolve: ({ contact }) => contact }),
      isNew: t.exposeBoolean('isNew', { description: 'false when the address had a contact already' }),
    }),
  });

recordField('contact', getContact, Contact);
connectionField('contacts', listContacts, Contact, ({ email, createdAt }, { sort }) =>
  sort === 'email' ? email : createdAt,
);
mutationField('upsertContact', upsertContact, UpsertContactPayload, {
  result: ({ _meta, ...contact }) => ({ contact, isNew: _meta.isNew }),
});
mutationField('verifyAddress', verifyAddress, VerifiedAddress);
