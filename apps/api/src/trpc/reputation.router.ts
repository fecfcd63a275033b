import { getSecurity } from '@postrider/core/people/reputation';
import { asQuery, t } from './trpc.ts';

export const reputationRouter = t.router({ security: asQuery(getSecurity) });
