import { setTimeout as sleep } from 'node:timers/promises';
import { sendCampaignNow, untilCampaignSent } from '@postrider/harness/campaign';
import type { ChaosStack } from '@postrider/harness/chaos-stack';
import {
  createProjects,
  insertContacts,
  limitSendRate,
  type TestProject,
} from '@postrider/harness/project.store';
import { median, percentile } from '@postrider/harness/statistics';
import { waitingEmails } from '../harness/estimate.store.ts';
import { untilSettled } from '../harness/until-settled.ts';
import { compareLedgerWithSink } from '../ledger/compare-ledger-with-sink.ts';
import { describeReport } from './describe-report.ts';
import type { Scenario, ScenarioResult } from './scenario.ts';
import { withStack } from './with-stack.ts';

const campaignRate = 100;
/** Emails of batch requests wait one by one: of more than 2,000 no estimate is made. */
const batchEmails = 1_500;
const batchRate = 40;
const perBatch = 500;
const samples = 200;
const within = 0.2;
const share = 0.9;
const patienceMs = 60_000;
const stallMs = 120_000;

export const estimate: Scenario = {
  name: 'estimate',
  summary:
    'backlogs of a campaign and of batches at their sending rates: nine of ten `estimatedSendAt` are within 20 % of the time that the email then waits',
  recipients: 5_000,
  mostSeeds: 1,
  run: (options) =>
    withStack(options, {}, async (chaos): Promise<ScenarioResult> => {
      const { db, stack } = chaos;
      const [ofCampaign, ofBatches] = await createProjects(db, 2, {
        appSecret: stack.env.APP_SECRET ?? '',
        signed: false,
      });
      if (!ofCampaign || !ofBatches) throw new Error('The projects were not created.');
      await limitSendRate(db, ofCampaign.id, campaignRate);
      await limitSendRate(db, ofBatches.id, batchRate);
      await insertContacts(db, ofCampaign.id, options.recipients);

      const campaignId = await sendCampaignNow(stack.urls.api, ofCampaign);
      const campaign = await promisesOf(chaos, ofCampaign, options.recipients * 0.9);
      options.log(`${campaign.length} estimates of the campaign`);
      for (let from = 0; from < batchEmails; from += perBatch) await sendBatch(chaos, ofBatches, from);
      const batches = await promisesOf(chaos, ofBatches, batchEmails * 0.8);
      options.log(`${batches.length} estimates of batches; waiting until all of it is settled`);
      await untilSettled(chaos, { stallMs });
      await untilCampaignSent(db, campaignId, { stallMs });

      const report = await compareLedgerWithSink(db, chaos.sink);
      const arrived = new Map((await chaos.sink.messages()).map(({ emailId, at }) => [emailId, at]));
      const judged = [judge('campaign', campaign, arrived), judge('batches', batches, arrived)];
      return {
        reports: [report],
        problems: judged.flatMap(({ problem }) => problem ?? []),
        notes: [...describeReport(report), ...judged.map(({ note }) => note)],
      };
    }),
};

/** What was said of an email that waits. */
interface Promised {
  id: string;
  askedAt: number;
  at: number;
}

async function sendBatch({ stack }: ChaosStack, project: TestProject, from: number): Promise<void> {
  const emails = Array.from({ length: perBatch }, (_, index) => ({
    to: `queued${from + index}@people.test`,
    from: project.from,
    subject: 'Your order',
    body: '<p>Thank you.</p>',
  }));
  const answer = await fetch(new URL('/v1/send/batch', stack.urls.api), {
    method: 'POST',
    headers: { authorization: `Bearer ${project.secretKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ emails }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`The batch was answered with ${answer.status}: ${text.slice(0, 300)}`);
}

/** Asks for some of the emails that wait, once enough of them do; those that are not in the queue any more are left out. */
async function promisesOf(
  { db, stack }: ChaosStack,
  project: TestProject,
  backlog: number,
): Promise<Promised[]> {
  const deadline = Date.now() + patienceMs;
  let waiting = await waitingEmails(db, project.id, samples);
  while (waiting.count < backlog) {
    if (Date.now() > deadline) throw new Error(`Only ${waiting.count} emails wait.`);
    await sleep(100);
    waiting = await waitingEmails(db, project.id, samples);
  }
  const promised: Promised[] = [];
  for (const id of waiting.ids) {
    const askedAt = Date.now();
    const answer = await fetch(new URL(`/emails/${id}`, stack.urls.api), {
      headers: { authorization: `Bearer ${project.secretKey}` },
    });
    const { heldBy, estimatedSendAt } = (await answer.json()) as {
      heldBy: string | null;
      estimatedSendAt: string | null;
    };
    if (heldBy !== 'queue') continue;
    if (estimatedSendAt === null) throw new Error(`The email ${id} is in the queue without an estimate.`);
    promised.push({ id, askedAt, at: Date.parse(estimatedSendAt) });
  }
  return promised;
}

/** The time that each email waited, as a share of the time that was promised. */
function judge(
  name: string,
  promised: readonly Promised[],
  arrived: ReadonlyMap<string, number>,
): { problem: string | null; note: string } {
  const ratios = promised.flatMap(({ id, askedAt, at }) => {
    const real = arrived.get(id);
    return real === undefined ? [] : [(real - askedAt) / Math.max(1, at - askedAt)];
  });
  const good = ratios.filter((ratio) => Math.abs(ratio - 1) <= within).length;
  const isEnough = ratios.length >= samples / 2 && good >= ratios.length * share;
  const percent = (value: number): string => `${(value * 100).toFixed(0)} %`;
  const note = `${name}: ${good} of ${ratios.length} estimates within 20 %; the email waited ${percent(median(ratios))} of the time in the median, ${percent(percentile(ratios, 5))} to ${percent(percentile(ratios, 95))} in nine of ten cases`;
  return { problem: isEnough ? null : note, note };
}
