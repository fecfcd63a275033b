/** The part of this area for all sides, browsers included: schemas, enums, limits and pure rules. */

export * from './forms.rules.ts';
export * from './forms.schema.ts';
export * from './recipient-pages.rules.ts';
export * from './script-texts.rules.ts';
export * from './subscription-requests.schema.ts';
