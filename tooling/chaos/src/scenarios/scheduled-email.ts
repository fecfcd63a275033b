import { setTimeout as sleep } from 'node:timers/promises';
import { callApi } from '@postrider/harness/call-api';
import { type ChaosStack, connectionsPerProcess } from '@postrider/harness/chaos-stack';
import { createProject, type TestProject } from '@postrider/harness/project.store';
import { createRandom, type Random } from '@postrider/harness/random';
import { median, percentile } from '@postrider/harness/statistics';
import { scheduledEmails } from '../harness/scheduled-email.store.ts';
import { untilSettled } from '../harness/until-settled.ts';
import { compareLedgerWithSink } from '../ledger/compare-ledger-with-sink.ts';
import { isAccepted } from '../ledger/email-faults.ts';
import { type BlowName, blows, countKilled } from './blows.ts';
import { describeReport } from './describe-report.ts';
import type { Scenario, ScenarioOptions, ScenarioResult } from './scenario.ts';
import { withStack } from './with-stack.ts';

interface Plan {
  /** the times are spread over this long */
  overMs: number;
  /** before the first blow nothing disturbs the delivery */
  quietMs: number;
  /** time between two blows */
  everyMs: number;
  blows: readonly BlowName[];
  /** how late 95 of 100 emails may be while nothing is disturbed; null where other tests share the machine */
  mostLateMs: number | null;
}

const killWorker = 'kill -9 of the worker with its delivery processes';
const killMail = 'kill -9 of one delivery process';
const restartDatabase = 'kill -9 and restart of PostgreSQL';

const manyBlows: readonly BlowName[] = Array.from({ length: 24 }, (_, index): BlowName => {
  if (index === 8 || index === 16) return restartDatabase;
  return index % 3 === 1 ? killWorker : killMail;
});

/** From the last request to the first time. */
const leadMs = 3_000;
const perRequest = 10;
/** One email in so many is cancelled or moved around its time. */
const changedEvery = 10;
const changedWithinMs = 250;
const movedByMs = 4_000;
const requestTimeoutMs = 5_000;
const stallMs = 90_000;

export const scheduledEmail: Scenario = {
  name: 'scheduled-email',
  summary:
    'emails whose times are spread over ten minutes, some cancelled and moved at that instant, while processes and PostgreSQL are killed: none lost, doubled or early',
  recipients: 10_000,
  mostSeeds: 2,
  run: (options) =>
    runScheduledEmail(options, {
      overMs: 600_000,
      quietMs: 60_000,
      everyMs: 20_000,
      blows: manyBlows,
      mostLateMs: 1_000,
    }),
};

export const scheduledEmailSmall: Scenario = {
  name: 'scheduled-email-small',
  summary: 'the short form of `scheduled-email` that is part of the long tests',
  recipients: 400,
  mostSeeds: 1,
  run: (options) =>
    runScheduledEmail(options, {
      overMs: 12_000,
      quietMs: 2_000,
      everyMs: 1_500,
      blows: [killMail, killWorker, restartDatabase],
      mostLateMs: null,
    }),
};

function runScheduledEmail(options: ScenarioOptions, plan: Plan): Promise<ScenarioResult> {
  const { recipients, seed, log } = options;
  return withStack(options, {}, async (chaos) => {
    const random = createRandom(seed);
    const project = await createProject(chaos.db, {
      appSecret: chaos.stack.env.APP_SECRET ?? '',
      signed: false,
    });
    const { times, begin } = await acceptAll(chaos, project, recipients, plan);
    log(
      `${times.size} emails are scheduled; the first is due in ${((begin - Date.now()) / 1_000).toFixed(1)} s`,
    );
    const changes = changeSome(chaos, project, times, random);
    await sleep(Math.max(0, begin - Date.now()) + plan.quietMs);
    for (const name of plan.blows) {
      log(`${await chaos.sink.count()} of ${times.size} at the sink: ${name}`);
      await blows[name](chaos, random);
      await sleep(plan.everyMs);
    }
    const outcomes = await changes;
    log('waiting until all of it is settled');
    await untilSettled(chaos, { stallMs });
    const report = await compareLedgerWithSink(chaos.db, chaos.sink);
    const { problems, late } = await judge(chaos, outcomes, begin + plan.quietMs);
    if (report.emails !== times.size) problems.push(`${times.size} emails, but ${report.emails} rows`);
    const { mostLateMs } = plan;
    if (mostLateMs !== null && percentile(late, 95) > mostLateMs)
      problems.push(`undisturbed, 5 % of the emails were more than ${mostLateMs} ms late`);
    const kills = countKilled(plan.blows);
    const counts = Object.entries(Object.groupBy(outcomes.values(), (outcome) => outcome));
    return {
      reports: [report],
      problems,
      notes: [
        ...describeReport(report),
        `changes around the time: ${counts.map(([outcome, all]) => `${all?.length ?? 0} ${outcome}`).join(', ')}`,
        `late while undisturbed: median ${median(late).toFixed(0)} ms, p95 ${percentile(late, 95).toFixed(0)} ms (${late.length} emails)`,
      ],
      kills,
      uncertain: { samples: [report.uncertain.length], most: kills * connectionsPerProcess },
    };
  });
}

interface Accepted {
  /** by the id of the email */
  times: Map<string, Date>;
  /** the first time */
  begin: number;
}

/**
 * Emails of type MARKETING: a transactional one that is UNCERTAIN is sent once more after two minutes, so that doubled ones could not be
 * told from it.
 */
async function acceptAll(
  { stack }: ChaosStack,
  { secretKey, from }: TestProject,
  recipients: number,
  { overMs }: Plan,
): Promise<Accepted> {
  const { id: template } = await callApi<{ id: string }>(stack.urls.api, secretKey, '/templates', {
    name: 'Reminder',
    subject: 'Reminder',
    body: '<p>Do not forget.</p>',
    from,
    type: 'MARKETING',
  });
  const requests = Math.ceil(recipients / perRequest);
  // Accepting takes a few milliseconds each.
  const begin = Date.now() + leadMs + requests * 10;
  const times = new Map<string, Date>();
  for (let request = 0; request < requests; request += 1) {
    const scheduledAt = new Date(begin + Math.round((request * overMs) / requests));
    const { data } = await callApi<{ data: { emails: { email: string }[] } }>(
      stack.urls.api,
      secretKey,
      '/v1/send',
      {
        to: Array.from(
          { length: Math.min(perRequest, recipients - request * perRequest) },
          (_, index) => `later${request}-${index}@people.test`,
        ),
        template,
        subscribed: true,
        scheduledAt: scheduledAt.toISOString(),
      },
    );
    for (const { email } of data.emails) times.set(email, scheduledAt);
  }
  return { times, begin };
}

/** `unknown`: no answer, or one that says that the service cannot answer now. */
type Outcome = 'cancelled' | 'moved' | 'refused' | 'unknown';

/** Cancels some emails around the instant at which they are due, and moves others. @returns how each of these requests ended */
async function changeSome(
  { stack }: ChaosStack,
  { secretKey }: TestProject,
  times: ReadonlyMap<string, Date>,
  random: Random,
): Promise<Map<string, Outcome>> {
  const ask = async (method: 'PATCH' | 'POST', path: string, body: object): Promise<number | null> =>
    fetch(new URL(path, stack.urls.api), {
      method,
      headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(requestTimeoutMs),
    }).then(
      async (answer) => {
        await answer.arrayBuffer();
        return answer.status;
      },
      () => null,
    );
  const change = async (id: string, at: Date, isCancel: boolean): Promise<Outcome> => {
    await sleep(Math.max(0, at.getTime() - Date.now() + random.whole(-changedWithinMs, changedWithinMs)));
    const status = isCancel
      ? await ask('POST', `/emails/${id}/cancel`, {})
      : await ask('PATCH', `/emails/${id}`, { scheduledAt: new Date(Date.now() + movedByMs).toISOString() });
    if (status === 200) return isCancel ? 'cancelled' : 'moved';
    if (status === 409) return 'refused';
    if (status === null || status >= 500) return 'unknown';
    throw new Error(`changing the email ${id} was answered with ${status}`);
  };
  const chosen = [...times].filter((_, index) => index % changedEvery === 0);
  return new Map(
    await Promise.all(
      chosen.map(async ([id, at], index) => [id, await change(id, at, index % 2 === 0)] as const),
    ),
  );
}

/** What the answers and times promised and the sink contradicts, and how late the email was that was due before `quietUntil`. */
async function judge(
  { db, sink }: ChaosStack,
  outcomes: ReadonlyMap<string, Outcome>,
  quietUntil: number,
): Promise<{ problems: string[]; late: number[] }> {
  const emails = await scheduledEmails(db);
  const problems: string[] = [];
  const late: number[] = [];
  for (const { emailId, at } of await sink.messages()) {
    const due = emails.get(emailId)?.scheduledAt.getTime() ?? 0;
    if (at < due) problems.push(`email ${emailId} arrived ${due - at} ms before its time`);
    if (at < quietUntil) late.push(at - due);
  }
  for (const [id, outcome] of outcomes) {
    const status = emails.get(id)?.status ?? 'missing';
    const isSent = isAccepted({ status }) || status === 'UNCERTAIN';
    if (outcome === 'cancelled' ? status !== 'SKIPPED' : outcome !== 'unknown' && !isSent)
      problems.push(`a change of email ${id} was ${outcome}, and it is ${status}`);
  }
  return { problems, late };
}
