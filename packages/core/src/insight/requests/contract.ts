/** What every side may import of this area, browsers included: schemas, enums, limits and pure rules. */
export { sampleSize } from './requests.rules.ts';
export * from './requests.schema.ts';
