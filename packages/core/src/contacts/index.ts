export { bulkDeleteContacts, bulkSubscribeContacts, bulkUnsubscribeContacts } from './bulk-change.ts';
export { changeContactsJob, importContactsJob } from './contacts.jobs.ts';
export {
  type ContactChange,
  type DataIssue,
  type DataMode,
  dataLimitBytes,
  isTooLarge,
  type Primitive,
  reservedDataKeys,
  type SplitData,
  splitContactData,
} from './contacts.rules.ts';
export { contactData, contactShape, lookupLimit, readContactData } from './contacts.schema.ts';
export {
  type ContactUpsertParameters,
  contactDataLimitError,
  contactUpsertCtes,
  contactUpsertInput,
  type FlipReason,
} from './contacts.store.ts';
export { deleteContact } from './delete-contact.ts';
export { deleteContactField } from './delete-field.ts';
export { deleteSuppression } from './delete-suppression.ts';
export { eraseContacts } from './erase.store.ts';
export { getContact } from './get-contact.ts';
export { getContacts } from './get-contacts.ts';
export { getContactFieldUsage } from './get-field-usage.ts';
export { getContactBulkJob, getContactImport } from './get-job.ts';
export { type ImportedContact, importContacts } from './import.store.ts';
export { bulkInput, importLimitBytes } from './jobs.schema.ts';
export { findOpenContactJobs, giveUpJob, sweepJobs } from './jobs.ts';
export { listContacts } from './list-contacts.ts';
export { listContactFieldValues } from './list-field-values.ts';
export { listContactFields } from './list-fields.ts';
export { listSuppressions } from './list-suppressions.ts';
export { lookupContacts } from './lookup-contacts.ts';
export { runBulkBatch } from './run-bulk-change.ts';
export { runImport } from './run-import.ts';
export { importTooLarge, startContactImport } from './start-import.ts';
export { changeSubscriptions, endSnoozes } from './subscriptions.store.ts';
export { updateContact } from './update-contact.ts';
export { upsertContact } from './upsert-contact.ts';
export { verifyAddress } from './verify-address.ts';
