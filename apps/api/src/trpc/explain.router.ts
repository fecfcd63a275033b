import { explain } from '@postrider/core/insight/explain';
import { asQuery, t } from './trpc.ts';

export const explainRouter = t.router({ get: asQuery(explain) });
