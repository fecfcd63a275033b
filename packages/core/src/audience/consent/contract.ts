export * from './consent.rules.ts';
export * from './consent.schema.ts';
export { generalTopic } from './topics.rules.ts';
