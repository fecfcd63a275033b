/** The part of the kernel for all sides, browsers included: field schemas, enums shared by areas, error codes, text limits, languages, and time zones. */
export { defaultSuggestions, type ErrorKind, errorCodes } from './errors.ts';
export * from './mail-languages.ts';
export * from './schemas.ts';
export * from './text-limits.ts';
export * from './time-zones.rules.ts';
