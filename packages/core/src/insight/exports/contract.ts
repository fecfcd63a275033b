/** What every side may import of this area, browsers included. */
export * from '../../base/lib/csv.rules.ts';
export * from './exports.schema.ts';
