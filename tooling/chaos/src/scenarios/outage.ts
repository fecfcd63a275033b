import { setTimeout as sleep } from 'node:timers/promises';
import { callApi } from '@postrider/harness/call-api';
import { sendCampaignNow, untilCampaignSent } from '@postrider/harness/campaign';
import { type ChaosStack, chaosEnv, connectionsPerProcess } from '@postrider/harness/chaos-stack';
import { createProject, insertContacts } from '@postrider/harness/project.store';
import { compareLedgerWithSink } from '../ledger/compare-ledger-with-sink.ts';
import { describeReport } from './describe-report.ts';
import type { Scenario } from './scenario.ts';
import { withStack } from './with-stack.ts';

const awayMs = 4_000;
/** Projects with nothing more to send; they must not use up the probes of the route. */
const quietProjects = 5;
const stallMs = 120_000;
/** In these runs, the longest interval between two probes is 5 s. */
const recoveryMs = 10_000;

export const outage: Scenario = {
  name: 'outage',
  summary:
    'the mail server refuses connections during a campaign: the route pauses, is probed, and nothing fails',
  recipients: 2_000,
  mostSeeds: 1,
  run(options) {
    const { recipients, log } = options;
    return withStack(options, {}, async (chaos) => {
      for (let index = 0; index < quietProjects; index += 1) await sendOnce(chaos, index);
      await chaos.sink.setBehaviour({ delayMs: 20 });
      const project = await createProject(chaos.db, {
        appSecret: chaos.stack.env.APP_SECRET ?? '',
        signed: false,
      });
      await insertContacts(chaos.db, project.id, recipients);
      const before = await chaos.sink.count();
      const campaignId = await sendCampaignNow(chaos.stack.urls.api, project);
      while ((await chaos.sink.count()) < before + recipients / 5) await sleep(20);
      await chaos.sink.setBehaviour({ paused: true });
      log(`the mail server is away for ${awayMs / 1_000} s`);
      await sleep(awayMs);
      const taken = await chaos.sink.count();
      await chaos.sink.setBehaviour({ paused: false });
      const back = performance.now();
      while ((await chaos.sink.count()) === taken && performance.now() - back < stallMs) await sleep(20);
      const tookMs = performance.now() - back;
      log(`first message ${(tookMs / 1_000).toFixed(1)} s after its return`);
      await untilCampaignSent(chaos.db, campaignId, { stallMs });
      const report = await compareLedgerWithSink(chaos.db, chaos.sink);
      const problems: string[] = [];
      if (report.byStatus.FAILED)
        problems.push(`${report.byStatus.FAILED} emails failed because of the route`);
      if (tookMs > recoveryMs) {
        problems.push(
          `mail went out again ${(tookMs / 1_000).toFixed(1)} s after the server was back, with probes every 5 s`,
        );
      }
      return {
        reports: [report],
        problems,
        notes: describeReport(report),
        // The server closes every connection; what was handed over on it without an answer is UNCERTAIN.
        uncertain: {
          samples: [report.uncertain.length],
          most: connectionsPerProcess * Number(chaosEnv.MAIL_WORKERS),
        },
      };
    });
  },
};

async function sendOnce({ db, stack, sink }: ChaosStack, index: number): Promise<void> {
  const domain = `quiet${index}.test`;
  const { secretKey, from } = await createProject(db, {
    appSecret: stack.env.APP_SECRET ?? '',
    signed: false,
    domain,
  });
  const before = await sink.count();
  await callApi(stack.urls.api, secretKey, '/v1/send', {
    to: `owner@${domain}`,
    from,
    subject: 'Hello',
    body: '<p>Hello</p>',
  });
  while ((await sink.count()) === before) await sleep(20);
}
