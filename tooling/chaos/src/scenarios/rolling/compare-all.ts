import { setTimeout as sleep } from 'node:timers/promises';
import { untilCampaignSent } from '@postrider/harness/campaign';
import type { ChaosStack } from '@postrider/harness/chaos-stack';
import type { TestProject } from '@postrider/harness/project.store';
import { readExecutions, strandedExecutions, undispatchedEvents } from '@postrider/harness/workflow.store';
import { untilExecutionsEnd } from '@postrider/harness/workflow-run';
import { countContacts, eventsByCode, missingEmails, unopenedEmails } from '../../harness/rolling.store.ts';
import { untilSettled } from '../../harness/until-settled.ts';
import { compareLedgerWithSink } from '../../ledger/compare-ledger-with-sink.ts';
import { describeReport } from '../describe-report.ts';
import type { ScenarioResult } from '../scenario.ts';
import { plainEvent, type Requests } from './requests.ts';
import { emailsOfWelcome, stepsOfWelcome, type Welcome } from './welcome.ts';

export interface Done {
  requests: Requests;
  workflow: Welcome;
  /** to which the requests went */
  shop: TestProject;
  /** ids of campaigns that were sent meanwhile, each to as many contacts */
  campaigns: readonly string[];
  perCampaign: number;
}

const stallMs = 120_000;
const mostNamed = 10;

/** Waits until everything has a final state, and looks for what was answered and is not there, or is there twice. */
export async function compareAll(chaos: ChaosStack, done: Done): Promise<ScenarioResult> {
  const { db, sink } = chaos;
  const { requests, workflow, campaigns, perCampaign } = done;
  const { accepted, failures } = requests;
  for (const id of campaigns) await untilCampaignSent(db, id, { stallMs });
  await untilExecutionsEnd(chaos, workflow.id, { executions: accepted.entered.length, stallMs });
  await untilSettled(chaos, { stallMs });
  const report = await compareLedgerWithSink(db, sink);
  const emails =
    accepted.emails.length + emailsOfWelcome * accepted.entered.length + campaigns.length * perCampaign;
  const judged = failures.filter(({ stopsBefore }) => !stopsBefore);
  const ofBefore = failures.length - judged.length;
  const asked = [...requests.sent.values()].reduce((sum, count) => sum + count, 0);
  return {
    reports: [report],
    problems: [
      ...few(judged.map(({ during, text }) => `a request failed (${during}): ${text}`)),
      // A request that failed may have been carried out.
      ...(report.emails === emails || failures.length > 0
        ? []
        : [`${emails} emails were accepted, and ${report.emails} are there`]),
      ...few(await lostRows(chaos, done)),
      ...few(await wrongExecutions(chaos, done)),
      ...(await strandedExecutions(db)),
      ...((await undispatchedEvents(db)) === 0 ? [] : ['events wait to be dispatched']),
    ],
    notes: [
      `${asked} requests, of which ${judged.length} failed: ${[...requests.sent].map(([name, count]) => `${count} ${name}`).join(', ')}`,
      ...(ofBefore === 0 ? [] : [`${ofBefore} more failed while an api of the version before stopped`]),
      ...new Set(
        failures.filter(({ stopsBefore }) => stopsBefore).map(({ text }) => `  ${text.slice(0, 160)}`),
      ),
      `${campaigns.length} campaigns, ${accepted.entered.length} executions, ${accepted.opened.length} opens`,
      ...describeReport(report),
    ],
  };
}

async function lostRows({ db }: ChaosStack, { requests, shop }: Done): Promise<string[]> {
  const { emails, events, opened, contacts } = requests.accepted;
  const missing = await missingEmails(db, emails);
  const stored = await eventsByCode(db, shop.id, plainEvent);
  const unopened = await untilOpened(db, opened);
  const there = await countContacts(db, shop.id, 'added');
  const known = new Set(events);
  const hasFailures = requests.failures.length > 0;
  return [
    ...missing.map((id) => `the email ${id} was accepted, and is not there`),
    ...events.flatMap((code) => {
      const times = stored.get(code) ?? 0;
      return times === 1 ? [] : [`the event ${code} was accepted, and is there ${times} times`];
    }),
    ...[...stored.keys()].flatMap((code) =>
      known.has(code) || hasFailures ? [] : [`the event ${code} is there, and was not accepted`],
    ),
    ...unopened.map((id) => `the email ${id} was opened, and is not noted so`),
    ...(there < contacts || (there > contacts && !hasFailures)
      ? [`${contacts} contacts were added, and ${there} are there`]
      : []),
  ];
}

/** Opens are written in groups, after their answers. */
async function untilOpened(db: ChaosStack['db'], ids: readonly string[]): Promise<string[]> {
  const deadline = Date.now() + stallMs;
  for (;;) {
    const unopened = await unopenedEmails(db, ids);
    if (unopened.length === 0 || Date.now() > deadline) return unopened;
    await sleep(250);
  }
}

async function wrongExecutions({ db }: ChaosStack, { requests, workflow }: Done): Promise<string[]> {
  const { entered } = requests.accepted;
  const executions = await readExecutions(db, workflow.id);
  const byEmail = Map.groupBy(executions, ({ email }) => email);
  return [
    ...entered.flatMap((email) => {
      const count = byEmail.get(email)?.length ?? 0;
      return count === 1 ? [] : [`${email} entered the workflow once, and has ${count} executions`];
    }),
    ...executions.flatMap(({ email, status, exitReason, steps }) => {
      const mails = steps.reduce((sum, step) => sum + step.emails, 0);
      const isRight = status === 'COMPLETED' && steps.length === stepsOfWelcome && mails === emailsOfWelcome;
      return isRight
        ? []
        : [
            `the execution of ${email} is ${status} ${exitReason ?? ''}, with ${steps.length} steps and ${mails} emails`,
          ];
    }),
  ];
}

const few = (problems: readonly string[]): string[] =>
  problems.length <= mostNamed
    ? [...problems]
    : [...problems.slice(0, mostNamed), `… and ${problems.length - mostNamed} more of these`];
