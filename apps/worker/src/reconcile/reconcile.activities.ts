import { deliverCampaignJob, findNeglectedCampaigns } from '@postrider/core/campaigns';
import { findUnwatchedDomains, watchDomainJob } from '@postrider/core/domains';
import type { Services } from '@postrider/core/kernel';
import { drainOutboxJob, overdueOutboxes } from '@postrider/core/sending';

export interface ReconcileActivities {
  repeatHints(): Promise<{ campaigns: number; outboxes: number; domains: number }>;
}

const perRun = 500;
/** An outbox is overdue when mail has been due for so long and nobody took it. */
const overdueSeconds = 60;

export function createReconcileActivities(services: Services): ReconcileActivities {
  return {
    async repeatHints() {
      const [campaigns, outboxes, domains] = await Promise.all([
        findNeglectedCampaigns(services, perRun),
        overdueOutboxes(services.database.pool, overdueSeconds, perRun),
        findUnwatchedDomains(services, perRun),
      ]);
      for (const campaignId of campaigns) await services.engine.poke(deliverCampaignJob, { campaignId });
      for (const projectId of outboxes) await services.engine.poke(drainOutboxJob, { projectId });
      for (const domainId of domains) await services.engine.poke(watchDomainJob, { domainId });
      return { campaigns: campaigns.length, outboxes: outboxes.length, domains: domains.length };
    },
  };
}
