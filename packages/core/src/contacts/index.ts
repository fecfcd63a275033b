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
export { contactData, contactShape, readContactData } from './contacts.schema.ts';
export {
  type ContactUpsertParameters,
  contactDataLimitError,
  contactUpsertCtes,
  contactUpsertInput,
  type FlipReason,
} from './contacts.store.ts';
export { getContact } from './get-contact.ts';
export { getContacts } from './get-contacts.ts';
export { listContacts } from './list-contacts.ts';
export { upsertContact } from './upsert-contact.ts';
export { verifyAddress } from './verify-address.ts';
