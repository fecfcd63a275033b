/** The parts of the kernel that `*.schema.ts` files may use: pure zod, browser-safe. */
export * from '../lib/dates.rules.ts';
export * from './enums.ts';
export * from './fields.ts';
export { jobOf } from './job-schemas.ts';
export { readJsonText } from './json-text.rules.ts';
export { logged } from './logged.ts';
export {
  assertSame,
  type Mailbox,
  mailboxFields,
  mailboxJson,
  mailboxOf,
  nameIn,
  replyMailboxes,
  reporter,
  senderMailbox,
} from './mailbox-fields.ts';
export {
  cursorListOf,
  cursorQuery,
  directionQuery,
  pageCounts,
  pageListOf,
  pageQuery,
  sortText,
} from './page-schemas.ts';
export * from './type-names.ts';
export { waitsForField } from './waits-for.schema.ts';
