export { databaseIsAway } from './availability.ts';
export { type Database, type Db, openDatabase } from './client.ts';
export { openClient, openPool } from './connect.ts';
export { Prisma } from './generated/client.ts';
export * from './generated/enums.ts';
export { migrate } from './migrate.ts';
export { plainTransaction, type SqlDb } from './plain-transaction.ts';
export { type Bindable, constant, type Parameter, type ParametersOf, prepared } from './prepared.ts';
export { refusalText } from './refusal.ts';
