import { addresses } from './addresses.ts';
import { arrivals } from './arrivals.ts';
import { batch, batchSmall } from './batch.ts';
import { bounces } from './bounces.ts';
import { burst } from './burst.ts';
import { busyRecipient } from './busy-recipient.ts';
import { campaignTests, campaignTestsSmall } from './campaign-tests.ts';
import { cluster } from './cluster/cluster.ts';
import { consent, consentSmall } from './consent.ts';
import { consentHistory } from './consent-history.ts';
import { crash, crashDefaults, crashSmall } from './crash.ts';
import { clock } from './database/clock.ts';
import { database, databaseSmall } from './database/database.ts';
import { entry } from './entry.ts';
import { estimate } from './estimate.ts';
import { fewConnections } from './few-connections.ts';
import { hostile, hostileSmall } from './hostile/hostile.ts';
import { hostileSink } from './hostile-sink.ts';
import { localTime, localTimeSmall } from './local-time.ts';
import { machines } from './machines/machines.ts';
import { outage } from './outage.ts';
import { owners } from './owners.ts';
import { pacing, pacingSmall } from './pacing.ts';
import { paused } from './paused.ts';
import { pauses, pausesSmall } from './pauses.ts';
import { projects } from './projects.ts';
import { restore } from './restore/restore.ts';
import { rolling, rollingSmall } from './rolling/rolling.ts';
import type { Scenario } from './scenario.ts';
import { scheduled, scheduledSmall } from './scheduled.ts';
import { scheduledEmail, scheduledEmailSmall } from './scheduled-email.ts';
import { sequels, sequelsSmall } from './sequels.ts';
import { slowRelay } from './slow-relay.ts';
import { tenant } from './tenant/tenant.ts';
import { upgrade } from './upgrade.ts';
import { versions } from './versions.ts';
import { webhooks, webhooksSmall } from './webhooks.ts';
import { wheel, wheelSmall } from './wheel.ts';
import { workflows, workflowsSmall } from './workflows.ts';

/** The scenarios that run when none is named. */
export const byDefault: readonly Scenario[] = [
  crash,
  crashDefaults,
  burst,
  hostile,
  hostileSink,
  outage,
  database,
  clock,
  machines,
  slowRelay,
  fewConnections,
  busyRecipient,
  tenant,
  owners,
  paused,
  upgrade,
  projects,
  workflows,
  versions,
  entry,
  arrivals,
  scheduled,
  scheduledEmail,
  localTime,
  batch,
  estimate,
  pacing,
  pauses,
  campaignTests,
  sequels,
  bounces,
  webhooks,
  addresses,
  wheel,
  consent,
  consentHistory,
  cluster,
  restore,
  rolling,
];

/** All scenarios, including the short forms for the tests. */
export const scenarios: readonly Scenario[] = [
  ...byDefault,
  crashSmall,
  databaseSmall,
  workflowsSmall,
  scheduledSmall,
  scheduledEmailSmall,
  localTimeSmall,
  batchSmall,
  pacingSmall,
  pausesSmall,
  campaignTestsSmall,
  sequelsSmall,
  webhooksSmall,
  hostileSmall,
  wheelSmall,
  consentSmall,
  rollingSmall,
];
