/** What every side may import of this area, browsers included: schemas, enums, limits and pure rules. */
export * from './approvals.schema.ts';
