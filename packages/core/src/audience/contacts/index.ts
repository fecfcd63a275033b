export {
  bulkDeleteContacts,
  bulkSubscribeContacts,
  bulkTopicsOfContacts,
  bulkUnsubscribeContacts,
  bulkUpdateContacts,
  queueBulkChange,
} from './bulk/bulk-change.ts';
export { type JoinSegment, runBulkBatch } from './bulk/run-bulk-change.ts';
export { getConsent } from './consent/get-consent.ts';
export { getConsentEvidence } from './consent/get-evidence.ts';
export { listConsentActs } from './consent/list-acts.ts';
export { contactSample } from './contact-sample.store.ts';
export type { ContactSource } from './contact-source.ts';
export { zoneOfContact } from './contact-zone.ts';
export { changeContactsJob, convertFieldJob, importContactsJob } from './contacts.jobs.ts';
export {
  type ContactChange,
  dataLimitBytes,
  isTooLarge,
  splitContactData,
} from './contacts.rules.ts';
export { contactLimitState, lookupLimit } from './contacts.schema.ts';
export {
  type ContactFilter,
  type ContactOrder,
  type ContactRow,
  contactColumns,
  contactDataLimitError,
  contactUpsertCtes,
  countContacts,
  findContactId,
  findContactIds,
  findContactsByName,
  findContactsByText,
  hasInAddress,
  idOfContact,
  keptContacts,
  type PreparedChange,
  prepareChanges,
  searchContacts,
  searchMatches,
  sortedAtMost,
  totalOfContacts,
  toUpsertInput,
} from './contacts.store.ts';
export { deleteContact } from './delete-contact.ts';
export {
  addRemoved,
  awaitErasures,
  eraseContacts,
  eraseEmailsTo,
  eraseTraces,
  type RemovedRows,
  shareErasures,
} from './erase.store.ts';
export { convertFieldBatch, findOpenFieldConversions } from './fields/convert-field.ts';
export { defineContactField } from './fields/define-field.ts';
export {
  type Definitions,
  type FieldWarning,
  settleData,
  storableValue,
} from './fields/definitions.rules.ts';
export { definitionsOf, presentDefinitions, settledData } from './fields/definitions.ts';
export { deleteContactField } from './fields/delete-field.ts';
export { wantedFieldFigures } from './fields/fields.store.ts';
export { getContactFieldUsage } from './fields/get-field-usage.ts';
export { listContactFieldValues } from './fields/list-field-values.ts';
export { coverageOfFields, listContactFields } from './fields/list-fields.ts';
export { listText } from './fields/lists.rules.ts';
export { recallFormerSpellings } from './former-spellings.store.ts';
export { getContact } from './get-contact.ts';
export { getContacts } from './get-contacts.ts';
export { getLimitsOfContacts } from './get-limits-of-contacts.ts';
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
export { type AddMatchingInput, type BulkProgress, isBulkKind, progressOf } from './jobs/jobs.rules.ts';
export { bulkAddInput, bulkInput, bulkTopicsInput, importLimitBytes, queuedJob } from './jobs/jobs.schema.ts';
export {
  completeJob,
  failJob,
  findOpenJob,
  insertJob,
  insertJobContacts,
  insertJobFile,
  lockOpenJob,
  readJobFile,
  removeJobFile,
  saveInput,
  saveProgress,
} from './jobs/jobs.store.ts';
export { findOpenContactJobs, giveUpContactJob, jobKeptMs, sweepJobs } from './jobs/jobs.ts';
export { lookupContacts } from './lookup-contacts.ts';
export { nameFields, nameOf } from './names.rules.ts';
export { findPerson, type Person, readAddressFacts } from './person.store.ts';
export type { ContactReference } from './reference.schema.ts';
export { countRemoved } from './removed-contacts.store.ts';
export {
  byRecipient,
  endSnoozes,
  type OptedOut,
  rememberOptOuts,
  survives,
  unsubscribedBy,
} from './subscriptions.store.ts';
export { addSuppressions } from './suppressions/add-suppressions.ts';
export { deleteSuppression } from './suppressions/delete-suppression.ts';
export { getSuppression } from './suppressions/get-suppression.ts';
export { listSuppressions } from './suppressions/list-suppressions.ts';
export { removeSuppressions } from './suppressions/remove-suppressions.ts';
export { endSuppressions } from './suppressions/suppressions.store.ts';
export {
  type ContactChangeById,
  type TriedContact,
  tryContactChanges,
  type UpdatedContact,
  updateContactsById,
} from './update-by-id.store.ts';
export { updateContact } from './update-contact.ts';
export { upsertContact } from './upsert-contact.ts';
export { verifyAddress } from './verification/verify-address.ts';
