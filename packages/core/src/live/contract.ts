export { type ListTopic, listTopics } from './list-topics.rules.ts';
