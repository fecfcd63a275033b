export * from './consent.rules.ts';
export * from './consent.schema.ts';
