/** What every side may import of this area, browsers included: schemas, enums, limits and pure rules. */
export * from './contacts.rules.ts';
export * from './contacts.schema.ts';
export * from './fields/fields.schema.ts';
export * from './imports/csv.rules.ts';
export * from './imports/imports.schema.ts';
export * from './imports/mapping.rules.ts';
export * from './jobs/jobs.schema.ts';
export * from './suppressions/suppressions.schema.ts';
