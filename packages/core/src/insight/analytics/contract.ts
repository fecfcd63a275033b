/** What every side may import of this area, browsers included: schemas, enums, limits and pure rules. */
export * from './analytics.schema.ts';
export * from './breakdown.schema.ts';
export * from './compare.schema.ts';
export * from './goals/goal-report.schema.ts';
export * from './workflow-figures.schema.ts';
