/** The part of this area for all sides, browsers included. */
export * from './topics.rules.ts';
export * from './topics.schema.ts';
