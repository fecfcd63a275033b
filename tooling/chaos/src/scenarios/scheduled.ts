import { setTimeout as sleep } from 'node:timers/promises';
import { scheduleCampaign, untilCampaignSent } from '@postrider/harness/campaign';
import { campaignStatus } from '@postrider/harness/campaign.store';
import type { ChaosStack } from '@postrider/harness/chaos-stack';
import { createProject, insertContacts } from '@postrider/harness/project.store';
import { compareLedgerWithSink } from '../ledger/compare-ledger-with-sink.ts';
import { describeReport } from './describe-report.ts';
import type { Scenario, ScenarioOptions, ScenarioResult } from './scenario.ts';
import { withStack } from './with-stack.ts';

/** Long enough to stop everything before the due time, and short enough to wait for. */
const aheadMs = 15_000;
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
  summary: 'the short form of `scheduled` that is part of the tests',
  recipients: 50,
  mostSeeds: 1,
  run: (options) =>
    runScheduled(options, { env: { RECONCILE_SECONDS: '2', RECONCILE_OVERDUE_SECONDS: '5' } }),
};

function runScheduled(options: ScenarioOptions, { env }: Plan): Promise<ScenarioResult> {
  return withStack(options, { env }, async (chaos) => {
    const problems: string[] = [];
    for (const isWiped of [false, true]) problems.push(...(await sleepOverDueTime(chaos, options, isWiped)));
    const report = await compareLedgerWithSink(chaos.db, chaos.sink);
    if (report.emails !== 2 * options.recipients)
      problems.push(`two campaigns to ${options.recipients} contacts, but ${report.emails} emails`);
    return { reports: [report], problems, notes: describeReport(report) };
  });
}

/** Uses a new project each time, so that the restart finds only this campaign in it. */
async function sleepOverDueTime(
  chaos: ChaosStack,
  { recipients, log }: ScenarioOptions,
  isWiped: boolean,
): Promise<string[]> {
  const project = await createProject(chaos.db, {
    appSecret: chaos.stack.env.APP_SECRET ?? '',
    signed: false,
    domain: isWiped ? 'wiped.test' : 'kept.test',
  });
  await insertContacts(chaos.db, project.id, recipients);
  const due = new Date(Date.now() + aheadMs);
  const campaignId = await scheduleCampaign(chaos.stack.urls.api, project, due);
  log(`a campaign to ${recipients} contacts is due in ${aheadMs / 1_000} s; stopping everything`);
  const problems: string[] = [];
  const status = await campaignStatus(chaos.db, campaignId);
  if (status !== 'SCHEDULED') problems.push(`the campaign is ${status} before its due time`);
  const before = await chaos.sink.count();
  await stopAll(chaos);
  const early = due.getTime() - Date.now();
  log(`everything is down ${(early / 1_000).toFixed(1)} s before the due time`);
  if (early < 0) problems.push(`everything was down only ${-early} ms after the due time`);
  if ((await chaos.sink.count()) !== before) problems.push('mail went out before the due time');
  await sleep(Math.max(0, early) + afterMs);
  log(`starting everything${isWiped ? ', Temporal with an empty store' : ''}`);
  await startAll(chaos, isWiped);
  const started = performance.now();
  await untilCampaignSent(chaos.db, campaignId, { stallMs });
  log(`SENT ${((performance.now() - started) / 1_000).toFixed(1)} s after the start`);
  return problems;
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
