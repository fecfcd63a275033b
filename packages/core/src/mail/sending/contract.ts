/** The part of this area for all sides, browsers included: schemas, enums, limits and pure rules. */

export * from '../message/tracked.rules.ts';
export * from './sending.schema.ts';
