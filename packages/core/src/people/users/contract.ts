/** What every side may import of this area, browsers included: schemas, enums, limits and pure rules. */
export * from './password.schema.ts';
export * from './second-factors/passkeys.schema.ts';
export * from './second-factors/second-factors.schema.ts';
export * from './users.schema.ts';
