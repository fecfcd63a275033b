import { setTimeout as sleep } from 'node:timers/promises';
import { openInAll } from '../harness/campaign.store.ts';
import type { ChaosStack } from '../harness/chaos-stack.ts';
import { mailProcessesOf } from '../harness/process-tree.ts';
import { createProject, type TestProject } from '../harness/project.store.ts';
import { compareLedgerWithSink } from '../ledger/compare-ledger-with-sink.ts';
import { describeReport } from './describe-report.ts';
import type { Scenario } from './scenario.ts';
import { withStack } from './with-stack.ts';

const senders = 8;
const stallMs = 60_000;
/** Long enough that the database can go down between the start of an SMTP transaction and the server's reply. */
const sinkDelayMs = 150;

export const databaseRestart: Scenario = {
  name: 'database-restart',
  summary:
    'PostgreSQL restarts twice under transactional mail, each with a body of its own: processes live, each email is SENT once',
  recipients: 300,
  run(options) {
    const { recipients, log } = options;
    // Leases as in production: no process ends in this run, so no claim has to be taken over.
    return withStack(options, { env: { DELIVERY_LEASE_SECONDS: '60', MAIL_WORKERS: '1' } }, async (chaos) => {
      const { postgres, worker } = chaos.stack.processes;
      if (!postgres || worker.pid === undefined)
        throw new Error('This run needs a PostgreSQL and a worker of its own.');
      const project = await createProject(chaos.db, {
        appSecret: chaos.stack.env.APP_SECRET ?? '',
        signed: false,
      });
      await chaos.sink.setBehaviour({ delayMs: sinkDelayMs });
      const before = await mailProcessesOf(worker.pid);
      const sending = sendAll(chaos, project, recipients);
      await untilAtSink(chaos, recipients / 4);
      log('PostgreSQL restarts (fast shutdown)');
      await postgres.restart();
      await untilAtSink(chaos, recipients / 2);
      log('PostgreSQL is killed and starts again');
      await postgres.kill();
      await postgres.start();
      await sending;
      await untilSettled(chaos);
      const report = await compareLedgerWithSink(chaos.db, chaos.sink);
      const problems: string[] = [];
      const after = worker.pid === undefined ? [] : await mailProcessesOf(worker.pid);
      if (String(after) !== String(before)) problems.push(`delivery processes were ${before}, now ${after}`);
      if (worker.restarts > 0) problems.push(`the worker ended ${worker.restarts} times`);
      if (chaos.stack.processes.api.restarts > 0) problems.push('the api ended');
      if (report.byStatus.SENT !== recipients)
        problems.push(`${report.byStatus.SENT ?? 0} of ${recipients} emails are SENT`);
      if (report.atSink !== recipients) problems.push(`${report.atSink} messages at the sink`);
      return { reports: [report], problems, notes: describeReport(report) };
    });
  },
};

async function sendAll({ stack }: ChaosStack, project: TestProject, count: number): Promise<void> {
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < count) {
      const number = next;
      next += 1;
      await sendUntilStored(stack.urls.api, project, number);
    }
  };
  await Promise.all(Array.from({ length: senders }, work));
}

/** Repeats a request that fails while the database is down, with the same idempotency key, as a client would. */
async function sendUntilStored(api: string, project: TestProject, number: number): Promise<void> {
  const deadline = Date.now() + stallMs;
  for (;;) {
    const status = await fetch(new URL('/v1/send', api), {
      method: 'POST',
      headers: {
        authorization: `Bearer ${project.secretKey}`,
        'content-type': 'application/json',
        'idempotency-key': `receipt-${number}`,
      },
      body: JSON.stringify({
        to: `p${number}@people.test`,
        from: project.from,
        subject: `Receipt ${number}`,
        body: `<p>Receipt number ${number}</p>`,
      }),
    }).then(
      (answer) => answer.status,
      () => null,
    );
    // 409: the first attempt was stored, and only its reply was lost.
    if (status === 200 || status === 409) return;
    if (Date.now() > deadline) throw new Error(`/v1/send answered ${status} for ${stallMs / 1_000} s`);
    await sleep(200);
  }
}

async function untilAtSink({ sink }: ChaosStack, count: number): Promise<void> {
  const deadline = Date.now() + stallMs;
  while ((await sink.count()) < count) {
    if (Date.now() > deadline) throw new Error(`${await sink.count()} messages arrived instead of ${count}`);
    await sleep(20);
  }
}

async function untilSettled({ db }: ChaosStack): Promise<void> {
  const deadline = Date.now() + stallMs * 3;
  while ((await openInAll(db)) > 0) {
    if (Date.now() > deadline) throw new Error(`${await openInAll(db)} emails are still open`);
    await sleep(100);
  }
}
