/** What every side may import of this area, browsers included: schemas, enums, limits and pure rules. */
export * from './approval-settings.schema.ts';
export * from './brand.rules.ts';
export * from './brand.schema.ts';
export * from './consent-settings.schema.ts';
export * from './contact-limits.schema.ts';
export * from './contrast.rules.ts';
export * from './link-tagging.schema.ts';
export * from './projects.schema.ts';
export * from './quiet-hours.rules.ts';
export type { ShownProject } from './shown-project.schema.ts';
