/** The part of this area for all sides, browsers included: schemas, enums, limits and pure rules. */
export * from './event-types.rules.ts';
export * from './formats/format-types.rules.ts';
export * from './webhook-endpoints.schema.ts';
export * from './webhook-events.schema.ts';
