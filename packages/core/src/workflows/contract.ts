/** What every side may import of this area, browsers included: schemas, enums, limits and pure rules. */
export * from './executions.schema.ts';
export * from './steps.schema.ts';
export * from './workflows.rules.ts';
export * from './workflows.schema.ts';
