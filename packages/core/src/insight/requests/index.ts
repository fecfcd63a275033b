export { getRequest } from './get-request.ts';
export { getRequestStats } from './get-request-stats.ts';
export { listRequests } from './list-requests.ts';
export { RequestLog, requestLogOf } from './request-log.ts';
export { mostShown } from './requests.rules.ts';
export { removeRequests } from './requests.store.ts';
export { sweepRequestLog } from './retention.ts';
