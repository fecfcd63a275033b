export { holdAdvisoryLock } from './advisory-lock.ts';
export { databaseIsAway, databaseIsUnreachable } from './availability.ts';
export { byKey, ofProject } from './by-key.ts';
export { listenToChannel } from './channel-listener.ts';
export { byKeys, type Database, type DatabaseOptions, type Db, openDatabase, planByKeys } from './client.ts';
export { assertConfirmsCommits } from './commits.ts';
export { followPassword, openPool, tryReplication } from './connect.ts';
export { beginsWithOneOf, containsOneOf, endsWithOneOf, likeText } from './contains-one-of.ts';
export { fitSchema, fitSchemaWhenThere, settleMigrations } from './fit-schema.ts';
export { Prisma } from './generated/client.ts';
export * from './generated/enums.ts';
export { GroupCommit, type Outcome } from './groups/group-commit.ts';
export type { Lock, Place } from './groups/group-queue.ts';
export { migrate, settle } from './migrate.ts';
export { lastMigration, readMigrations } from './migrations.ts';
export { findNeglectedRows, type NeglectedRow } from './neglected.ts';
export { findPendingWork, type Pending } from './pending.ts';
export { clientTransaction, plainDb, plainTransaction, type SqlDb } from './plain-transaction.ts';
export { type Bindable, constant, type Parameter, type ParametersOf, prepared } from './prepared.ts';
export { type Refusal, refusalOf, refusedWith } from './refusal.ts';
export {
  databaseCode,
  isConflict,
  isDuplicate,
  retryConflicts,
  waitedForLock,
  wasCanceled,
} from './retry.ts';
export { Rounds } from './rounds.ts';
export { inSavepoint } from './savepoint.ts';
export { misfitOf, recordSchema, SchemaError, type StoredSchema } from './schema-fit.ts';
export { neededExtensions, readSchemaState, type SchemaState } from './schema-state.ts';
export { lowerLimit, slicesLock, upperLimit } from './slice-limits.ts';
export type { SqlConstants } from './sql-files.ts';
export { stoppedText } from './stopped.ts';
export { presentTime, transactionTime } from './transaction-time.ts';
export { version } from './version.ts';
