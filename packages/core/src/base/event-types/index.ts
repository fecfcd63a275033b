export {
  eventRow,
  insertEvents,
  storedAs,
  storedWhere,
  storedWithName,
} from './event-rows.ts';
export * from './event-types.rules.ts';
export { insertReports, reportEvent, storeEvent } from './event-types.store.ts';
export { copyOf, emailRecipient, toldContact } from './told-of-email.ts';
