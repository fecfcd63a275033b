import { setTimeout as sleep } from 'node:timers/promises';
import { callApi } from '@postrider/harness/call-api';
import { sendCampaignNow, untilCampaignSent } from '@postrider/harness/campaign';
import { type ChaosStack, connectionsPerProcess } from '@postrider/harness/chaos-stack';
import { createProject, insertContacts, type TestProject } from '@postrider/harness/project.store';
import { createRandom, type Random } from '@postrider/harness/random';
import {
  emailsOfFamily,
  type FamilyEmail,
  reachedBy,
  readAndClick,
  sentOf,
} from '../harness/sequels.store.ts';
import { compareLedgerWithSink } from '../ledger/compare-ledger-with-sink.ts';
import { type BlowName, blows } from './blows.ts';
import { describeReport } from './describe-report.ts';
import type { Scenario, ScenarioOptions, ScenarioResult } from './scenario.ts';
import { withStack } from './with-stack.ts';

const killWorker = 'kill -9 of the worker with its delivery processes' satisfies BlowName;
const killMail = 'kill -9 of one delivery process' satisfies BlowName;

interface Plan {
  processes: number;
  families: number;
  /** time between the final dot and its reply: a campaign is not sent before it is cancelled */
  delayMs: number;
}

const stallMs = 240_000;
/** For how long a sequel is asked for while the emails of a cancelled campaign are still being skipped. */
const cancelledMs = 120_000;

export const sequels: Scenario = {
  name: 'sequels',
  summary:
    'campaigns that are cancelled and followed by several sequels at once, in two rounds, while delivery processes are killed: each contact gets one email a round, and those of the second are who they are for',
  recipients: 20_000,
  mostSeeds: 10,
  run: (options) => runSequels(options, { processes: 4, families: 10, delayMs: 100 }),
};

export const sequelsSmall: Scenario = {
  name: 'sequels-small',
  summary: 'the short form of `sequels` that is part of the long tests',
  recipients: 800,
  mostSeeds: 1,
  run: (options) => runSequels(options, { processes: 2, families: 2, delayMs: 200 }),
};

function runSequels(options: ScenarioOptions, plan: Plan): Promise<ScenarioResult> {
  const { recipients, seed, log } = options;
  return withStack(options, { env: { MAIL_WORKERS: String(plan.processes) } }, async (chaos) => {
    const random = createRandom(seed);
    await chaos.sink.setBehaviour({ delayMs: plan.delayMs });
    const appSecret = chaos.stack.env.APP_SECRET ?? '';
    const problems: string[] = [];
    const notes: string[] = [];
    let killed = 0;
    for (let n = 1; n <= plan.families; n += 1) {
      const project = await createProject(chaos.db, { appSecret, signed: false });
      const size = Math.ceil(recipients / plan.families);
      await insertContacts(chaos.db, project.id, size);
      const killing = killMeanwhile(chaos, {
        random: createRandom(seed + n),
        processes: plan.processes,
        log,
      });
      try {
        const family = await followUp({ chaos, project, size, random });
        problems.push(...family.problems.map((problem) => `family ${n}: ${problem}`));
        notes.push(`family ${n}: ${family.course}`);
        log(`family ${n} of ${plan.families}: ${family.course}`);
      } finally {
        killed += await killing.stop();
      }
    }
    const report = await compareLedgerWithSink(chaos.db, chaos.sink);
    return {
      reports: [report],
      problems,
      notes: [...describeReport(report), ...notes, `${killed} processes killed`],
      kills: killed,
      uncertain: { samples: [report.uncertain.length], most: killed * connectionsPerProcess },
    };
  });
}

interface Family {
  chaos: ChaosStack;
  project: TestProject;
  size: number;
  random: Random;
}

interface Course {
  problems: string[];
  /** what was sent, in a sentence */
  course: string;
}

/** A campaign that is cancelled, two sequels that make up for it, and three in the next round. */
async function followUp(family: Family): Promise<Course> {
  const { chaos, project, size, random } = family;
  const first = await sendCampaignNow(chaos.stack.urls.api, project);
  const share = 0.1 + 0.4 * random.next();
  while ((await sentOf(chaos.db, first)) < share * size) await sleep(20);
  await ask(family, `/campaigns/${first}/cancel`);
  const inRound = random.next() < 0.5 ? (['REST', 'NEW'] as const) : (['NEW', 'NEW'] as const);
  const made = await sendSequels(
    family,
    inRound.map((kind) => [first, kind]),
  );
  const problems = oncePerRound(await emailsOfFamily(chaos.db, first), 1, size);

  // One of them may have left nobody for the other one, and a cancelled campaign nobody for both.
  const second = (await mostSent(chaos, made)) ?? first;
  await readAndClick(chaos.db, first);
  await readAndClick(chaos.db, second);
  const [ofFirst, ofSecond] = [await reachedBy(chaos.db, first), await reachedBy(chaos.db, second)];
  const later = [
    [first, 'NOT_OPENED'],
    [first, random.next() < 0.5 ? 'NOT_CLICKED' : 'CLICKED'],
    [second, 'NOT_OPENED'],
  ] as const;
  await sendSequels(family, later);
  const wanted = new Set([
    ...ofFirst.filter(({ opened, clicked }) => !opened || (later[1][1] === 'CLICKED') === clicked).map(idOf),
    ...ofSecond.filter(({ opened }) => !opened).map(idOf),
  ]);
  const emails = await emailsOfFamily(chaos.db, first);
  problems.push(...oncePerRound(emails, 2, wanted.size));
  const strangers = emails.filter(({ round, contactId }) => round === 2 && !wanted.has(contactId));
  if (strangers.length > 0) problems.push(`${strangers.length} emails of round 2 are for others than wanted`);
  return {
    problems,
    course: `cancelled after ${ofFirst.length} of ${size}, then ${inRound.join(' and ')}, then ${later.map(([, kind]) => kind).join(', ')} to ${wanted.size}`,
  };
}

/** The campaign of which most emails have left; null if none has. */
async function mostSent({ db }: ChaosStack, ids: readonly string[]): Promise<string | null> {
  const counts = await Promise.all(ids.map((id) => sentOf(db, id)));
  const most = Math.max(...counts);
  return most > 0 ? (ids[counts.indexOf(most)] ?? null) : null;
}

const idOf = ({ contactId }: { contactId: string }): string => contactId;

/** Who has an email of a round, has one of it that is not skipped. */
function oncePerRound(emails: readonly FamilyEmail[], round: number, contacts: number): string[] {
  const ofRound = emails.filter((email) => email.round === round);
  const got = new Map<string, number>();
  for (const { contactId, status } of ofRound)
    if (status !== 'SKIPPED') got.set(contactId, (got.get(contactId) ?? 0) + 1);
  const twice = [...got.values()].filter((count) => count > 1).length;
  const open = ofRound.filter(({ status }) => status === 'PENDING' || status === 'SENDING').length;
  const others = ofRound.filter(
    ({ status, reason }) => status === 'SKIPPED' && reason !== 'duplicate' && reason !== 'cancelled',
  ).length;
  return [
    ...(twice > 0 ? [`${twice} contacts have two emails of round ${round}`] : []),
    ...(open > 0 ? [`${open} emails of round ${round} are open although its campaigns have ended`] : []),
    ...(others > 0 ? [`${others} emails of round ${round} were skipped for another reason`] : []),
    ...(got.size === contacts
      ? []
      : [`round ${round} is for ${contacts} contacts, and ${got.size} have its email`]),
  ];
}

/**
 * Makes sequels of campaigns, sends all of them at once, and waits until they are sent. One for which another has left nobody is refused, and
 * stays a draft. @returns the ids of all
 */
async function sendSequels(
  family: Family,
  kinds: readonly (readonly [origin: string, kind: string])[],
): Promise<string[]> {
  const ids: string[] = [];
  for (const [origin, kind] of kinds) ids.push(await createSequel(family, origin, kind));
  const sent = await Promise.all(ids.map((id) => sendUnlessForNobody(family, id)));
  for (const [index, id] of ids.entries())
    if (sent[index]) await untilCampaignSent(family.chaos.db, id, { stallMs });
  return ids;
}

async function sendUnlessForNobody(family: Family, id: string): Promise<boolean> {
  try {
    await ask(family, `/campaigns/${id}/send`, {});
    return true;
  } catch (error) {
    if (!/ answered 400: .*has no recipients/.test(String(error))) throw error;
    return false;
  }
}

async function createSequel(family: Family, origin: string, kind: string): Promise<string> {
  const deadline = Date.now() + cancelledMs;
  for (;;) {
    try {
      const { id } = await ask<{ id: string }>(family, `/campaigns/${origin}/sequel`, { kind });
      return id;
    } catch (error) {
      if (!/ answered 409/.test(String(error)) || Date.now() > deadline) throw error;
      await sleep(200);
    }
  }
}

const ask = <Answer>({ chaos, project }: Family, path: string, body?: unknown): Promise<Answer> =>
  callApi<Answer>(chaos.stack.urls.api, project.secretKey, path, body);

/** Kills some processes at random moments, so that between them there is time to come back. `stop` says how many. */
function killMeanwhile(
  chaos: ChaosStack,
  { random, processes, log }: { random: Random; processes: number; log(line: string): void },
): { stop(): Promise<number> } {
  let isOver = false;
  let killed = 0;
  const killing = (async () => {
    const order: BlowName[] = [killMail, random.next() < 0.5 ? killWorker : killMail, killMail, killMail];
    for (const blow of order) {
      for (let left = 1_000 + 6_000 * random.next(); left > 0 && !isOver; left -= 100) await sleep(100);
      if (isOver) return;
      log(blow);
      await blows[blow](chaos, random);
      killed += blow === killWorker ? processes : 1;
    }
  })();
  return {
    async stop() {
      isOver = true;
      await killing;
      return killed;
    },
  };
}
