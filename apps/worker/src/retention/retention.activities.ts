import { sweepAudit } from '@postrider/core/audit';
import { sweepBilling } from '@postrider/core/billing';
import { sweepJobs } from '@postrider/core/contacts';
import { sweepFigures } from '@postrider/core/figures';
import { sweepIdempotencyKeys } from '@postrider/core/idempotency';
import type { Services } from '@postrider/core/kernel';
import { sweepInvitations, sweepRotatedKeys } from '@postrider/core/projects';
import { sweepAttachments, sweepContents, sweepNotices } from '@postrider/core/sending';
import { sweepSignIns } from '@postrider/core/users';
import { sweepWebhookDeliveries } from '@postrider/core/webhook-endpoints';

export interface RetentionActivities {
  /** @returns the number of removed rows; 0 when no expired row is left */
  sweepBatch(): Promise<number>;
}

const perKind = 1_000;

export function createRetentionActivities(services: Services): RetentionActivities {
  return {
    async sweepBatch() {
      const now = new Date();
      const sweeps = [
        sweepAudit,
        sweepIdempotencyKeys,
        sweepInvitations,
        sweepRotatedKeys,
        sweepSignIns,
        sweepJobs,
        sweepBilling,
        sweepAttachments,
        sweepContents,
        sweepFigures,
        sweepNotices,
        sweepWebhookDeliveries,
      ];
      let removed = 0;
      for (const each of sweeps) removed += await each(services, now, perKind);
      return removed;
    },
  };
}
