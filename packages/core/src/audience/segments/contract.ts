/** What every side may import of this area, browsers included: schemas, enums, limits and pure rules. */
export * from './deciding.rules.ts';
export * from './event-where.schema.ts';
export * from './filters.rules.ts';
export * from './filters.schema.ts';
export * from './list-contacts.schema.ts';
export { maxConditions } from './occurrences.schema.ts';
export * from './segments.schema.ts';
