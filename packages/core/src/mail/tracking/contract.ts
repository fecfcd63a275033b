/** What every side may import of this area, browsers included: schemas, enums, limits and pure rules. */

export * from './client-names.rules.ts';
export * from './tracking.schema.ts';
