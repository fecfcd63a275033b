export { bulkDeleteContacts, bulkSubscribeContacts, bulkUnsubscribeContacts } from './bulk/bulk-change.ts';
export { runBulkBatch } from './bulk/run-bulk-change.ts';
export { contactSample } from './contact-sample.store.ts';
export { changeContactsJob, importContactsJob } from './contacts.jobs.ts';
export {
  type ContactChange,
  dataLimitBytes,
  isTooLarge,
  splitContactData,
} from './contacts.rules.ts';
export { lookupLimit } from './contacts.schema.ts';
export {
  type ContactFilter,
  type ContactOrder,
  type ContactRow,
  contactDataLimitError,
  contactUpsertCtes,
  contactUpsertInput,
  countContacts,
  type PreparedChange,
  prepareChanges,
  searchContacts,
  searchMatches,
  sortedAtMost,
  totalOfContacts,
  toUpsertInput,
} from './contacts.store.ts';
export { deleteContact } from './delete-contact.ts';
export { awaitErasures, eraseTraces } from './erase.store.ts';
export { deleteContactField } from './fields/delete-field.ts';
export { wantedFieldFigures } from './fields/fields.store.ts';
export { getContactFieldUsage } from './fields/get-field-usage.ts';
export { listContactFieldValues } from './fields/list-field-values.ts';
export { listContactFields } from './fields/list-fields.ts';
export { getContact } from './get-contact.ts';
export { getContacts } from './get-contacts.ts';
export {
  type ContactRowInput,
  contactLock,
  contactRowColumns,
  contactRows,
  locatedContacts,
  storedContacts,
  storedContactsCheck,
} from './grouped-upsert.store.ts';
export { listContactImports } from './imports/list-imports.ts';
export { openFailedRows } from './imports/open-failed-rows.ts';
export { type OpenSegment, runImport } from './imports/run-import.ts';
export { importTooLarge, startContactImport } from './imports/start-import.ts';
export { followImport } from './jobs/follow-import.ts';
export { getContactBulkJob, getContactImport } from './jobs/get-job.ts';
export { guardJob } from './jobs/guard-job.ts';
export { bulkInput, importLimitBytes } from './jobs/jobs.schema.ts';
export { findOpenContactJobs, giveUpContactJob, sweepJobs } from './jobs/jobs.ts';
export { lookupContacts } from './lookup-contacts.ts';
export { countRemoved } from './removed-contacts.store.ts';
export {
  byRecipient,
  endSnoozes,
  type OptedOut,
  rememberOptOuts,
  unsubscribedBy,
} from './subscriptions.store.ts';
export { addSuppressions } from './suppressions/add-suppressions.ts';
export { deleteSuppression } from './suppressions/delete-suppression.ts';
export { listSuppressions } from './suppressions/list-suppressions.ts';
export { updateContact } from './update-contact.ts';
export { upsertContact } from './upsert-contact.ts';
export { verifyAddress } from './verification/verify-address.ts';
