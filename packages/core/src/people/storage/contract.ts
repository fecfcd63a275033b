export * from './storage.schema.ts';
