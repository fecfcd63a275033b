import { setTimeout as sleep } from 'node:timers/promises';
import { sendCampaignNow, untilCampaignSent } from '@postrider/harness/campaign';
import { campaignStatus } from '@postrider/harness/campaign.store';
import { type ChaosStack, connectionsPerProcess } from '@postrider/harness/chaos-stack';
import { createProject, insertContacts } from '@postrider/harness/project.store';
import { createRandom } from '@postrider/harness/random';
import { untilSettled } from '../../harness/until-settled.ts';
import { compareLedgerWithSink } from '../../ledger/compare-ledger-with-sink.ts';
import { describeReport } from '../describe-report.ts';
import type { Scenario, ScenarioOptions, ScenarioResult } from '../scenario.ts';
import { withStack } from '../with-stack.ts';
import { type MachineFault, type Suffered, strikeMachine } from './faults.ts';
import { startFleet } from './fleet.ts';

const machineCount = 3;
/** Each connection sends four messages a second until the faults are over: the campaign outlasts them on a machine of any speed. */
const sinkDelayMs = 250;
const stallMs = 120_000;

const faults: readonly MachineFault[] = [
  'kill -9 of a delivery process',
  'SIGSTOP and SIGCONT',
  'kill -9 of a machine',
  'SIGSTOP and SIGCONT',
];

export const machines: Scenario = {
  name: 'machines',
  summary:
    'three workers send one campaign, and are killed and stopped by turns: at most as many UNCERTAIN per kill as the process had connections, none by stopping',
  recipients: 20_000,
  mostSeeds: Number.POSITIVE_INFINITY,
  run(options) {
    const env = { MAIL_WORKERS: '1', DELIVERY_LEASE_SECONDS: '2.5', RECONCILE_SECONDS: '2' };
    return withStack(options, { env }, (chaos) => runMachines(chaos, options));
  },
};

async function runMachines(
  chaos: ChaosStack,
  { recipients, seed, log }: ScenarioOptions,
): Promise<ScenarioResult> {
  const { db, sink, stack } = chaos;
  const random = createRandom(seed);
  const fleet = await startFleet(chaos, machineCount);
  await sink.setBehaviour({ delayMs: sinkDelayMs });
  const project = await createProject(db, { appSecret: stack.env.APP_SECRET ?? '', signed: false });
  await insertContacts(db, project.id, recipients);
  const campaignId = await sendCampaignNow(stack.urls.api, project);
  const problems: string[] = [];
  const suffered: Suffered[] = [];
  for (const fault of random.shuffle(faults)) {
    await sleep(random.whole(300, 1_500));
    await fleet.untilComplete();
    if ((await campaignStatus(db, campaignId)) === 'SENT') {
      problems.push(`the campaign ended before: ${fault}`);
      break;
    }
    const one = await strikeMachine(chaos, fleet, fault, random);
    log(`${fault}: ${one.uncertain} UNCERTAIN; ${await sink.count()} of ${recipients} at the sink`);
    suffered.push(one);
  }
  await sink.setBehaviour({ delayMs: 0 });
  await untilCampaignSent(db, campaignId, { stallMs });
  await untilSettled(chaos, { stallMs });
  const report = await compareLedgerWithSink(db, sink);
  if (report.emails !== recipients) problems.push(`${recipients} contacts, but ${report.emails} emails`);
  const stopped = suffered.filter(({ fault }) => fault === 'SIGSTOP and SIGCONT');
  const killed = suffered.filter(({ fault }) => fault !== 'SIGSTOP and SIGCONT');
  for (const { uncertain } of stopped)
    if (uncertain > 0) problems.push(`${uncertain} emails became UNCERTAIN because a process was stopped`);
  return {
    reports: [report],
    problems,
    notes: [
      ...describeReport(report),
      ...suffered.map(({ fault, uncertain }) => `${fault}: ${uncertain} UNCERTAIN`),
    ],
    kills: killed.length,
    uncertain: { samples: killed.map(({ uncertain }) => uncertain), most: connectionsPerProcess },
  };
}
