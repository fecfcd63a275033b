/** The part of this area for all sides, browsers included: schemas, enums, limits and pure rules. */
export * from './domain-notes.schema.ts';
export * from './domains.schema.ts';
export * from './health.schema.ts';
