/** What every side may import of this area, browsers included: schemas, enums and pure rules. */
export { type Cause, causes } from './checks/check.rules.ts';
export * from './explain.schema.ts';
