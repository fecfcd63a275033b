import { setTimeout as sleep } from 'node:timers/promises';
import { scheduleCampaign, untilCampaignSent } from '@postrider/harness/campaign';
import { campaignStatus } from '@postrider/harness/campaign.store';
import type { ChaosStack } from '@postrider/harness/chaos-stack';
import { createProject, insertContacts } from '@postrider/harness/project.store';
import { compareLedgerWithSink } from '../ledger/compare-ledger-with-sink.ts';
import { describeReport } from './describe-report.ts';
import type { Scenario, ScenarioOptions, ScenarioResult } from './scenario.ts';
import { withStack } from './with-stack.ts';

/** Long enough to stop everything before the due time, and short enough to wait for; the longer ones are for busy machines. */
const aheadMs = [15_000, 45_000, 90_000];
/** How long everything stays down after the due time. */
const afterMs = 2_000;
const stallMs = 120_000;

interface Plan {
  env: Record<string, string>;
}

export const scheduled: Scenario = {
  name: 'scheduled',
  summary:
    "every process is down over a campaign's due time, once with Temporal's store wiped: it goes out after the start, once",
  recipients: 1_000,
  mostSeeds: 1,
  run: (options) => runScheduled(options, { env: {} }),
};

export const scheduledSmall: Scenario = {
  name: 'scheduled-small',
  summary: 'the short form of `scheduled` that is part of the long tests',
  recipients: 50,
  mostSeeds: 1,
  run: (options) =>
    runScheduled(options, { env: { RECONCILE_SECONDS: '2', RECONCILE_OVERDUE_SECONDS: '5' } }),
};

function runScheduled(options: ScenarioOptions, { env }: Plan): Promise<ScenarioResult> {
  return withStack(options, { env }, async (chaos) => {
    const problems: string[] = [];
    let campaigns = 0;
    for (const isWiped of [false, true]) {
      const slept = await sleepOverDueTime(chaos, options, isWiped);
      problems.push(...slept.problems);
      campaigns += slept.campaigns;
    }
    const report = await compareLedgerWithSink(chaos.db, chaos.sink);
    if (report.emails !== campaigns * options.recipients)
      problems.push(`${campaigns} campaigns to ${options.recipients} contacts, but ${report.emails} emails`);
    return { reports: [report], problems, notes: describeReport(report) };
  });
}

interface Slept {
  problems: string[];
  /** campaigns that were sent */
  campaigns: number;
}

async function sleepOverDueTime(
  chaos: ChaosStack,
  options: ScenarioOptions,
  isWiped: boolean,
): Promise<Slept> {
  let campaigns = 0;
  for (const ahead of aheadMs) {
    const { problems, isInTime } = await sleepOnce(chaos, options, { isWiped, ahead, attempt: campaigns });
    campaigns += 1;
    if (isInTime || problems.length > 0) return { problems, campaigns };
  }
  return { problems: ['everything was down only after the due time, three times'], campaigns };
}

interface Attempt {
  isWiped: boolean;
  /** from the request to the due time, in milliseconds */
  ahead: number;
  attempt: number;
}

/** Uses a new project each time, so that the restart finds only this campaign in it. */
async function sleepOnce(
  chaos: ChaosStack,
  { recipients, log }: ScenarioOptions,
  { isWiped, ahead, attempt }: Attempt,
): Promise<{ problems: string[]; isInTime: boolean }> {
  const project = await createProject(chaos.db, {
    appSecret: chaos.stack.env.APP_SECRET ?? '',
    signed: false,
    domain: `${isWiped ? 'wiped' : 'kept'}${attempt}.test`,
  });
  await insertContacts(chaos.db, project.id, recipients);
  const due = new Date(Date.now() + ahead);
  const campaignId = await scheduleCampaign(chaos.stack.urls.api, project, due);
  log(`a campaign to ${recipients} contacts is due in ${ahead / 1_000} s; stopping everything`);
  const problems: string[] = [];
  const status = await campaignStatus(chaos.db, campaignId);
  if (status !== 'SCHEDULED') problems.push(`the campaign is ${status} before its due time`);
  const before = await chaos.sink.count();
  await stopAll(chaos);
  const early = due.getTime() - Date.now();
  const isInTime = early >= 0;
  log(`everything is down ${(early / 1_000).toFixed(1)} s before the due time`);
  if (isInTime && (await chaos.sink.count()) !== before) problems.push('mail went out before the due time');
  await sleep(Math.max(0, early) + afterMs);
  log(`starting everything${isWiped ? ', Temporal with an empty store' : ''}`);
  await startAll(chaos, isWiped);
  const started = performance.now();
  await untilCampaignSent(chaos.db, campaignId, { stallMs });
  log(`SENT ${((performance.now() - started) / 1_000).toFixed(1)} s after the start`);
  return { problems, isInTime };
}

async function stopAll({ stack }: ChaosStack): Promise<void> {
  const { worker, api, temporal, postgres } = stack.processes;
  await Promise.all([worker.stop(), api.stop()]);
  await Promise.all([temporal?.stop(), postgres?.stop()]);
}

async function startAll({ stack }: ChaosStack, isWiped: boolean): Promise<void> {
  const { worker, api, temporal, postgres } = stack.processes;
  if (!temporal || !postgres) throw new Error('This run needs servers of its own.');
  await Promise.all([postgres.start(), isWiped ? temporal.wipe() : temporal.start()]);
  await api.start();
  await worker.start();
}
