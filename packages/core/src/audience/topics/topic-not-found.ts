import { AppError, invalid } from '../../base/kernel/index.ts';
import { unknownTopic } from '../consent/index.ts';

export const topicNotFound = (): AppError => new AppError('RESOURCE_NOT_FOUND', 'Topic not found');

/** @see unknownTopic */
export const unknownTopicError = (field: string, key: string): AppError =>
  invalid([unknownTopic(field, key)]);
