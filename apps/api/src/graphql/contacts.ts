import {
  bulkDeleteContacts,
  bulkSubscribeContacts,
  bulkTopicsOfContacts,
  bulkUnsubscribeContacts,
  defineContactField,
  deleteContact,
  deleteContactField,
  getContact,
  getContactBulkJob,
  getContactFieldUsage,
  getContactImport,
  listContactFields,
  listContactFieldValues,
  listContactImports,
  lookupContacts,
  startContactImport,
  updateContact,
  upsertContact,
  verifyAddress,
} from '@postrider/core/audience/contacts';
import { listContacts } from '@postrider/core/audience/segments';
import { previewContactLimits } from '@postrider/core/mail/sending';
import { builder } from './builder.ts';
import { deletionField, mutationField, queryField, recordField } from './fields.ts';
import { connectionField } from './lists.ts';
import { objectFromZod } from './object-from-zod.ts';

const VerifiedAddress = objectFromZod(verifyAddress.output);
export const Contact = objectFromZod(updateContact.output);

type ContactRecord = typeof Contact.$inferType;

const UpsertContactPayload = builder
  .objectRef<{ contact: ContactRecord; isNew: boolean }>('UpsertContactPayload')
  .implement({
    description: 'The stored contact.',
    fields: (t) => ({
      contact: t.field({ type: Contact, description: 'The contact.', resolve: ({ contact }) => contact }),
      isNew: t.exposeBoolean('isNew', { description: 'false if the contact already existed' }),
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
mutationField('updateContact', updateContact, Contact);
deletionField('deleteContact', deleteContact);

const ContactFields = objectFromZod(listContactFields.output);
const ContactFieldValues = objectFromZod(listContactFieldValues.output);
const ContactFieldUsage = objectFromZod(getContactFieldUsage.output);
const DefinedContactField = objectFromZod(defineContactField.output);
const DeletedContactField = objectFromZod(deleteContactField.output);
const ContactLookup = objectFromZod(lookupContacts.output);
export const QueuedJob = objectFromZod(startContactImport.output);
export const ImportJob = objectFromZod(getContactImport.output);
const BulkJob = objectFromZod(getContactBulkJob.output);

queryField('contactFields', listContactFields, ContactFields);
queryField('contactFieldValues', listContactFieldValues, ContactFieldValues);
queryField('contactFieldUsage', getContactFieldUsage, ContactFieldUsage);
queryField('contactLimitsPreview', previewContactLimits, objectFromZod(previewContactLimits.output));
queryField('contactLookup', lookupContacts, ContactLookup);
queryField('contactImport', getContactImport, ImportJob);
connectionField(
  'contactImports',
  listContactImports,
  objectFromZod(listContactImports.output.shape.data.element),
  ({ createdAt }) => createdAt,
);
queryField('contactBulkJob', getContactBulkJob, BulkJob);
mutationField('defineContactField', defineContactField, DefinedContactField);
mutationField('deleteContactField', deleteContactField, DeletedContactField);
mutationField('importContacts', startContactImport, QueuedJob);
mutationField('bulkSubscribeContacts', bulkSubscribeContacts, QueuedJob);
mutationField('bulkUnsubscribeContacts', bulkUnsubscribeContacts, QueuedJob);
mutationField('bulkTopicsOfContacts', bulkTopicsOfContacts, QueuedJob);
mutationField('bulkDeleteContacts', bulkDeleteContacts, QueuedJob);
