/** The part of the kernel for all sides, browsers included: field schemas, enums shared by areas, text limits, languages, and time zones. */
export * from './mail-languages.ts';
export * from './schemas.ts';
export * from './text-limits.ts';
export * from './time-zones.rules.ts';
