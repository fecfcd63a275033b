import { createTopic, deleteTopic, getTopic, listTopics, updateTopic } from '@postrider/core/audience/topics';
import { asMutation, asQuery, t } from './trpc.ts';

export const topicsRouter = t.router({
  list: asQuery(listTopics),
  get: asQuery(getTopic),
  create: asMutation(createTopic),
  update: asMutation(updateTopic),
  delete: asMutation(deleteTopic),
});
