import type { z } from 'zod';
import type { TopicRow } from '../../audience/topics/index.ts';
import { topicKeysOf } from './forms.store.ts';
import type { RequestRow } from './requests.store.ts';
import type { requestRecord } from './subscription-requests.schema.ts';

/** A request in the form of the API. @param topics those of its project */
export const presentRequest = (
  request: RequestRow,
  topics: readonly TopicRow[],
): z.input<typeof requestRecord> => ({
  ...request,
  // A request that expired this moment is still stored as open.
  status: request.status === 'PENDING' && request.expiresAt <= new Date() ? 'EXPIRED' : request.status,
  topics: topicKeysOf(topics, request.topics),
});
