/** The part of this area for all sides, browsers included: schemas, enums, limits and pure rules. */
export * from './audience-parts.rules.ts';
export * from './campaigns.rules.ts';
export * from './campaigns.schema.ts';
export * from './local-time.rules.ts';
export * from './sequels.rules.ts';
export * from './variants/advice.rules.ts';
export * from './variants/variants.rules.ts';
export * from './variants/variants.schema.ts';
