import { getContact, listContacts, upsertContact, verifyAddress } from '@postrider/core/contacts';
import { asMutation, asQuery, t } from './trpc.ts';

export const contactsRouter = t.router({
  list: asQuery(listContacts),
  get: asQuery(getContact),
  upsert: asMutation(upsertContact),
  verifyAddress: asMutation(verifyAddress),
});
