/** What every side may import of this area, browsers included: schemas, enums and limits. */
export * from './keys.schema.ts';
