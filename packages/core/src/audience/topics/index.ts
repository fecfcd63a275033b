export { findChoosableTopics as numbersOfTopics } from '../consent/index.ts';
export { createTopic } from './create-topic.ts';
export { deleteTopic } from './delete-topic.ts';
export { getTopic } from './get-topic.ts';
export { listTopics } from './list-topics.ts';
export {
  type Choices,
  choicesOf,
  hasChoices,
  type ReceivedTopic,
  receives,
  receivesSql,
  type TopicSql,
  topicSql,
} from './receives.store.ts';
export { namedTopic, requireTopic } from './require-topic.ts';
export { unknownTopicError } from './topic-not-found.ts';
export {
  countOfferedTopics,
  findReceivedTopic,
  findTopicByKey,
  keysOfTopics,
  readTopics,
  type TopicRow,
  withTopics,
} from './topics.store.ts';
export { updateTopic } from './update-topic.ts';
