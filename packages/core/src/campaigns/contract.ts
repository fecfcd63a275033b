/** What every side may import of this area, browsers included: schemas, enums, limits and pure rules. */
export * from './campaigns.rules.ts';
export * from './campaigns.schema.ts';
