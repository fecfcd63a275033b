/** What every side may import of this area, browsers included: schemas and limits. */
export * from './documents.schema.ts';
