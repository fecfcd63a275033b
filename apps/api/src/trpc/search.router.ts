import { searchRecords } from '@postrider/core/search';
import { asQuery, t } from './trpc.ts';

export const searchRouter = t.router({ records: asQuery(searchRecords) });
