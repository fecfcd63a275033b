import { setTimeout as sleep } from 'node:timers/promises';
import { sendCampaignNow, untilCampaignSent } from '@postrider/harness/campaign';
import { type ChaosStack, connectionsPerProcess } from '@postrider/harness/chaos-stack';
import { createProject, insertContacts } from '@postrider/harness/project.store';
import { createRandom, type Random } from '@postrider/harness/random';
import { compareLedgerWithSink } from '../ledger/compare-ledger-with-sink.ts';
import { type BlowName, blows, countKilled } from './blows.ts';
import { describeReport } from './describe-report.ts';
import type { Scenario, ScenarioOptions, ScenarioResult } from './scenario.ts';
import { withStack } from './with-stack.ts';

const killWorker = 'kill -9 of the worker with its delivery processes' satisfies BlowName;
const killMail = 'kill -9 of one delivery process' satisfies BlowName;

/** Delay between the final dot and its reply, so that every kill interrupts messages that wait for their reply. */
const sinkDelayMs = 40;
/** The same while a blow lasts: processes that it does not stop must leave email for the blows that follow. */
const slowSinkDelayMs = 1_000;
/** The last blow falls at this share of the email or before, so that what is sent during a blow leaves enough for the next. */
const lastMoment = 0.62;
/** `reconcile` finds rows without a listening lane when they are a minute old; recovery from a wiped store can take that long. */
const stallMs = 240_000;

/** The defaults of the environment (B10). */
const defaults = { connections: 64, leaseSeconds: 60 };

interface Plan {
  blows: BlowName[];
  signed: boolean;
  env?: Record<string, string>;
  /** of each delivery process */
  connections?: number;
}

export const crash: Scenario = {
  name: 'crash',
  summary:
    'a campaign during which workers, PostgreSQL and Temporal are killed, or a process is suspended: no email is lost, none is sent twice',
  recipients: 4_000,
  mostSeeds: Number.POSITIVE_INFINITY,
  run(options) {
    // Each seed adds two of these to the kills: all of them would take minutes.
    const others = createRandom(options.seed).shuffle([
      'SIGSTOP of the delivering process for longer than its lease',
      'kill -9 and restart of PostgreSQL',
      'kill -9 and restart of Temporal',
      "wiping Temporal's store",
    ] as const);
    return runCrash(options, {
      signed: options.seed % 2 === 1,
      blows: [killWorker, killMail, killMail, ...others.slice(0, 2)],
    });
  },
};

export const crashDefaults: Scenario = {
  name: 'crash-defaults',
  summary:
    'kills of delivery processes with the connections and the lease of an installation that configures neither',
  recipients: 6_000,
  mostSeeds: 2,
  run: (options) =>
    runCrash(options, {
      signed: false,
      blows: [killMail, killMail],
      env: {
        SMTP_CONNECTIONS: String(defaults.connections),
        DELIVERY_LEASE_SECONDS: String(defaults.leaseSeconds),
      },
      connections: defaults.connections,
    }),
};

export const crashSmall: Scenario = {
  name: 'crash-small',
  summary: 'the short form of `crash` that is part of the tests',
  recipients: 1_000,
  mostSeeds: Number.POSITIVE_INFINITY,
  run: (options) =>
    runCrash(options, {
      signed: false,
      blows: [killWorker, killMail, 'kill -9 and restart of PostgreSQL', 'kill -9 and restart of Temporal'],
    }),
};

function runCrash(options: ScenarioOptions, plan: Plan): Promise<ScenarioResult> {
  const { recipients, seed, log } = options;
  return withStack(options, plan.env ? { env: plan.env } : {}, async (chaos) => {
    const random = createRandom(seed);
    await chaos.sink.setBehaviour({ delayMs: sinkDelayMs });
    const project = await createProject(chaos.db, {
      appSecret: chaos.stack.env.APP_SECRET ?? '',
      signed: plan.signed,
    });
    await insertContacts(chaos.db, project.id, recipients);
    const campaignId = await sendCampaignNow(chaos.stack.urls.api, project);
    log(`a campaign to ${recipients} contacts is on its way`);

    let struckAt = 0;
    const strikes = strikeAll(chaos, plan.blows, random, recipients, (line) => {
      struckAt = performance.now();
      log(line);
    });
    const closed = untilCampaignSent(chaos.db, campaignId, { stallMs });
    // The first failure ends the run; a campaign that closes before the last blow is reported as a problem.
    const landed = await Promise.all([strikes, closed]).then(([count]) => count);
    const lastBlowMs = performance.now() - struckAt;
    log('the campaign is SENT; comparing');
    const report = await compareLedgerWithSink(chaos.db, chaos.sink);
    const problems =
      landed === plan.blows.length
        ? []
        : [`only ${landed} of ${plan.blows.length} blows fell while mail was going out`];
    if (report.emails !== recipients) problems.push(`${recipients} contacts, but ${report.emails} emails`);
    const kills = countKilled(plan.blows);
    return {
      reports: [report],
      problems,
      notes: [
        ...describeReport(report),
        `the campaign is SENT ${(lastBlowMs / 1_000).toFixed(1)} s after the last blow`,
      ],
      kills,
      uncertain: {
        samples: [report.uncertain.length],
        most: kills * (plan.connections ?? connectionsPerProcess),
      },
    };
  });
}

/**
 * Strikes when the sink has received certain shares of the email, so that every blow falls while email is being
 * sent, on a machine of any speed. @returns the number of blows before the last message had arrived
 */
async function strikeAll(
  chaos: ChaosStack,
  names: readonly BlowName[],
  random: Random,
  recipients: number,
  log: (line: string) => void,
): Promise<number> {
  const moments = names
    .map(() => Math.round(recipients * (0.02 + (lastMoment - 0.02) * random.next())))
    .toSorted((a, b) => a - b);
  const order = random.shuffle(names);
  let landed = 0;
  for (const [index, name] of order.entries()) {
    const at = moments[index] ?? 0;
    const taken = await untilTaken(chaos, at);
    if (taken < recipients) landed += 1;
    log(`${taken} of ${recipients} at the sink: ${name}`);
    await chaos.sink.setBehaviour({ delayMs: slowSinkDelayMs });
    await blows[name](chaos, random);
    await chaos.sink.setBehaviour({ delayMs: sinkDelayMs });
  }
  return landed;
}

async function untilTaken(chaos: ChaosStack, wanted: number): Promise<number> {
  let last = -1;
  let movedAt = Date.now();
  for (;;) {
    const taken = await chaos.sink.count();
    if (taken >= wanted) return taken;
    if (taken !== last) movedAt = Date.now();
    last = taken;
    if (Date.now() - movedAt > stallMs)
      throw new Error(`The sink has taken nothing for ${stallMs / 1_000} s; it has ${taken}.`);
    await sleep(10);
  }
}
