import { searchRecords } from '@postrider/core/insight/search';
import { asQuery, t } from './trpc.ts';

export const searchRouter = t.router({ records: asQuery(searchRecords) });
