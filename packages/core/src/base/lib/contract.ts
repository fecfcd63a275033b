/** What browsers use of it: text limits, languages, likeness of names, time zones, and the operators on values. */
export * from './mail-languages.ts';
export { nameLikeness } from './names.rules.ts';
export * from './text-limits.ts';
export * from './time-zones.rules.ts';
export * from './value-operators.rules.ts';
export type * from './whole.ts';
