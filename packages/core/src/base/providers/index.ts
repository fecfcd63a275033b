export type { Requirement } from './provider.rules.ts';
export * from './providers.rules.ts';
export * from './sender-records.rules.ts';
