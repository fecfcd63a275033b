import { setTimeout as sleep } from 'node:timers/promises';
import { sendCampaignNow, untilCampaignSent } from '@postrider/harness/campaign';
import { openInAll } from '@postrider/harness/campaign.store';
import type { ChaosStack } from '@postrider/harness/chaos-stack';
import { createProject, insertContacts } from '@postrider/harness/project.store';
import { createRandom, type Random } from '@postrider/harness/random';
import { percentile } from '@postrider/harness/statistics';
import { measureWakeLatency, randomPause } from '@postrider/harness/wake-latency';
import { compareLedgerWithSink } from '../ledger/compare-ledger-with-sink.ts';
import { describeReport } from './describe-report.ts';
import type { Scenario } from './scenario.ts';
import { withStack } from './with-stack.ts';

/** What the relay allows to all delivery processes together, one after another; it greets further connections with 421. */
const limits = [1, 3, 5];
const relayMs = 20;
const samples = 5;
const stallMs = 120_000;

export const fewConnections: Scenario = {
  name: 'few-connections',
  summary:
    'relays that allow 1, 3 and 5 connections to two delivery processes: campaigns and other email leave, each once',
  recipients: 900,
  mostSeeds: 2,
  run(options) {
    const { recipients, seed, log } = options;
    const sink = { behaviour: { mostConnections: limits[0] ?? 1, delayMs: relayMs } };
    return withStack(options, { sink }, async (chaos) => {
      const random = createRandom(seed);
      const notes: string[] = [];
      for (const mostConnections of limits) {
        log(`a campaign over a relay that allows ${mostConnections} connections`);
        await chaos.sink.setBehaviour({ mostConnections });
        notes.push(await sendOver(chaos, mostConnections, Math.round(recipients / limits.length), random));
      }
      while ((await openInAll(chaos.db)) > 0) await sleep(100);
      const report = await compareLedgerWithSink(chaos.db, chaos.sink);
      return { reports: [report], problems: [], notes: [...describeReport(report), ...notes] };
    });
  },
};

/** A campaign, and other email beside it. @returns how long both took */
async function sendOver(
  chaos: ChaosStack,
  connections: number,
  recipients: number,
  random: Random,
): Promise<string> {
  const project = await createProject(chaos.db, {
    appSecret: chaos.stack.env.APP_SECRET ?? '',
    signed: false,
  });
  await insertContacts(chaos.db, project.id, recipients);
  const begun = performance.now();
  const campaignId = await sendCampaignNow(chaos.stack.urls.api, project);
  const ms = await measureWakeLatency(chaos, project, {
    samples,
    before: () => randomPause(random, 200, 600),
  });
  await untilCampaignSent(chaos.db, campaignId, { stallMs });
  const seconds = (performance.now() - begun) / 1_000;
  return `${connections} connections: ${recipients} emails of a campaign in ${seconds.toFixed(1)} s; answer of /v1/send to sink: p90 ${percentile(ms, 90).toFixed(0)} ms`;
}
