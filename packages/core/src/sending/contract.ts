/** The part of this area for all sides, browsers included: schemas, enums, limits and pure rules. */
export * from './sending.schema.ts';
export * from './tracked.rules.ts';
