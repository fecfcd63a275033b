/** What every side may import of this area, browsers included. */
export * from '../kernel/csv.rules.ts';
export * from './exports.schema.ts';
