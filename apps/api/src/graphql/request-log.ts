import { getRequest, getRequestStats, listRequests } from '@postrider/core/insight/requests';
import { queryField, recordField } from './fields.ts';
import { connectionField } from './lists.ts';
import { objectFromZod } from './object-from-zod.ts';

const RequestEntry = objectFromZod(getRequest.output);
const RequestStats = objectFromZod(getRequestStats.output);

recordField('request', getRequest, RequestEntry);
connectionField('requests', listRequests, RequestEntry, ({ at }) => at);
queryField('requestStats', getRequestStats, RequestStats);
