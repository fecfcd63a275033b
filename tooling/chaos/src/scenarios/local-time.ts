import { setTimeout as sleep } from 'node:timers/promises';
import { clockOf } from '@postrider/core/base/lib/contract';
import { callApi } from '@postrider/harness/call-api';
import { untilCampaignSent } from '@postrider/harness/campaign';
import { type ChaosStack, connectionsPerProcess } from '@postrider/harness/chaos-stack';
import { createProject, type TestProject } from '@postrider/harness/project.store';
import { createRandom, type Random } from '@postrider/harness/random';
import {
  dueTimes,
  type FrozenEmail,
  frozenEmails,
  hurryWaves,
  insertZonedContacts,
  outcomes,
} from '../harness/local-time.store.ts';
import { compareLedgerWithSink } from '../ledger/compare-ledger-with-sink.ts';
import { type BlowName, blows, countKilled } from './blows.ts';
import { describeReport } from './describe-report.ts';
import type { Scenario, ScenarioOptions, ScenarioResult } from './scenario.ts';
import { withStack } from './with-stack.ts';

const killWorker = 'kill -9 of the worker with its delivery processes' satisfies BlowName;
const killMail = 'kill -9 of one delivery process' satisfies BlowName;
const restartDatabase = 'kill -9 and restart of PostgreSQL' satisfies BlowName;

interface Plan {
  processes: number;
  /** zones of the contacts; each has a moment of its own */
  zones: number;
  /** time between two moments, once they were brought together */
  everyMs: number;
  /** while Temporal is down */
  withoutTemporal: readonly BlowName[];
  withTemporal: readonly BlowName[];
}

const allZones = [
  ...[
    'Pacific/Kiritimati',
    'Pacific/Auckland',
    'Asia/Kamchatka',
    'Australia/Sydney',
    'Australia/Adelaide',
    'Asia/Tokyo',
  ],
  ...[
    'Australia/Eucla',
    'Asia/Shanghai',
    'Asia/Bangkok',
    'Asia/Yangon',
    'Asia/Dhaka',
    'Asia/Kathmandu',
    'Asia/Kolkata',
  ],
  ...[
    'Asia/Tashkent',
    'Asia/Kabul',
    'Asia/Dubai',
    'Asia/Tehran',
    'Europe/Istanbul',
    'Europe/Athens',
    'Europe/Berlin',
    'UTC',
  ],
  ...[
    'Atlantic/Azores',
    'America/Noronha',
    'America/Sao_Paulo',
    'America/St_Johns',
    'America/Halifax',
    'America/New_York',
  ],
  ...[
    'America/Chicago',
    'America/Denver',
    'America/Los_Angeles',
    'America/Anchorage',
    'Pacific/Marquesas',
    'Pacific/Honolulu',
  ],
  ...['Pacific/Niue'],
];

/** From the freeze to the first moment. */
const leadMs = 6_000;
/** How late an email may be. */
const mostLateMs = 60_000;
/** The number of contacts of which one opts out before its time. */
const optOutEvery = 40;
/** An opt-out is sent so long before the time of its email. */
const aheadMs = 1_500;
const stallMs = 180_000;

export const localTime: Scenario = {
  name: 'local-time',
  summary:
    'a campaign by the clocks of contacts in 34 zones while processes, the database and Temporal are killed: nothing goes out before its time or a minute after it, and who opts out before it gets nothing',
  recipients: 20_000,
  mostSeeds: 3,
  run: (options) =>
    runLocalTime(options, {
      processes: 4,
      zones: allZones.length,
      everyMs: 4_000,
      withoutTemporal: [killMail, killMail, restartDatabase, killMail],
      withTemporal: [killMail, killWorker, killMail, restartDatabase, killWorker, killMail],
    }),
};

export const localTimeSmall: Scenario = {
  name: 'local-time-small',
  summary: 'the short form of `local-time` that is part of the long tests',
  recipients: 400,
  mostSeeds: 1,
  run: (options) =>
    runLocalTime(options, {
      processes: 2,
      zones: 8,
      everyMs: 2_000,
      withoutTemporal: [killMail],
      withTemporal: [killWorker],
    }),
};

function runLocalTime(options: ScenarioOptions, plan: Plan): Promise<ScenarioResult> {
  const { recipients, seed, log } = options;
  const env = { MAIL_WORKERS: String(plan.processes) };
  return withStack(options, { env }, async (chaos) => {
    const { db, stack } = chaos;
    const random = createRandom(seed);
    const appSecret = stack.env.APP_SECRET ?? '';
    const project = await createProject(db, { appSecret, signed: false });
    await insertZonedContacts(db, project.id, recipients, allZones.slice(0, plan.zones));
    const { campaignId, at } = await sendByClocks(chaos, project);
    const emails = await untilFrozen(chaos, campaignId, recipients);
    const problems = momentsMissed(emails, at);
    const { temporal } = stack.processes;
    if (!temporal) throw new Error('This run needs a Temporal server of its own.');
    log(
      `frozen in ${new Set(emails.map(({ wave }) => wave)).size} waves; Temporal is stopped, the moments come together`,
    );
    await temporal.stop();
    await hurryWaves(db, campaignId, new Date(Date.now() + leadMs), plan.everyMs);
    const due = await dueTimes(db, campaignId);
    const leaving = optOut(chaos, project, emails, due);
    await strikeAll(chaos, random, plan, plan.withoutTemporal, log);
    await temporal.start();
    await strikeAll(chaos, random, plan, plan.withTemporal, log);
    const left = await leaving;
    log('waiting until the campaign is SENT');
    await untilCampaignSent(db, campaignId, { stallMs });
    const report = await compareLedgerWithSink(db, chaos.sink);
    const judged = await judge(chaos, { campaignId, emails, due, left });
    problems.push(...judged.problems);
    if (report.emails !== recipients) problems.push(`${recipients} contacts, but ${report.emails} emails`);
    const kills = countKilled([...plan.withoutTemporal, ...plan.withTemporal]);
    return {
      reports: [report],
      problems,
      notes: [...describeReport(report), ...judged.notes],
      kills,
      uncertain: { samples: [report.uncertain.length], most: kills * connectionsPerProcess },
    };
  });
}

/** By clocks that show this in half an hour in UTC: over in the east, where it is the next day. */
async function sendByClocks(
  { stack }: ChaosStack,
  { secretKey, from }: TestProject,
): Promise<{ campaignId: string; at: string }> {
  const { api } = stack.urls;
  const { data } = await callApi<{ data: { id: string } }>(api, secretKey, '/campaigns', {
    ...{
      name: 'By the clocks',
      subject: 'Good morning',
      body: '<p>Good morning.</p>',
      from,
      audienceType: 'ALL',
    },
  });
  const at = new Date(Date.now() + 30 * 60_000).toISOString().slice(0, 16);
  await callApi(api, secretKey, `/campaigns/${data.id}/send`, { localTime: at });
  return { campaignId: data.id, at };
}

async function untilFrozen({ db }: ChaosStack, campaignId: string, count: number): Promise<FrozenEmail[]> {
  for (const deadline = Date.now() + stallMs; Date.now() < deadline; await sleep(200)) {
    const emails = await frozenEmails(db, campaignId);
    if (emails.length === count) return emails;
  }
  throw new Error(`The audience was not frozen within ${stallMs / 1_000} s.`);
}

/** Emails whose moment is not that of their zone, today or tomorrow. */
function momentsMissed(emails: readonly FrozenEmail[], at: string): string[] {
  const local = Date.parse(`${at}:00Z`);
  const momentIn = (zone: string): number => {
    const clock = clockOf(zone);
    const today = clock.firstAt(local);
    return today < Date.now() ? clock.firstAt(local + 86_400_000) : today;
  };
  return emails
    .filter(({ zone, dueAt }) => dueAt !== momentIn(zone))
    .map(
      ({ emailId, zone, dueAt }) => `email ${emailId} of ${zone} is due at ${new Date(dueAt).toISOString()}`,
    );
}

async function strikeAll(
  chaos: ChaosStack,
  random: Random,
  plan: Plan,
  names: readonly BlowName[],
  log: (line: string) => void,
): Promise<void> {
  for (const name of names) {
    await sleep(plan.everyMs * (0.5 + random.next()));
    log(`${await chaos.sink.count()} at the sink: ${name}`);
    await blows[name](chaos, random);
  }
}

/** Some contacts opt out before their time. @returns the emails of those whose opt-out was answered before it */
async function optOut(
  { stack }: ChaosStack,
  { secretKey }: TestProject,
  emails: readonly FrozenEmail[],
  due: ReadonlyMap<number, number>,
): Promise<Set<string>> {
  const left = new Set<string>();
  const leave = async ({ emailId, contactId, wave }: FrozenEmail): Promise<void> => {
    const at = due.get(wave) ?? 0;
    await sleep(Math.max(0, at - aheadMs - Date.now()));
    const answer = await callApi(
      stack.urls.api,
      secretKey,
      `/contacts/${contactId}`,
      { subscribed: false },
      'PATCH',
    ).then(
      () => true,
      // The database is down.
      () => false,
    );
    if (answer && Date.now() < at) left.add(emailId);
  };
  await Promise.all(emails.filter((_, index) => index % optOutEvery === 0).map(leave));
  return left;
}

interface Course {
  campaignId: string;
  emails: readonly FrozenEmail[];
  due: ReadonlyMap<number, number>;
  left: ReadonlySet<string>;
}

async function judge(
  { db, sink }: ChaosStack,
  { campaignId, emails, due, left }: Course,
): Promise<{ problems: string[]; notes: string[] }> {
  const dueOf = new Map(emails.map(({ emailId, wave }) => [emailId, due.get(wave) ?? 0]));
  const ended = await outcomes(db, campaignId);
  const problems: string[] = [];
  const late: number[] = [];
  for (const { emailId, at } of await sink.messages()) {
    const after = at - (dueOf.get(emailId) ?? 0);
    late.push(after);
    if (after < 0) problems.push(`email ${emailId} arrived ${-after} ms before its time`);
    if (after > mostLateMs) problems.push(`email ${emailId} arrived ${after} ms after its time`);
    if (left.has(emailId))
      problems.push(`email ${emailId} arrived after an opt-out that came before its time`);
  }
  for (const emailId of left) {
    const outcome = ended.get(emailId);
    if (outcome !== 'SKIPPED unsubscribed') problems.push(`email ${emailId} of an opt-out is ${outcome}`);
  }
  return {
    problems,
    notes: [
      `${due.size} moments, ${left.size} opt-outs before theirs; at most ${(Math.max(0, ...late) / 1_000).toFixed(1)} s late`,
    ],
  };
}
