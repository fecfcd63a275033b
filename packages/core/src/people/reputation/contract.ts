/** What every side may import of this area, browsers included: schemas, enums, limits and pure rules. */
export { rateLimits } from './reputation.rules.ts';
export * from './reputation.schema.ts';
