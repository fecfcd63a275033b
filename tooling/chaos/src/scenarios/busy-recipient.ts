import { setTimeout as sleep } from 'node:timers/promises';
import { callApi } from '@postrider/harness/call-api';
import { sendCampaignNow, untilCampaignSent } from '@postrider/harness/campaign';
import { openInAll } from '@postrider/harness/campaign.store';
import type { ChaosStack } from '@postrider/harness/chaos-stack';
import { createProject, insertContacts, type TestProject } from '@postrider/harness/project.store';
import { createRandom } from '@postrider/harness/random';
import { percentile } from '@postrider/harness/statistics';
import { measureWakeLatency, randomPause } from '@postrider/harness/wake-latency';
import type { SinkBehaviour } from '@postrider/local/sink';
import { compareLedgerWithSink } from '../ledger/compare-ledger-with-sink.ts';
import { readLedger } from '../ledger/ledger.store.ts';
import { describeReport } from './describe-report.ts';
import type { Scenario } from './scenario.ts';
import { withStack } from './with-stack.ts';

const steps = ['rcpt', 'data', 'end'] as const;
const codes = [421, 451];
const samples = 40;
/** Of the time that the neighbour's email takes without the busy recipients; the clock of the sink has a resolution of 1 ms. */
const most = { times: 1.5, ms: 10 };
const stallMs = 120_000;

const addressOf = (step: string, code: number): string => `busy-${step}-${code}@people.test`;

/** Each is answered in this way for ever. */
const replies: SinkBehaviour['replies'] = steps.flatMap((step) =>
  codes.map((code) => ({ step, about: addressOf(step, code), reply: `${code} 4.7.0 Too busy` })),
);

export const busyRecipient: Scenario = {
  name: 'busy-recipient',
  summary:
    'recipients that are answered with 421 and 451 at RCPT, DATA and the end for ever, beside a campaign and a neighbour: nobody else waits, and their email fails after its time',
  recipients: 600,
  mostSeeds: 1,
  run(options) {
    const { recipients, seed, log } = options;
    // 72 hours are 52 seconds.
    const env = { DELIVERY_RETRY_SCALE: '0.0002', DELIVERY_LEASE_SECONDS: '60' };
    return withStack(options, { env, sink: { behaviour: { replies } } }, async (chaos) => {
      const random = createRandom(seed);
      const [project, neighbour] = [await newProject(chaos), await newProject(chaos)];
      const measure = async (): Promise<number> =>
        percentile(
          await measureWakeLatency(chaos, neighbour, { samples, before: () => randomPause(random, 50, 250) }),
          95,
        );
      // The first one opens connections.
      await measure();
      const idle = await measure();
      await insertContacts(chaos.db, project.id, recipients);
      for (const { about } of replies)
        await callApi(chaos.stack.urls.api, project.secretKey, '/v1/send', {
          to: about,
          from: project.from,
          subject: 'Hello',
          body: '<p>Hello</p>',
        });
      log('the busy recipients have email, and a campaign leaves');
      await untilCampaignSent(chaos.db, await sendCampaignNow(chaos.stack.urls.api, project), { stallMs });
      const busy = await measure();
      log('waiting until the time of the busy recipients is over');
      while ((await openInAll(chaos.db)) > 0) await sleep(200);
      const report = await compareLedgerWithSink(chaos.db, chaos.sink);
      const problems = await fateProblems(chaos);
      if (busy > Math.max(idle * most.times, idle + most.ms))
        problems.push(
          `email of a neighbour took ${busy.toFixed(0)} ms (p95) beside busy recipients, ${idle.toFixed(0)} ms without`,
        );
      return {
        reports: [report],
        problems,
        notes: [
          ...describeReport(report),
          `a neighbour's answer of /v1/send to sink: p95 ${idle.toFixed(0)} ms without, ${busy.toFixed(0)} ms beside busy recipients`,
        ],
      };
    });
  },
};

const newProject = ({ db, stack }: ChaosStack): Promise<TestProject> =>
  createProject(db, { appSecret: stack.env.APP_SECRET ?? '', signed: false });

/** Whoever was busy for ever has a FAILED email that says so, and everybody else a SENT one. */
async function fateProblems({ db }: ChaosStack): Promise<string[]> {
  const { emails } = await readLedger(db);
  return emails.flatMap(({ id, to, status, error }) => {
    const reply = replies.find(({ about }) => about === to)?.reply;
    const isRight = reply === undefined ? status === 'SENT' : status === 'FAILED' && error === reply;
    return isRight ? [] : [`email ${id} to ${to} is ${status}: ${error}`];
  });
}
