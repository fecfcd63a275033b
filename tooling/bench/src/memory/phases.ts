import { setTimeout as sleep } from 'node:timers/promises';
import { callApi } from '@postrider/harness/call-api';
import { sendCampaignNow, untilCampaignSent } from '@postrider/harness/campaign';
import type { TestProject } from '@postrider/harness/project.store';
import { workflowProgress } from '@postrider/harness/workflow.store';
import type { Pool } from 'pg';
import { csvOf, rowsPerFile } from '../import/import-rows.ts';
import { buildOnboarding } from '../workflows/onboarding.ts';
import { trackPeople } from '../workflows/track-people.ts';

const pollMs = 500;
/** Work without progress for this time counts as stuck. */
const stallMs = 180_000;

/** A started product and its demo project. */
export interface Loaded {
  api: string;
  project: TestProject;
  db: Pool;
}

const call = <Answer>({ api, project }: Loaded, path: string, body?: unknown): Promise<Answer> =>
  callApi<Answer>(api, project.secretKey, path, body, body === undefined ? 'GET' : 'POST');

/** A few requests of those that an installation gets all day, one after the other. */
export async function smallLoad(loaded: Loaded): Promise<void> {
  for (let n = 0; n < 5; n += 1) await sendOne(loaded, `first${n}@people.test`);
  await call(loaded, '/contacts');
  await call(loaded, '/emails');
}

/** `count` requests of several kinds, ten at a time. */
export async function mixedRequests(loaded: Loaded, count: number): Promise<void> {
  const kinds: ((n: number) => Promise<unknown>)[] = [
    (n) => sendOne(loaded, `mixed${n}@people.test`),
    (n) => trackOne(loaded, `mixed${n}@people.test`),
    () => call(loaded, '/contacts'),
    () => call(loaded, '/emails'),
    () => call(loaded, '/campaigns'),
    () => call(loaded, '/analytics/timeseries'),
    () => call(loaded, '/graphql', { query: '{ contacts(first: 5) { edges { node { email } } } }' }),
    () => call(loaded, '/templates'),
    () => call(loaded, '/workflows'),
    () => call(loaded, '/activity'),
  ];
  const numbers = Array.from({ length: count }, (_, n) => n).values();
  const lane = async (): Promise<void> => {
    for (const n of numbers) await kinds[n % kinds.length]?.(n);
  };
  await Promise.all(Array.from({ length: 10 }, lane));
}

const sendOne = (loaded: Loaded, to: string): Promise<unknown> =>
  call(loaded, '/v1/send', {
    to,
    from: loaded.project.from,
    subject: 'Hello {{firstName ?? there}}',
    body: '<p>Your order has left. <a href="https://example.com/orders">Follow it</a>.</p>',
  });

const trackOne = ({ api, project }: Loaded, email: string): Promise<unknown> =>
  callApi(api, project.publicKey, '/v1/track', { email, event: 'opened-app' });

/** Imports contacts from CSV files, one after the other. */
export async function importContacts(loaded: Loaded, count: number): Promise<void> {
  for (let at = 1; at <= count; at += rowsPerFile)
    await importFile(loaded, csvOf(at, Math.min(rowsPerFile, count - at + 1)));
}

/** Imports a CSV file, until all of it is. */
export async function importFile(loaded: Loaded, csv: string): Promise<void> {
  const form = new FormData();
  form.set('file', new Blob([csv], { type: 'text/csv' }), 'contacts.csv');
  const answer = await fetch(new URL('/contacts/import', loaded.api), {
    method: 'POST',
    headers: { authorization: `Bearer ${loaded.project.secretKey}` },
    body: form,
  });
  if (answer.status !== 202) throw new Error(`the import answered ${answer.status}: ${await answer.text()}`);
  const { jobId } = (await answer.json()) as { jobId: string };
  let progress = -1;
  await untilDone('the import', async () => {
    const job = await call<{ state: string; progress: number; failedReason: string | null }>(
      loaded,
      `/contacts/import/${jobId}`,
    );
    if (job.state === 'failed') throw new Error(`the import failed: ${job.failedReason}`);
    const moved = job.progress !== progress;
    progress = job.progress;
    return job.state === 'completed' ? 'done' : moved;
  });
}

/** A campaign to all contacts, until it is SENT. */
export async function sendCampaign({ api, project, db }: Loaded): Promise<void> {
  await untilCampaignSent(db, await sendCampaignNow(api, project), { stallMs });
}

/** Executions of a workflow that sends an email, until all have ended. */
export async function runExecutions({ api, project, db }: Loaded, count: number): Promise<void> {
  const workflowId = await buildOnboarding(api, project);
  await trackPeople(
    api,
    project,
    Array.from({ length: count }, (_, n) => `entered${n}@people.test`),
  );
  let before = -1;
  await untilDone('the workflow', async () => {
    const { executions, active, steps } = await workflowProgress(db, workflowId);
    const moved = executions + steps !== before;
    before = executions + steps;
    return executions === count && active === 0 ? 'done' : moved;
  });
}

/** @param look at the work: whether it is done, or has moved since the last look */
async function untilDone(what: string, look: () => Promise<'done' | boolean>): Promise<void> {
  let movedAt = Date.now();
  for (;;) {
    const state = await look();
    if (state === 'done') return;
    if (state) movedAt = Date.now();
    if (Date.now() - movedAt > stallMs)
      throw new Error(`${what} has made no progress for ${stallMs / 1_000} s`);
    await sleep(pollMs);
  }
}
