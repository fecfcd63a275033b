/** What every side may import of this area, browsers included: schemas, enums, limits and pure rules. */
export * from './event-where.schema.ts';
export * from './filters.rules.ts';
export * from './filters.schema.ts';
export * from './list-contacts.schema.ts';
export * from './segments.schema.ts';
