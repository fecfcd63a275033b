/** What every side may import of the kernel, browsers included: field schemas, enums shared by areas, and text limits. */
export * from './schemas.ts';
export * from './text-limits.ts';
