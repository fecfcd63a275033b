import { getRequest, getRequestStats, listRequests } from '@postrider/core/insight/requests';
import { asQuery, t } from './trpc.ts';

export const requestsRouter = t.router({
  list: asQuery(listRequests),
  get: asQuery(getRequest),
  stats: asQuery(getRequestStats),
});
