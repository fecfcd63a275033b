/** The part of this area for all sides, browsers included. */
export * from './source-refs.schema.ts';
