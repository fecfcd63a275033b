/** The part of the kernel for all sides, browsers included: field schemas, enums shared by areas and error codes. */
export { defaultSuggestions, type ErrorKind, errorCodes } from './errors.ts';
export * from './schemas.ts';
export { simulatorDomain } from './simulator.rules.ts';
export { repeatSoon } from './suggestions.rules.ts';
