import { setTimeout as sleep } from 'node:timers/promises';
import { sendCampaignNow, untilCampaignSent } from '@postrider/harness/campaign';
import { openInAll } from '@postrider/harness/campaign.store';
import { createProject, insertContacts } from '@postrider/harness/project.store';
import { createRandom } from '@postrider/harness/random';
import { percentile } from '@postrider/harness/statistics';
import { measureWakeLatency, randomPause } from '@postrider/harness/wake-latency';
import { compareLedgerWithSink } from '../ledger/compare-ledger-with-sink.ts';
import { describeReport } from './describe-report.ts';
import type { Scenario } from './scenario.ts';
import { withStack } from './with-stack.ts';

const relayMs = 3_000;
const samples = 8;
/** Less than a third of the time for one message: an email that waits for a connection of the campaign takes longer on average. */
const goalMs = 1_000;
const stallMs = 60_000;

export const slowRelay: Scenario = {
  name: 'slow-relay',
  summary:
    'a relay that takes 3 s per message and a campaign that could use every connection: other mail does not wait',
  recipients: 400,
  mostSeeds: 1,
  run(options) {
    const { recipients, seed, log } = options;
    // One process, so that both kinds of email share its connections.
    return withStack(options, { env: { DELIVERY_LEASE_SECONDS: '60', MAIL_WORKERS: '1' } }, async (chaos) => {
      const random = createRandom(seed);
      const project = await createProject(chaos.db, {
        appSecret: chaos.stack.env.APP_SECRET ?? '',
        signed: false,
      });
      // Before the measurement, so that the outbox listens and its first connection is open.
      await measureWakeLatency(chaos, project, { samples: 2, before: () => sleep(300) });
      await insertContacts(chaos.db, project.id, recipients);
      await chaos.sink.setBehaviour({ delayMs: relayMs });
      const campaignId = await sendCampaignNow(chaos.stack.urls.api, project);
      const before = await chaos.sink.count();
      while ((await chaos.sink.count()) === before) await sleep(20);
      log('the campaign is on its way; sending to others');
      const ms = await measureWakeLatency(chaos, project, {
        samples,
        // Two connections are reserved for such email, and each is busy for the relay's 3 s: more than one email in
        // 1.5 s would wait for the relay itself, with or without a campaign.
        before: () => randomPause(random, 1_700, 2_400),
      });
      await chaos.sink.setBehaviour({ delayMs: 0 });
      await untilCampaignSent(chaos.db, campaignId, { stallMs });
      while ((await openInAll(chaos.db)) > 0) await sleep(100);
      const report = await compareLedgerWithSink(chaos.db, chaos.sink);
      const worst = percentile(ms, 90);
      const problems =
        worst < goalMs
          ? []
          : [
              `/v1/send waits for the campaign's connections: ${ms.map((value) => value.toFixed(0)).join(', ')} ms`,
            ];
      return {
        reports: [report],
        problems,
        notes: [...describeReport(report), `answer of /v1/send to sink: p90 ${worst.toFixed(0)} ms`],
      };
    });
  },
};
