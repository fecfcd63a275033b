import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { trackEvent } from '@postrider/core/audience/events';
import {
  addStep,
  createWorkflow,
  getExecution,
  retryExecution,
  startExecution,
  updateWorkflow,
} from '@postrider/core/automation/workflows';
import { newId } from '@postrider/core/base/lib';
import { findFaults } from '@postrider/core/insight/restore';
import { claimBatches, readBatches, recordProgress } from '@postrider/core/mail/ledger';
import {
  createTestProject,
  sendingCampaign,
  type TestProject,
  type TestServices,
  type WaitingEmail,
  waitingMail,
} from '@postrider/core/testing/index.ts';
import { type Sink, startSink } from '@postrider/local/sink';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runAdmin } from '../run-admin.ts';
import {
  createInstallation,
  emptyDatabase,
  hasTools,
  type Installation,
  servicesOn,
  until,
  withDelivery,
} from './backup.fixture.ts';

const ahead = (ms: number) => new Date(Date.now() + ms);
const day = 86_400_000;

describe.skipIf(!hasTools)('a restore of a dump', () => {
  let installation: Installation;
  let sink: Sink;
  let project: TestProject;
  /** of the backup */
  let path: string;
  let url: string;
  let restored: TestServices;
  let report: string;

  /** due when the backup was made */
  let due: WaitingEmail[];
  let marketing: WaitingEmail[];
  let later: WaitingEmail[];
  let begun: WaitingEmail[];
  let ofCampaign: WaitingEmail[];
  const campaigns = { frozen: '', halfFrozen: '', soon: '', nextWeek: '' };
  const executions = { workflow: '', due: '', later: '' };

  const services = () => installation.test.services;
  const ids = (emails: readonly WaitingEmail[]) => emails.map(({ id }) => id);
  const emailsOf = async (of: TestServices, emails: readonly WaitingEmail[]) => {
    const rows = await of.services.database.prisma.email.findMany({ where: { id: { in: ids(emails) } } });
    return rows.map(({ status, error, reason }) => ({ status, error, reason }));
  };
  const admin = async (...args: string[]) => {
    const lines = { out: [] as string[], err: [] as string[] };
    const code = await runAdmin(args, {
      environment: () => ({}),
      env: () => restored.services.config,
      out: (line) => lines.out.push(line),
      err: (line) => lines.err.push(line),
    });
    return { code, out: lines.out.join('\n'), err: lines.err.join('\n') };
  };

  beforeAll(async () => {
    installation = await createInstallation();
    sink = await startSink({ keepRaw: true });
    project = await createTestProject(services());
    const { prisma } = services().database;
    begun = await waitingMail(services(), project.id, { count: 2 });
    await hold(begun);
    due = await waitingMail(services(), project.id, { count: 4 });
    marketing = await waitingMail(services(), project.id, { count: 1, type: 'MARKETING' });
    later = await waitingMail(services(), project.id, { count: 2 });
    await prisma.deliveryBatch.updateMany({
      where: { id: { in: later.map(({ batchId }) => batchId) } },
      data: { nextAttemptAt: ahead(10 * day) },
    });
    campaigns.frozen = await sendingCampaign(services(), project.id);
    ofCampaign = await waitingMail(services(), project.id, {
      count: 6,
      campaignId: campaigns.frozen,
      batchSize: 3,
    });
    await prisma.campaign.update({ where: { id: campaigns.frozen }, data: { totalRecipients: 6 } });
    campaigns.halfFrozen = await sendingCampaign(services(), project.id);
    await prisma.campaign.update({
      where: { id: campaigns.halfFrozen },
      data: { frozenToId: newId(), frozenToCreatedAt: new Date() },
    });
    const scheduled = async (scheduledFor: Date): Promise<string> => {
      const id = await sendingCampaign(services(), project.id);
      const data = { status: 'SCHEDULED', scheduledFor, sentAt: null, frozenAt: null } as const;
      await prisma.campaign.update({ where: { id }, data });
      return id;
    };
    campaigns.soon = await scheduled(ahead(200));
    campaigns.nextWeek = await scheduled(ahead(7 * day));
    await beginExecutions();
    await prisma.session.create({
      data: { id: newId(), userId: project.ownerId, tokenHash: Buffer.from('a'), expiresAt: ahead(day) },
    });
    await prisma.job.create({ data: { id: newId(), projectId: project.id, kind: 'import' } });

    const made = await installation.admin(['backup', join(installation.folder, 'backups'), '--dump']);
    expect(made).toMatchObject({ code: 0 });
    path = made.out;

    // The old installation goes on: what was due leaves, and more is accepted and sent.
    const after = await waitingMail(services(), project.id, { count: 3 });
    await prisma.deliveryBatch.updateMany({
      where: { id: { in: begun.map(({ batchId }) => batchId) } },
      data: { leaseUntil: new Date(0) },
    });
    const leaving = due.length + marketing.length + ofCampaign.length + after.length;
    await withDelivery(services(), sink.url, () => until(() => sink.count() >= leaving));

    url = await emptyDatabase(installation, 'restored');
    const done = await installation.admin(['restore', path, '--into', url]);
    expect(done).toMatchObject({ code: 0 });
    report = done.out;
    restored = await servicesOn(installation, url);
  });
  afterAll(async () => {
    await restored?.close();
    await sink?.stop();
    await installation?.close();
  });

  /** As a delivery process that has begun to hand these over when the backup is made. */
  async function hold(emails: readonly WaitingEmail[]): Promise<void> {
    const client = await services().database.durable.connect();
    try {
      const token = newId();
      const { batches } = await claimBatches(client, {
        projects: [{ projectId: project.id, maxEmails: emails.length }],
        kind: 'direct',
        token,
        worker: 'the old one',
        leaseMs: 3_600_000,
        defaultRate: 1_000,
      });
      await readBatches(client, batches);
      const bits = { begun: Buffer.from([1]), answered: Buffer.from([0]), results: null };
      await recordProgress(
        client,
        batches.map(({ id }) => ({ id, token, ...bits })),
      );
    } finally {
      client.release();
    }
  }

  /** One that is due, and one in a DELAY of ten days. */
  async function beginExecutions(): Promise<void> {
    const { ctx, publicCtx } = project;
    const workflow = await createWorkflow.run(ctx, { name: 'Welcome', eventName: 'signup' });
    const step = {
      id: workflow.id,
      name: 'Wait',
      type: 'DELAY',
      position: { x: 0, y: 100 },
      config: { amount: 10, unit: 'days' },
    } as const;
    const { id: delay } = await addStep.run(ctx, step);
    await updateWorkflow.run(ctx, { id: workflow.id, enabled: true });
    executions.workflow = workflow.id;
    const start = async () => {
      const { contact } = await trackEvent.run(publicCtx, { email: `${newId()}@people.test`, event: 'seen' });
      return (await startExecution.run(ctx, { id: workflow.id, contactId: contact })).id;
    };
    [executions.due, executions.later] = [await start(), await start()];
    await services().database.prisma.workflowExecution.update({
      where: { id: executions.later },
      data: { status: 'WAITING', currentStepId: delay, dueAt: ahead(10 * day) },
    });
  }

  it('says what it did', () => {
    expect(report.split('\n')[0]).toMatch(/^epoch\t2\tdata until \S+Z, lost until \S+Z$/);
    const counts = Object.fromEntries(report.split('\n').map((line) => line.split('\t').slice(0, 2)));
    expect(counts).toMatchObject({
      ...{ begun: '2', mayHaveLeft: '11', skipped: '0', waiting: '2', campaigns: '2', executions: '1' },
      ...{ jobs: '1', sessions: '1' },
    });
  });

  it('leaves no email that may have left to be sent: each is UNCERTAIN, and says why', async () => {
    const mayHaveLeft = {
      status: 'UNCERTAIN',
      error: expect.stringMatching(/^Restored to \S+Z: this email may have left$/),
      reason: null,
    };
    expect(await emailsOf(restored, due)).toEqual(due.map(() => mayHaveLeft));
    expect(await emailsOf(restored, ofCampaign)).toEqual(ofCampaign.map(() => mayHaveLeft));
    expect((await emailsOf(restored, begun)).map(({ status }) => status)).toEqual(['UNCERTAIN', 'UNCERTAIN']);
    expect((await emailsOf(restored, later)).map(({ status }) => status)).toEqual(['PENDING', 'PENDING']);
    const open = await restored.services.database.prisma.deliveryBatch.findMany();
    expect(open.map(({ id }) => id).sort()).toEqual(later.map(({ batchId }) => batchId).sort());
    expect(await restored.services.database.prisma.email.count({ where: { fence: { not: null } } })).toBe(0);
  });

  it('contradicts itself nowhere, and counts what may have left', async () => {
    expect(await findFaults(restored.services.database)).toEqual([]);
    const { prisma } = restored.services.database;
    const counter = await prisma.campaignCounter.findUniqueOrThrow({
      where: { campaignId: campaigns.frozen },
    });
    expect(counter).toMatchObject({ uncertainCount: 6, sentCount: 0 });
  });

  it('cancels campaigns that may have been sent to contacts it knows nothing of, and no others', async () => {
    const { prisma } = restored.services.database;
    const stateOf = async (id: string) => {
      const { status, statusReason } = await prisma.campaign.findUniqueOrThrow({ where: { id } });
      return [status, statusReason];
    };
    expect(await stateOf(campaigns.soon)).toEqual(['CANCELLED', 'restored']);
    expect(await stateOf(campaigns.halfFrozen)).toEqual(['CANCELLED', 'restored']);
    expect(await stateOf(campaigns.nextWeek)).toEqual(['SCHEDULED', null]);
    expect(await stateOf(campaigns.frozen)).toEqual(['SENDING', null]);
  });

  it('fails executions that were due, which can be retried, and leaves the others', async () => {
    const ctx = { ...project.ctx, services: restored.services, db: restored.services.database.prisma };
    const of = (executionId: string) => getExecution.run(ctx, { id: executions.workflow, executionId });
    expect(await of(executions.due)).toMatchObject({ status: 'FAILED', exitReason: 'restored' });
    expect(await of(executions.later)).toMatchObject({ status: 'WAITING' });
    const again = { id: executions.workflow, executionId: executions.due };
    expect(await retryExecution.run(ctx, again)).toMatchObject({ status: 'RUNNING', exitReason: null });
  });

  it('ends sessions and jobs, and writes down its epoch', async () => {
    const { prisma } = restored.services.database;
    expect(await prisma.session.count()).toBe(0);
    expect(await prisma.job.findMany()).toMatchObject([{ state: 'failed', failedReason: 'restored' }]);
    expect(await prisma.epoch.findMany({ orderBy: { epoch: 'asc' } })).toMatchObject([
      { epoch: 1, cause: 'installation' },
      { epoch: 2, cause: 'restore', inFlight: 'uncertain', counts: { mayHaveLeft: 11 } },
    ]);
    expect(await prisma.installation.findMany()).toMatchObject([{ epoch: 2, hold: 'all' }]);
  });

  it('refuses a database that has tables, or that others are connected to', async () => {
    expect(await installation.admin(['restore', path, '--into', url])).toMatchObject({
      code: 1,
      err: expect.stringContaining('a backup is restored into an empty one'),
    });
    const empty = await emptyDatabase(installation, 'in_use');
    const other = await servicesOn(installation, empty);
    await other.services.database.durable.query('SELECT 1');
    expect(await installation.admin(['restore', path, '--into', empty])).toMatchObject({
      code: 1,
      err: expect.stringContaining('other sessions are connected'),
    });
    await other.close();
  });

  it('asks before it sends what may have left, and skips or sends it when it is told to', async () => {
    const into = await emptyDatabase(installation, 'sent_again');
    const asked = await installation.admin(['restore', path, '--into', into, '--in-flight', 'send']);
    expect(asked).toMatchObject({ code: 2, err: expect.stringContaining('get them twice') });
    const sends = await installation.admin(['restore', path, '--into', into, '--in-flight', 'send', '--yes']);
    expect(sends.out).toMatch(/^waiting\t13\t/m);
    const skipped = await emptyDatabase(installation, 'skipped');
    const skips = await installation.admin(['restore', path, '--into', skipped, '--in-flight', 'skip']);
    expect(skips.out).toMatch(/^skipped\t11\t/m);
    const state = await servicesOn(installation, skipped);
    expect((await emailsOf(state, due)).map(({ status, reason }) => [status, reason])).toEqual(
      due.map(() => ['SKIPPED', 'cancelled']),
    );
    expect(await findFaults(state.services.database)).toEqual([]);
    await state.close();
  });

  it('of a complete backup leaves what waited to be sent, and holds nothing', async () => {
    const into = await emptyDatabase(installation, 'complete');
    const { code, out } = await installation.admin(['restore', path, '--into', into, '--complete']);
    expect([code, out]).toEqual([0, expect.stringMatching(/^begun\t2\t.*^waiting\t15\t/ms)]);
    const state = await servicesOn(installation, into);
    const { prisma } = state.services.database;
    expect(await prisma.installation.findMany()).toMatchObject([{ epoch: 2, hold: null }]);
    expect(await prisma.session.count()).toBe(1);
    expect((await emailsOf(state, due)).map(({ status }) => status)).toEqual(due.map(() => 'PENDING'));
    await state.close();
  });

  it('of a damaged backup, or with wrong options, writes nothing', async () => {
    const into = await emptyDatabase(installation, 'untouched');
    await writeFile(join(installation.folder, 'no-backup'), '');
    const missing = await installation.admin(['restore', join(installation.folder, 'none'), '--into', into]);
    expect(missing).toMatchObject({ code: 1, err: expect.stringContaining('manifest.json is missing') });
    const wrong = await installation.admin(['restore', path, '--into', into], {
      APP_SECRET: 'a-secret-that-is-another-one-0123456789',
    });
    expect(wrong).toMatchObject({ code: 1, err: expect.stringContaining('its secret') });
    for (const args of [
      ['--complete', '--lost-until', '2026-01-01T00:00:00Z'],
      ['--lost-until', 'noon'],
      ['--in-flight', 'maybe'],
    ])
      expect(await installation.admin(['restore', path, '--into', into, ...args])).toMatchObject({ code: 2 });
    expect(
      await installation.admin(['restore', path, '--into', into, '--lost-until', '2020-01-01T00:00:00Z']),
    ).toMatchObject({
      code: 1,
      err: expect.stringContaining('before the time of the data'),
    });
    const state = await servicesOn(installation, into);
    const { rows } = await state.services.database.durable.query(
      `SELECT FROM pg_class WHERE relname = 'Email'`,
    );
    expect(rows).toEqual([]);
    await state.close();
  });

  it('applies opt-outs of the lost time again, from an access log', async () => {
    const [email] = marketing;
    const [message] = sink.find([email?.id ?? '']);
    const token = /\/u\/([\w-]+)>/.exec(message?.raw ?? '')?.[1];
    const { prisma } = restored.services.database;
    const isSubscribed = async () =>
      (await prisma.contact.findUniqueOrThrow({ where: { id: email?.contactId ?? '' } })).subscribed;
    expect(await isSubscribed()).toBe(true);
    const log = join(installation.folder, 'access.log');
    const line = (request: string) =>
      `192.0.2.1 - - [01/Mar/2026:09:30:00 +0000] "${request} HTTP/1.1" 200 12`;
    const unknown = 'x'.repeat(40);
    await writeFile(log, [line(`GET /u/${token}`), line(`POST /u/${unknown}`)].join('\n'));
    expect(await admin('restore:optouts', log)).toMatchObject({ code: 0, out: 'applied\t0\nunknown\t1' });
    expect(await isSubscribed()).toBe(true);
    await writeFile(log, [line(`POST /u/${token}`), line(`POST /u/${token}`)].join('\n'));
    expect(await admin('restore:optouts', log)).toMatchObject({ code: 0, out: 'applied\t1\nunknown\t0' });
    expect(await isSubscribed()).toBe(false);
    expect(await admin('restore:optouts', join(installation.folder, 'none'))).toMatchObject({ code: 1 });
  });

  it('finds by the log of the mail server which emails left, and has the rest wait when it is told to', async () => {
    const log = join(installation.folder, 'mail.log');
    const lines = sink
      .messages()
      .map(({ messageId }) => `mx postfix/cleanup[71]: 4B2F: message-id=${messageId}`);
    await writeFile(log, [...lines, ...lines, 'message-id=<1@other.example>'].join('\n'));
    const { code, out } = await admin('restore:sent', log);
    expect([code, out]).toEqual([0, 'sent\t11\nlost\t3\nuncertain\t2']);
    const lost = (await readFile(join(installation.folder, 'lost-emails.txt'), 'utf8')).trim().split('\n');
    expect(lost).toHaveLength(3);
    expect((await emailsOf(restored, [...due, ...ofCampaign])).map(({ status }) => status)).toEqual(
      [...due, ...ofCampaign].map(() => 'SENT'),
    );
    const { prisma } = restored.services.database;
    const counter = await prisma.campaignCounter.findUniqueOrThrow({
      where: { campaignId: campaigns.frozen },
    });
    expect(counter).toMatchObject({ uncertainCount: 0, sentCount: 6 });
    expect(await findFaults(restored.services.database)).toEqual([]);

    const rest = await admin('restore:sent', log, '--rest', 'send');
    expect(rest.out).toBe('sent\t0\nlost\t3\nwaiting\t2\nuncertain\t0');
    expect((await emailsOf(restored, begun)).map(({ status }) => status)).toEqual(['PENDING', 'PENDING']);
    expect(await findFaults(restored.services.database)).toEqual([]);
  });

  it('sends nothing before its release, then each email once, and marketing last', async () => {
    const fresh = await waitingMail(restored.services, project.id, { count: 1 });
    const offer = await waitingMail(restored.services, project.id, { count: 1, type: 'MARKETING' });
    const before = sink.count();
    const hasLeft = (emails: readonly WaitingEmail[]) => sink.find(ids(emails)).length === emails.length;
    await withDelivery(restored.services, sink.url, async () => {
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      expect(sink.count()).toBe(before);
      expect(await admin('restore:release')).toMatchObject({
        code: 0,
        out: expect.stringContaining('TRANSACTIONAL'),
      });
      await until(() => hasLeft([...fresh, ...begun]));
      expect(hasLeft(offer)).toBe(false);
      expect(await admin('restore:release', '--marketing')).toMatchObject({
        code: 0,
        out: 'All email leaves.',
      });
      await until(() => hasLeft(offer));
    });
    expect(await admin('restore:release')).toMatchObject({ code: 0, out: 'Nothing is held.' });
    const sent = sink.messages().map(({ emailId }) => emailId);
    expect(new Set(sent).size).toBe(sent.length);
  });
});
