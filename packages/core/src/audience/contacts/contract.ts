/** What every side may import of this area, browsers included: schemas, enums, limits and pure rules. */

export {
  type CsvEncoding,
  csvEncodings,
  decodeCsv,
  likelyEncoding,
  UndecodableText,
} from '../../base/lib/csv-encoding.rules.ts';
export { CsvReader, type CsvRow, csvDialectOf, NoCsv } from '../../base/lib/csv-reader.rules.ts';
export * from './contacts.rules.ts';
export * from './contacts.schema.ts';
export * from './fields/fields.schema.ts';
export * from './imports/cell-values.rules.ts';
export * from './imports/header.rules.ts';
export * from './imports/imports.schema.ts';
export * from './imports/mapping.rules.ts';
export * from './imports/rows.rules.ts';
export * from './imports/start-import.schema.ts';
export * from './jobs/jobs.schema.ts';
export * from './names.rules.ts';
export * from './reference.schema.ts';
export * from './suppressions/suppressions.schema.ts';
