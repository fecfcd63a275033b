/** What `*.schema.ts` files may use of the kernel: pure zod, safe in a browser. */
export * from './enums.ts';
export * from './fields.ts';
export { cursorListOf, cursorQuery, directionQuery, pageListOf, pageQuery } from './page-schemas.ts';
export * from './type-names.ts';
