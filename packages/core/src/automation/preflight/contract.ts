/** The part of this area for all sides, browsers included: the rules, and what they find. */
export type { KnownFields, ValueSource } from './content/variable-problems.rules.ts';
export * from './facts.rules.ts';
export * from './preflight.rules.ts';
export * from './preflight.schema.ts';
