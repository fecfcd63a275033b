export * from './providers.rules.ts';
export * from './sender-records.rules.ts';
