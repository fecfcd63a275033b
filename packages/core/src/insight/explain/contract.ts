/** What every side may import of this area, browsers included: schemas, enums and pure rules. */
export * from './explain.schema.ts';
