/** The part of the kernel for all sides, browsers included: field schemas, enums shared by areas, and text limits. */
export * from './mail-languages.ts';
export * from './schemas.ts';
export * from './text-limits.ts';
