import { listAudit } from '@postrider/core/people/audit';
import { asQuery, t } from './trpc.ts';

export const auditRouter = t.router({ list: asQuery(listAudit) });
