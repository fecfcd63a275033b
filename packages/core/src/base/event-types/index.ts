export {
  eventRow,
  insertEvents,
  storedAs,
  storedWhere,
  storedWithName,
} from './event-rows.ts';
export * from './event-types.rules.ts';
export { insertReports, reportEvent } from './report-events.store.ts';
