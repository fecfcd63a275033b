import type { Services } from '../../base/kernel/index.ts';
import { removeAuditRows } from './audit.store.ts';
import { auditKeptMs } from './retention.rules.ts';

/** Removes at most `limit` entries whose retention has ended. @returns how many */
export const sweepAudit = (services: Services, now: Date, limit: number): Promise<number> =>
  removeAuditRows(services.database, new Date(now.getTime() - auditKeptMs), limit);
