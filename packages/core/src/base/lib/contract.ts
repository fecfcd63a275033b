/** What browsers use of it: text limits, languages, likeness of names, and time zones. */
export * from './mail-languages.ts';
export { nameLikeness } from './names.rules.ts';
export * from './text-limits.ts';
export * from './time-zones.rules.ts';
export type * from './whole.ts';
