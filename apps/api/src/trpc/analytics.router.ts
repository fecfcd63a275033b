import { getOverview } from '@postrider/core/analytics';
import { asQuery, t } from './trpc.ts';

export const analyticsRouter = t.router({ overview: asQuery(getOverview) });
