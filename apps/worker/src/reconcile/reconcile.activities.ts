import { fillConsentLogJob, hasConsentsToFill } from '@postrider/core/audience/consent';
import {
  changeContactsJob,
  convertFieldJob,
  findOpenContactJobs,
  findOpenFieldConversions,
  importContactsJob,
} from '@postrider/core/audience/contacts';
import {
  computeSegmentJob,
  findNeglectedSegments,
  refreshMembershipJob,
} from '@postrider/core/audience/segments';
import {
  deliverCampaignJob,
  findNeglectedCampaigns,
  readUnreadCampaigns,
  tellOfForgotten,
} from '@postrider/core/automation/campaigns';
import {
  changeExecutionsJob,
  endStoppedExecutions,
  findNeglectedSchedules,
  findOpenExecutionJobs,
  findOpenMoves,
  keepScheduleJob,
  moveExecutionsJob,
  readUnreadSteps,
  watchFailures,
} from '@postrider/core/automation/workflows';
import type { NeglectedRow } from '@postrider/core/base/db';
import { findOverdueMemberships } from '@postrider/core/base/follow-ups';
import type { JobContract, Services } from '@postrider/core/base/kernel';
import { readUnreadTemplates } from '@postrider/core/content/templates';
import { endInterruptedApprovals } from '@postrider/core/insight/approvals';
import { exportRecordsJob, findOpenExports } from '@postrider/core/insight/exports';
import { continueErasures, findOpenPersonExports } from '@postrider/core/insight/privacy';
import {
  findOpenRemovals,
  hasAddressesToNormalize,
  normalizeAddressesJob,
  removeDataJob,
} from '@postrider/core/insight/removal';
import { bringDeliveriesForward } from '@postrider/core/insight/webhook-endpoints';
import { processSubmissions } from '@postrider/core/mail/forms';
import {
  bringHeldForward,
  bringMailForward,
  settlePauses,
  signalBulkDelivery,
} from '@postrider/core/mail/ledger';
import { findUnwatchedDomains, watchDomainJob } from '@postrider/core/people/domains';
import { ClockFollower } from '@postrider/core/people/installation';
import { checkReputationJob, findPendingChecks } from '@postrider/core/people/reputation';
import { sendPendingMail } from '@postrider/core/people/users';
import type { Drivers } from '../workflows/drivers.ts';
import { allAtOnce, repeatSignals } from './repeat-signals.ts';

/** What `repeatHints` signals, by kind. */
const kinds = [
  'campaigns',
  'domains',
  'membership',
  'drivers',
  'stoppedExecutions',
  'segments',
  'schedules',
  'contactJobs',
  'fieldConversions',
  'exports',
  'personExports',
  'erasures',
  'moves',
  'executionJobs',
  'failures',
  'reputation',
  'removals',
  'pendingMail',
  'submissions',
  'approvals',
  'unreadTexts',
  'earlierConsents',
  'earlierAddresses',
  'heldEmail',
  'pauses',
  'clock',
] as const;

export type Repeated = Record<(typeof kinds)[number], number>;

export interface ReconcileActivities {
  repeatHints(): Promise<Repeated>;
}

const pageSize = 1_000;
const mostDomains = 5_000;
const mostJobs = 5_000;
const mostChecks = 5_000;
/** Younger submissions are those of a process that works on them. */
const submissionSeconds = 10;
/** For how long one run signals; less than its schedule's interval, and than the activity's timeout. */
const runMs = 45_000;

interface ReconcileOptions {
  drivers: Drivers;
  /** how long after its due time a row is overdue, so that its workflow is signalled */
  overdueSeconds: number;
  /** of delivery processes */
  leaseMs: number;
}

/**
 * Every kind is signalled beside the others, so that neither many rows nor a failure of one keeps another waiting.
 */
export function createReconcileActivities(
  services: Services,
  { drivers, overdueSeconds, leaseMs }: ReconcileOptions,
): ReconcileActivities {
  const signal = <Input>(job: JobContract<Input>, input: Input) => services.workflows.signal(job, input);
  const signalIf = async (isOpen: Promise<boolean>, job: JobContract<undefined>): Promise<number> => {
    if (!(await isOpen)) return 0;
    await signal(job, undefined);
    return 1;
  };
  const clock = new ClockFollower();
  const repeat: Record<(typeof kinds)[number], (endsAt: number) => Promise<number>> = {
    campaigns: (endsAt) =>
      repeatSignals(
        {
          next: (after: NeglectedRow | null) =>
            findNeglectedCampaigns(services, after, pageSize, overdueSeconds),
          signal: ({ id }) => signal(deliverCampaignJob, { campaignId: id }),
        },
        endsAt,
      ),
    // Nothing is signalled: drivers that run are left alone.
    drivers: () => drivers.ensure(),
    // Nothing is signalled: what waits in disabled projects ends.
    stoppedExecutions: (endsAt) => endStoppedExecutions(services, endsAt),
    segments: (endsAt) =>
      repeatSignals(
        {
          next: (after: NeglectedRow | null) => findNeglectedSegments(services, after, pageSize),
          signal: ({ id }) => signal(computeSegmentJob, { segmentId: id }),
        },
        endsAt,
      ),
    schedules: (endsAt) =>
      repeatSignals(
        {
          next: (after: NeglectedRow | null) => findNeglectedSchedules(services, after, pageSize),
          signal: ({ id }) => signal(keepScheduleJob, { workflowId: id }),
        },
        endsAt,
      ),
    domains: (endsAt) =>
      repeatSignals(
        allAtOnce(
          () => findUnwatchedDomains(services, mostDomains),
          (domainId) => signal(watchDomainJob, { domainId }),
        ),
        endsAt,
      ),
    membership: (endsAt) =>
      repeatSignals(
        allAtOnce(
          () => findOverdueMemberships(services.database.durable),
          (projectId) => signal(refreshMembershipJob, { projectId }),
        ),
        endsAt,
      ),
    reputation: (endsAt) =>
      repeatSignals(
        allAtOnce(
          () => findPendingChecks(services.database.prisma, mostChecks),
          (projectId) => signal(checkReputationJob, { projectId }),
        ),
        endsAt,
      ),
    removals: (endsAt) =>
      repeatSignals(
        {
          next: (after: string | null) => findOpenRemovals(services, after, pageSize),
          signal: (projectId) => signal(removeDataJob, { projectId }),
        },
        endsAt,
      ),
    contactJobs: (endsAt) =>
      repeatSignals(
        allAtOnce(
          () => findOpenContactJobs(services, mostJobs),
          ({ id: jobId, kind }) =>
            signal(kind === 'import' ? importContactsJob : changeContactsJob, { jobId }),
        ),
        endsAt,
      ),
    fieldConversions: (endsAt) =>
      repeatSignals(
        allAtOnce(
          () => findOpenFieldConversions(services, mostJobs),
          (definitionId) => signal(convertFieldJob, { definitionId }),
        ),
        endsAt,
      ),
    exports: (endsAt) =>
      repeatSignals(
        allAtOnce(
          () => findOpenExports(services, mostJobs),
          (jobId) => signal(exportRecordsJob, { jobId }),
        ),
        endsAt,
      ),
    personExports: (endsAt) =>
      repeatSignals(
        allAtOnce(
          () => findOpenPersonExports(services, mostJobs),
          (jobId) => signal(exportRecordsJob, { jobId }),
        ),
        endsAt,
      ),
    // Nothing is signalled: what is left of people is removed.
    erasures: (endsAt) => continueErasures(services, endsAt),
    moves: (endsAt) =>
      repeatSignals(
        allAtOnce(
          () => findOpenMoves(services, mostJobs),
          (jobId) => signal(moveExecutionsJob, { jobId }),
        ),
        endsAt,
      ),
    executionJobs: (endsAt) =>
      repeatSignals(
        allAtOnce(
          () => findOpenExecutionJobs(services, mostJobs),
          (jobId) => signal(changeExecutionsJob, { jobId }),
        ),
        endsAt,
      ),
    // Nothing is signalled: people are told of workflows that fail, and those that fail too often are disabled.
    failures: (endsAt) => watchFailures(services, endsAt),
    // Requests that an api process took and did not live to handle.
    pendingMail: () => sendPendingMail(services),
    // Sign-ups that an api process took and did not live to handle.
    submissions: () => processSubmissions(services, submissionSeconds),
    // What people agreed to, and a process did not live to end.
    approvals: () => endInterruptedApprovals(services),
    // Nothing is signalled: what an earlier version stored is read.
    unreadTexts: async (endsAt) => {
      const areas = [readUnreadTemplates, readUnreadCampaigns, readUnreadSteps];
      let count = 0;
      for (const read of areas) count += await read(services, endsAt);
      return count;
    },
    earlierConsents: () => signalIf(hasConsentsToFill(services), fillConsentLogJob),
    earlierAddresses: () => signalIf(hasAddressesToNormalize(services), normalizeAddressesJob),
    // Nothing is signalled: what waits becomes due.
    heldEmail: () => bringHeldForward(services),
    // What a race or a lost process has left held, or not held, and pauses that people may have forgotten.
    pauses: async () => {
      const { projectIds, batches } = await settlePauses(services.database.prisma);
      for (const projectId of projectIds) await signalBulkDelivery(services, projectId);
      return batches + (await tellOfForgotten(services));
    },
    clock: () =>
      clock.follow(services, [
        (given, byMs) => bringMailForward(given, byMs, leaseMs),
        bringDeliveriesForward,
      ]),
  };
  return {
    async repeatHints() {
      const endsAt = performance.now() + runMs;
      const results = await Promise.allSettled(kinds.map((kind) => repeat[kind](endsAt)));
      const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
      if (failures.length > 0) throw new AggregateError(failures, 'not everything could be signalled');
      const counts = results.map((result) => (result.status === 'fulfilled' ? result.value : 0));
      return Object.fromEntries(kinds.map((kind, index) => [kind, counts[index] ?? 0])) as Repeated;
    },
  };
}
