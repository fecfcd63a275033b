import {
  bulkDeleteContacts,
  bulkSubscribeContacts,
  bulkUnsubscribeContacts,
  deleteContact,
  deleteContactField,
  getContact,
  getContactBulkJob,
  getContactFieldUsage,
  getContactImport,
  listContactFields,
  listContactFieldValues,
  listContacts,
  lookupContacts,
  startContactImport,
  updateContact,
  upsertContact,
  verifyAddress,
} from '@postrider/core/contacts';
import { builder } from './builder.ts';
import { deletionField, mutationField, recordField } from './fields.ts';
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
mutationField('updateContact', updateContact, Contact);
deletionField('deleteContact', deleteContact);

const ContactFields = objectFromZod(listContactFields.output, 'ContactFields');
const ContactFieldValues = objectFromZod(listContactFieldValues.output, 'ContactFieldValues');
const ContactFieldUsage = objectFromZod(getContactFieldUsage.output, 'ContactFieldUsage');
const DeletedContactField = objectFromZod(deleteContactField.output, 'DeletedContactField');
const ContactLookup = objectFromZod(lookupContacts.output, 'ContactLookup');
const QueuedJob = objectFromZod(startContactImport.output, 'QueuedJob');
const ImportJob = objectFromZod(getContactImport.output, 'ImportJob');
const BulkJob = objectFromZod(getContactBulkJob.output, 'BulkJob');

builder.queryFields((t) => ({
  contactFields: t.field({
    type: ContactFields,
    description: listContactFields.summary,
    extensions: { operation: listContactFields.name },
    resolve: (_root, _args, { ctx }) => listContactFields.run(ctx, {}),
  }),
  contactFieldValues: t.field({
    type: ContactFieldValues,
    description: listContactFieldValues.summary,
    extensions: { operation: listContactFieldValues.name },
    args: { field: t.arg.string({ required: true }), limit: t.arg.int() },
    resolve: (_root, args, { ctx }) => listContactFieldValues.run(ctx, args),
  }),
  contactFieldUsage: t.field({
    type: ContactFieldUsage,
    description: getContactFieldUsage.summary,
    extensions: { operation: getContactFieldUsage.name },
    args: { field: t.arg.string({ required: true }) },
    resolve: (_root, args, { ctx }) => getContactFieldUsage.run(ctx, args),
  }),
  contactLookup: t.field({
    type: ContactLookup,
    description: lookupContacts.summary,
    extensions: { operation: lookupContacts.name },
    args: { emails: t.arg.stringList({ required: true }) },
    resolve: (_root, args, { ctx }) => lookupContacts.run(ctx, args),
  }),
  contactImport: t.field({
    type: ImportJob,
    description: getContactImport.summary,
    extensions: { operation: getContactImport.name },
    args: { jobId: t.arg.id({ required: true }) },
    resolve: (_root, args, { ctx }) => getContactImport.run(ctx, args),
  }),
  contactBulkJob: t.field({
    type: BulkJob,
    description: getContactBulkJob.summary,
    extensions: { operation: getContactBulkJob.name },
    args: { jobId: t.arg.id({ required: true }) },
    resolve: (_root, args, { ctx }) => getContactBulkJob.run(ctx, args),
  }),
}));
mutationField('deleteContactField', deleteContactField, DeletedContactField);
mutationField('importContacts', startContactImport, QueuedJob);
mutationField('bulkSubscribeContacts', bulkSubscribeContacts, QueuedJob);
mutationField('bulkUnsubscribeContacts', bulkUnsubscribeContacts, QueuedJob);
mutationField('bulkDeleteContacts', bulkDeleteContacts, QueuedJob);
