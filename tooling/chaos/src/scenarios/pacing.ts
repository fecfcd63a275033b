import { setTimeout as sleep } from 'node:timers/promises';
import { callApi } from '@postrider/harness/call-api';
import { sendCampaignNow } from '@postrider/harness/campaign';
import { type ChaosStack, connectionsPerProcess } from '@postrider/harness/chaos-stack';
import { createProject, insertContacts, type TestProject } from '@postrider/harness/project.store';
import { createRandom, type Random } from '@postrider/harness/random';
import {
  addressesOf,
  limitContacts,
  openNow,
  pacedContacts,
  passADay,
  statusesBySource,
} from '../harness/pacing.store.ts';
import { sendUntilStored } from '../harness/send-until-stored.ts';
import { compareLedgerWithSink } from '../ledger/compare-ledger-with-sink.ts';
import { type BlowName, blows } from './blows.ts';
import { describeReport } from './describe-report.ts';
import type { Scenario, ScenarioOptions, ScenarioResult } from './scenario.ts';
import { withStack } from './with-stack.ts';

interface Plan {
  processes: number;
  /** to all contacts, at once */
  campaigns: number;
  /** for which the mail server thinks about each message, so that the blows meet email in hand */
  delayMs: number;
  /** time between two blows */
  everyMs: number;
  blows: readonly BlowName[];
}

const killWorker = 'kill -9 of the worker with its delivery processes';
const killMail = 'kill -9 of one delivery process';
const restartDatabase = 'kill -9 and restart of PostgreSQL';

const cap = 3;
const perRequest = 100;
/** One contact in so many is in the project whose email waits for its turn. */
const waitingShare = 10;
const stallMs = 120_000;

export const pacing: Scenario = {
  name: 'pacing',
  summary:
    'campaigns and requests to the same contacts through eight processes that are killed: nobody gets more than the caps allow, or less, and a free slot goes to the first in turn',
  recipients: 10_000,
  mostSeeds: 2,
  run: (options) =>
    runPacing(options, {
      processes: 8,
      campaigns: 19,
      delayMs: 400,
      everyMs: 4_000,
      blows: Array.from({ length: 18 }, (_, index): BlowName => {
        if (index === 9) return restartDatabase;
        return index % 4 === 3 ? killWorker : killMail;
      }),
    }),
};

export const pacingSmall: Scenario = {
  name: 'pacing-small',
  summary: 'the short form of `pacing` that is part of the tests',
  recipients: 500,
  mostSeeds: 1,
  run: (options) =>
    runPacing(options, {
      processes: 4,
      campaigns: 5,
      delayMs: 200,
      everyMs: 1_000,
      blows: [killMail, killWorker, killMail],
    }),
};

function runPacing(options: ScenarioOptions, plan: Plan): Promise<ScenarioResult> {
  const { recipients, seed, log } = options;
  const env = { MAIL_WORKERS: String(plan.processes) };
  return withStack(options, { env }, async (chaos) => {
    const random = createRandom(seed);
    const skipping = await skipWhatComesTooSoon(chaos, recipients, plan, random, log);
    const waiting = await waitForTheirTurn(chaos, Math.ceil(recipients / waitingShare), random, log);
    const report = await compareLedgerWithSink(chaos.db, chaos.sink);
    const killed = plan.blows.reduce(
      (sum, name) => sum + (name === killWorker ? plan.processes : name === killMail ? 1 : 0),
      // The one that is killed while a day passes.
      1,
    );
    return {
      reports: [report],
      problems: [...skipping.problems, ...waiting.problems],
      notes: [...describeReport(report), ...skipping.notes, ...waiting.notes],
      kills: killed,
      uncertain: { samples: [report.uncertain.length], most: killed * connectionsPerProcess },
    };
  });
}

interface Part {
  problems: string[];
  notes: string[];
}

const newProject = (chaos: ChaosStack, domain: string): Promise<TestProject> =>
  createProject(chaos.db, { appSecret: chaos.stack.env.APP_SECRET ?? '', signed: false, domain });

/** More email than the cap allows, none of which waits. */
async function skipWhatComesTooSoon(
  chaos: ChaosStack,
  contacts: number,
  plan: Plan,
  random: Random,
  log: (line: string) => void,
): Promise<Part> {
  const { db, stack } = chaos;
  const project = await newProject(chaos, 'sender.test');
  await insertContacts(db, project.id, contacts);
  await limitContacts(db, project.id, { caps: [{ max: cap, hours: 24 }], quietHours: null, waitHours: 0 });
  const addresses = await addressesOf(db, project.id);
  await chaos.sink.setBehaviour({ delayMs: plan.delayMs });
  const began = performance.now();
  for (let n = 0; n < plan.campaigns; n += 1) await sendCampaignNow(stack.urls.api, project);
  // Half of them get a request as well, while the campaigns are under way.
  const requested = request(
    chaos,
    project,
    addresses.filter((_, n) => n % 2 === 0),
  );
  while ((await chaos.sink.count()) === 0) await sleep(20);
  for (const name of plan.blows) {
    log(`${await chaos.sink.count()} at the sink: ${name}`);
    await blows[name](chaos, random);
    await sleep(plan.everyMs);
  }
  await requested;
  log('waiting until nothing is due');
  await untilQuiet(chaos);
  const seconds = (performance.now() - began) / 1_000;
  const rows = await pacedContacts(db, project.id);
  const over = rows.filter(({ sent, slots }) => sent > cap || slots > cap);
  const under = rows.filter(({ sent, capped }) => capped > 0 && sent < cap);
  const other = rows.filter(({ waiting, other: rest }) => waiting + rest > 0);
  const emails = rows.reduce((sum, row) => sum + row.sent + row.capped + row.waiting + row.other, 0);
  const wanted = contacts * plan.campaigns + Math.ceil(contacts / 2);
  return {
    problems: [
      ...(rows.length === contacts ? [] : [`${rows.length} contacts with email instead of ${contacts}`]),
      ...(emails === wanted ? [] : [`${emails} emails instead of ${wanted}`]),
      ...over.map((row) => `contact ${row.contactId} got ${row.sent} emails, ${row.slots} slots`),
      ...under.map(
        (row) => `contact ${row.contactId} got ${row.sent} emails, and ${row.capped} were skipped`,
      ),
      ...other.map(
        (row) => `contact ${row.contactId} has ${row.waiting} waiting and ${row.other} ended otherwise`,
      ),
    ],
    notes: [
      `${emails} emails to ${contacts} contacts in ${seconds.toFixed(0)} s: ${over.length} contacts above the cap, ${under.length} with one skipped that could have gone`,
    ],
  };
}

/** Two emails of each contact wait for one slot: the older is a campaign's, and the other must come first. */
async function waitForTheirTurn(
  chaos: ChaosStack,
  contacts: number,
  random: Random,
  log: (line: string) => void,
): Promise<Part> {
  const { db, stack } = chaos;
  const project = await newProject(chaos, 'turns.test');
  await insertContacts(db, project.id, contacts);
  await limitContacts(db, project.id, { caps: [{ max: 1, hours: 24 }], quietHours: null, waitHours: 168 });
  const addresses = await addressesOf(db, project.id);
  const problems: string[] = [];
  const expectStatuses = async (when: string, expected: Record<string, number>) => {
    const found = await statusesBySource(db, project.id);
    // An attempt that was killed counts like one that was answered.
    const sentOf = (source: string) => (found[`${source} SENT`] ?? 0) + (found[`${source} UNCERTAIN`] ?? 0);
    const counts = {
      'campaign sent': sentOf('CAMPAIGN'),
      'request sent': sentOf('TRANSACTIONAL'),
      waiting: (found['CAMPAIGN PENDING'] ?? 0) + (found['TRANSACTIONAL PENDING'] ?? 0),
    };
    if (JSON.stringify(counts) !== JSON.stringify(expected))
      problems.push(`${when}: ${JSON.stringify(counts)} instead of ${JSON.stringify(expected)}`);
  };
  const none = { 'campaign sent': 0, 'request sent': 0, waiting: 0 };
  await chaos.sink.setBehaviour({ delayMs: 0 });
  log('email waits for its turn');
  await sendCampaignNow(stack.urls.api, project);
  await untilQuiet(chaos);
  await sendCampaignNow(stack.urls.api, project);
  await untilQuiet(chaos);
  await request(chaos, project, addresses);
  await untilQuiet(chaos);
  await expectStatuses('on the first day', { ...none, 'campaign sent': contacts, waiting: 2 * contacts });
  await passADay(db, project.id);
  log(`a day passes: ${killMail}`);
  await blows[killMail](chaos, random);
  await untilQuiet(chaos);
  await expectStatuses('on the second day', {
    'campaign sent': contacts,
    'request sent': contacts,
    waiting: contacts,
  });
  await passADay(db, project.id);
  await untilQuiet(chaos);
  await expectStatuses('on the third day', {
    'campaign sent': 2 * contacts,
    'request sent': contacts,
    waiting: 0,
  });
  return {
    problems,
    notes: [
      `${contacts} ties: ${problems.length === 0 ? 'the email of the request came first in all' : problems.join('; ')}`,
    ],
  };
}

/** Marketing email by requests, repeated until they are accepted: the database may be restarted meanwhile. */
async function request({ stack }: ChaosStack, project: TestProject, to: readonly string[]): Promise<void> {
  const { api } = stack.urls;
  const { id: template } = await callApi<{ id: string }>(api, project.secretKey, '/templates', {
    name: 'Reminder',
    subject: 'Reminder',
    body: '<p>Do not forget.</p>',
    from: project.from,
    type: 'MARKETING',
  });
  for (let at = 0; at < to.length; at += perRequest)
    await sendUntilStored(api, project, `reminder-${at}`, { to: to.slice(at, at + perRequest), template });
}

/** Waits until nothing is due or in hand: what waits for its turn stays. */
async function untilQuiet({ db }: ChaosStack): Promise<void> {
  let last = -1;
  let movedAt = Date.now();
  let quiet = 0;
  while (quiet < 5) {
    const open = await openNow(db).catch(() => last);
    quiet = open === 0 ? quiet + 1 : 0;
    if (open !== last) movedAt = Date.now();
    last = open;
    if (open !== 0 && Date.now() - movedAt > stallMs)
      throw new Error(`${open} emails are due and nothing has moved for ${stallMs / 1_000} s`);
    await sleep(200);
  }
}
