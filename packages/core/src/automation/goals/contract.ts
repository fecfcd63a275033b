/** The part of this area for all sides, browsers included. */
export * from './goals.schema.ts';
