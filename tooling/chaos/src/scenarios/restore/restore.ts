import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { untilCampaignSent } from '@postrider/harness/campaign';
import type { ChaosStack } from '@postrider/harness/chaos-stack';
import { mailProcessesOf } from '@postrider/harness/process-tree';
import { createProject, insertContacts } from '@postrider/harness/project.store';
import { createRandom, type Random } from '@postrider/harness/random';
import { hasPostgres15, POSTGRES_15, type Postgres, startPostgres } from '@postrider/local/postgres';
import { isAlive } from '@postrider/local/processes';
import { sendUntilStored } from '../../harness/send-until-stored.ts';
import { untilSettled } from '../../harness/until-settled.ts';
import { compare } from '../../ledger/compare-ledger-with-sink.ts';
import { readLedger } from '../../ledger/ledger.store.ts';
import { describeReport } from '../describe-report.ts';
import type { Scenario, ScenarioOptions, ScenarioResult } from '../scenario.ts';
import { withStack } from '../with-stack.ts';
import { startMixedMail } from './mixed-mail.ts';
import { runAdmin } from './run-admin.ts';

/** Time between the final dot and its reply, so that email is being handed over whenever the server is lost. */
const sinkDelayMs = 100;
/** For how long processes of before the restore may live on, from when the restored server answers. */
const oldEndMs = 20_000;
/** Email is held for at least so long after the old processes have ended. */
const heldMs = 5_000;
const stallMs = 120_000;

export const restore: Scenario = {
  name: 'restore',
  summary:
    'PostgreSQL is lost, and restored to a state of before, while email of all kinds is in flight and the processes live on: nothing leaves twice, each email has a state, and the processes of before end',
  recipients: 3_000,
  mostSeeds: 3,
  async run(options) {
    if (!(await hasPostgres15())) throw new Error('This scenario needs PostgreSQL 15 with pg_basebackup.');
    const folder = await mkdtemp(join(tmpdir(), 'postrider-chaos-restore-'));
    // Root starts PostgreSQL as another user.
    await chmod(folder, 0o755);
    const server = await startPostgres({ dataDir: join(folder, 'lost/postgres'), binDir: POSTGRES_15 });
    const scene: Scene = { options, folder, lost: server, restored: null };
    try {
      return await withStack(options, { database: { url: server.url, directUrl: server.url } }, (chaos) =>
        runOn(chaos, scene),
      );
    } finally {
      await (scene.restored ?? server).stop();
      await rm(folder, { recursive: true, force: true });
    }
  },
};

interface Scene {
  options: ScenarioOptions;
  folder: string;
  /** the server of the backup */
  lost: Postgres;
  /** the one in its place, at the same address */
  restored: Postgres | null;
}

async function runOn(chaos: ChaosStack, scene: Scene): Promise<ScenarioResult> {
  const { recipients, seed, log } = scene.options;
  const random = createRandom(seed);
  const { stack, sink, db } = chaos;
  await sink.setBehaviour({ delayMs: sinkDelayMs });
  const project = await createProject(db, { appSecret: stack.env.APP_SECRET ?? '', signed: false });
  await insertContacts(db, project.id, recipients);
  const mail = await startMixedMail(stack.urls.api, project, random);
  const backup = await backUpAndLose(chaos, scene, random);
  const accepted = await mail.stop();

  const old = await processesOf(chaos);
  const problems: string[] = [];
  log(`${await sink.count()} messages at the sink; restoring the state of the backup`);
  const into = join(scene.folder, 'restored');
  const counts = await runAdmin(stack.env, ['restore', backup, '--into', into]);
  for (const line of counts.split('\n')) log(`  ${line.replaceAll('\t', ' ')}`);
  const before = await sink.count();
  scene.restored = await startPostgres({ dataDir: into, port: scene.lost.port, binDir: POSTGRES_15 });

  const endedMs = await untilEnded(old);
  if (endedMs > oldEndMs) problems.push(`processes of before the restore lived ${Math.round(endedMs)} ms on`);
  await sleep(heldMs);
  const held = await sink.count();
  if (held !== before) problems.push(`${held - before} messages left before an operator said so`);

  const isLogWhole = seed % 2 === 0;
  const lost = await proveSent(chaos, scene, isLogWhole);
  log(await runAdmin(stack.env, ['restore:release', '--marketing']));
  await sendUntilStored(stack.urls.api, project, 'after', {
    to: 'after@people.test',
    subject: 'After the restore',
    body: '<p>It goes on.</p>',
  });
  await untilSettled(chaos, { stallMs });
  await untilCampaignSent(db, mail.campaignId, { stallMs });
  return judge(chaos, { problems, lost, endedMs, accepted, isLogWhole });
}

/** @returns the folder of the backup */
async function backUpAndLose({ stack, sink }: ChaosStack, scene: Scene, random: Random): Promise<string> {
  const { folder, lost, options } = scene;
  await sleep(random.whole(1_000, 6_000));
  const backup = await runAdmin(stack.env, ['backup', join(folder, 'backups'), '--base']);
  options.log(`backup made; ${await sink.count()} messages at the sink`);
  await sleep(random.whole(1_000, 10_000));
  await lost.kill();
  return backup;
}

async function processesOf({ stack }: ChaosStack): Promise<number[]> {
  const { api, worker } = stack.processes;
  const pids = [api.pid, worker.pid].flatMap((pid) => pid ?? []);
  return [...pids, ...(await mailProcessesOf(worker.pid ?? 0))];
}

/** @returns how long the last of them lived on, in milliseconds */
async function untilEnded(pids: readonly number[]): Promise<number> {
  const begun = performance.now();
  for (;;) {
    const living = await Promise.all(pids.map(isAlive));
    const ms = performance.now() - begun;
    if (!living.includes(true) || ms > 3 * oldEndMs) return ms;
    await sleep(50);
  }
}

/** Gives the log of the mail server to the restored installation. @returns the ids of emails that it knows nothing of */
async function proveSent(
  { stack, sink }: ChaosStack,
  { folder, options }: Scene,
  isLogWhole: boolean,
): Promise<Set<string>> {
  const file = join(folder, 'mail.log');
  const lines = (await sink.messages()).map(
    ({ messageId, to }) => `message-id=${messageId} to=${to} accepted`,
  );
  await writeFile(file, `${lines.join('\n')}\n`);
  const said = await runAdmin(stack.env, ['restore:sent', file, ...(isLogWhole ? ['--rest', 'send'] : [])]);
  options.log(`of the mail server's log: ${said.replaceAll('\n', ', ').replaceAll('\t', ' ')}`);
  const lost = await readFile(join(folder, 'lost-emails.txt'), 'utf8').catch(() => '');
  return new Set(lost.split('\n').filter((line) => line !== ''));
}

interface Course {
  problems: string[];
  lost: ReadonlySet<string>;
  endedMs: number;
  accepted: number;
  isLogWhole: boolean;
}

async function judge({ db, sink }: ChaosStack, course: Course): Promise<ScenarioResult> {
  const { problems, lost, endedMs, accepted, isLogWhole } = course;
  const ledger = await readLedger(db);
  const messages = await sink.messages();
  const known = new Set(ledger.emails.map(({ id }) => id));
  const ofTheLost = messages.filter(({ emailId }) => !known.has(emailId));
  const report = compare(
    ledger,
    messages.filter(({ emailId }) => known.has(emailId)),
  );
  const unnamed = ofTheLost.filter(({ emailId }) => !lost.has(emailId));
  if (unnamed.length > 0) problems.push(`${unnamed.length} lost emails that arrived are not named`);
  const foundAgain = [...lost].filter((id) => known.has(id));
  if (foundAgain.length > 0) problems.push(`${foundAgain.length} emails are named as lost, and are there`);
  const arrived = report.uncertain.filter(({ atSink }) => atSink);
  if (arrived.length > 0) problems.push(`${arrived.length} emails are UNCERTAIN, and were in the log`);
  if (isLogWhole && report.uncertain.length > 0)
    problems.push(`${report.uncertain.length} emails are UNCERTAIN, though the log was whole`);
  if (!messages.some(({ to }) => to.includes('after@people.test')))
    problems.push('what was accepted after the restore did not arrive');
  return {
    reports: [report],
    problems,
    notes: [
      ...describeReport(report).slice(0, 2),
      `${accepted} people were written to one by one; ${ofTheLost.length} messages are of emails of after the backup`,
      `the last process of before the restore ended after ${(endedMs / 1_000).toFixed(1)} s`,
    ],
    uncertain: { samples: [report.uncertain.length], most: null },
  };
}
