import { AppError, type FieldError, invalid } from '../../base/kernel/index.ts';

export const topicNotFound = (): AppError => new AppError('RESOURCE_NOT_FOUND', 'Topic not found');

/** What is said of a key that no topic has, or only an archived one. @param field where the request names it */
export const unknownTopic = (field: string, key: string): FieldError => ({
  field,
  code: 'unknown_topic',
  message: 'No such topic in this project, or it is archived',
  received: key,
});

export const unknownTopicError = (field: string, key: string): AppError => invalid([unknownTopic(field, key)]);
