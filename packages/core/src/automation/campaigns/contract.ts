/** The part of this area for all sides, browsers included: schemas, enums, limits and pure rules. */
export * from './campaigns.rules.ts';
export * from './campaigns.schema.ts';
