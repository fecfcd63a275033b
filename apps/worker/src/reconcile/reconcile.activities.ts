import { deliverCampaignJob, findNeglectedCampaigns } from '@postrider/core/campaigns';
import { changeContactsJob, findOpenContactJobs, importContactsJob } from '@postrider/core/contacts';
import { findUnwatchedDomains, watchDomainJob } from '@postrider/core/domains';
import { findOverdueFollowUps } from '@postrider/core/follow-ups';
import type { Services } from '@postrider/core/kernel';
import { computeSegmentJob, findNeglectedSegments, refreshMembershipJob } from '@postrider/core/segments';
import {
  dispatchEventsJob,
  findNeglectedExecutions,
  findNeglectedSchedules,
  keepScheduleJob,
  signalExecutions,
} from '@postrider/core/workflows';

export interface ReconcileActivities {
  repeatHints(): Promise<{
    campaigns: number;
    domains: number;
    executions: number;
    segments: number;
    schedules: number;
    contactJobs: number;
  }>;
}

const perRun = 500;

/** @param overdueSeconds how long after its due time a row is overdue, so that its workflow is signalled */
export function createReconcileActivities(services: Services, overdueSeconds: number): ReconcileActivities {
  return {
    async repeatHints() {
      const [campaigns, domains, news, executions, schedules, segments, contactJobs] = await Promise.all([
        findNeglectedCampaigns(services, perRun, overdueSeconds),
        findUnwatchedDomains(services, perRun),
        findOverdueFollowUps(services.database.pool, perRun),
        findNeglectedExecutions(services, perRun, overdueSeconds),
        findNeglectedSchedules(services, perRun),
        findNeglectedSegments(services, perRun),
        findOpenContactJobs(services, perRun),
      ]);
      for (const campaignId of campaigns) await services.workflows.signal(deliverCampaignJob, { campaignId });
      for (const domainId of domains) await services.workflows.signal(watchDomainJob, { domainId });
      for (const projectId of news.events) await services.workflows.signal(dispatchEventsJob, { projectId });
      for (const projectId of news.membership)
        await services.workflows.signal(refreshMembershipJob, { projectId });
      for (const workflowId of schedules) await services.workflows.signal(keepScheduleJob, { workflowId });
      for (const segmentId of segments) await services.workflows.signal(computeSegmentJob, { segmentId });
      for (const { id: jobId, kind } of contactJobs)
        await services.workflows.signal(kind === 'import' ? importContactsJob : changeContactsJob, { jobId });
      await signalExecutions(services, executions);
      return {
        campaigns: campaigns.length,
        domains: domains.length,
        executions: executions.length,
        schedules: schedules.length,
        segments: segments.length,
        contactJobs: contactJobs.length,
      };
    },
  };
}
