export type { ListTopic } from './list-topics.rules.ts';
