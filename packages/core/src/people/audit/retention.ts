import type { Services } from '../../base/kernel/index.ts';
import { removeAuditRows } from './audit.store.ts';

/** The audit log is kept for 400 days (behaviour B11.1). */
const keptMs = 400 * 86_400_000;

/** Removes at most `limit` entries whose retention has ended. @returns how many */
export const sweepAudit = (services: Services, now: Date, limit: number): Promise<number> =>
  removeAuditRows(services.database, new Date(now.getTime() - keptMs), limit);
