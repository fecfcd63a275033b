import { deliverCampaignJob, findNeglectedCampaigns } from '@postrider/core/campaigns';
import { changeContactsJob, findOpenContactJobs, importContactsJob } from '@postrider/core/contacts';
import { findUnwatchedDomains, watchDomainJob } from '@postrider/core/domains';
import { findNeglectedNews } from '@postrider/core/follow-ups';
import type { Services } from '@postrider/core/kernel';
import { computeSegmentJob, findNeglectedSegments, refreshMembershipJob } from '@postrider/core/segments';
import { drainOutboxJob, overdueOutboxes } from '@postrider/core/sending';
import {
  dispatchEventsJob,
  findNeglectedExecutions,
  findNeglectedSchedules,
  keepScheduleJob,
  pokeExecutions,
} from '@postrider/core/workflows';

export interface ReconcileActivities {
  repeatHints(): Promise<{
    campaigns: number;
    outboxes: number;
    domains: number;
    executions: number;
    segments: number;
    schedules: number;
    contactJobs: number;
  }>;
}

const perRun = 500;

/** @param overdueSeconds how long after its due time a row counts as overlooked, so that its workflow is woken */
export function createReconcileActivities(services: Services, overdueSeconds: number): ReconcileActivities {
  return {
    async repeatHints() {
      const [campaigns, outboxes, domains, news, executions, schedules, segments, contactJobs] =
        await Promise.all([
          findNeglectedCampaigns(services, perRun, overdueSeconds),
          overdueOutboxes(services.database.pool, overdueSeconds, perRun),
          findUnwatchedDomains(services, perRun),
          findNeglectedNews(services.database.pool, perRun),
          findNeglectedExecutions(services, perRun, overdueSeconds),
          findNeglectedSchedules(services, perRun),
          findNeglectedSegments(services, perRun),
          findOpenContactJobs(services, perRun),
        ]);
      for (const campaignId of campaigns) await services.engine.poke(deliverCampaignJob, { campaignId });
      for (const projectId of outboxes) await services.engine.poke(drainOutboxJob, { projectId });
      for (const domainId of domains) await services.engine.poke(watchDomainJob, { domainId });
      for (const projectId of news.events) await services.engine.poke(dispatchEventsJob, { projectId });
      for (const projectId of news.membership)
        await services.engine.poke(refreshMembershipJob, { projectId });
      for (const workflowId of schedules) await services.engine.poke(keepScheduleJob, { workflowId });
      for (const segmentId of segments) await services.engine.poke(computeSegmentJob, { segmentId });
      for (const { id: jobId, kind } of contactJobs)
        await services.engine.poke(kind === 'import' ? importContactsJob : changeContactsJob, { jobId });
      await pokeExecutions(services, executions);
      return {
        campaigns: campaigns.length,
        outboxes: outboxes.length,
        domains: domains.length,
        executions: executions.length,
        schedules: schedules.length,
        segments: segments.length,
        contactJobs: contactJobs.length,
      };
    },
  };
}
