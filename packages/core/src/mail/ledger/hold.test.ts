import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sendingCampaign, type TestProject, waitingMail } from '../../testing/index.ts';
import { sendEmail } from '../sending/send-email.ts';
import { openTestLedger, type TestLedger } from './ledger.fixture.ts';

let ledger: TestLedger;
let project: TestProject;

beforeAll(async () => {
  ledger = await openTestLedger();
});
afterAll(() => ledger.close());
beforeEach(async () => {
  await hold(null);
  project = await ledger.newProject();
});

const hold = (kind: 'all' | 'marketing' | null) =>
  ledger.test.services.database.prisma.installation.update({ where: { id: 1 }, data: { hold: kind } });
const add = (options: Partial<Parameters<typeof waitingMail>[2]> = {}) =>
  waitingMail(ledger.test.services, project.id, { count: 2, ...options });

it('nothing is claimed while the installation is stopped for a move, whatever was released', async () => {
  const { installation } = ledger.test.services.database.prisma;
  await add();
  await installation.update({ where: { id: 1 }, data: { stoppedAt: new Date() } });
  expect((await ledger.claim(project.id)).batches).toEqual([]);
  await hold('marketing');
  expect((await ledger.claim(project.id)).batches).toEqual([]);
  await installation.update({ where: { id: 1 }, data: { stoppedAt: null, hold: null } });
  expect((await ledger.claim(project.id)).batches).toHaveLength(2);
});

describe('since a restore', () => {
  it('nothing leaves while all is held, and claims are not asked for again and again', async () => {
    await add();
    await add({ campaignId: await sendingCampaign(ledger.test.services, project.id) });
    await hold('all');
    for (const kind of ['direct', 'bulk'] as const) {
      expect(await ledger.claim(project.id, { kind })).toEqual({
        batches: [],
        projects: [{ projectId: project.id, more: false, tokensInMs: null }],
      });
    }
  });

  it('email that is due leaves with the next claim after its release', async () => {
    await add();
    await hold('all');
    expect((await ledger.claim(project.id)).batches).toEqual([]);
    await hold(null);
    expect((await ledger.claim(project.id)).batches).toHaveLength(2);
  });

  it('only TRANSACTIONAL email leaves while marketing is held, also of campaigns behind it', async () => {
    const marketing = await add({ type: 'MARKETING' });
    const direct = await add();
    const campaignId = await sendingCampaign(ledger.test.services, project.id);
    const held = await add({ campaignId, type: 'MARKETING' });
    const other = await add({ campaignId });
    await hold('marketing');
    const idsOf = async (kind: 'direct' | 'bulk') =>
      (await ledger.claim(project.id, { kind })).batches.map(({ id }) => id);
    const batchesOf = (emails: typeof direct) => [...new Set(emails.map(({ batchId }) => batchId))];
    expect((await idsOf('direct')).sort()).toEqual(batchesOf(direct).sort());
    expect(await idsOf('bulk')).toEqual(batchesOf(other));
    expect(await ledger.claim(project.id, { kind: 'bulk' })).toMatchObject({
      batches: [],
      projects: [{ more: false }],
    });
    await hold(null);
    expect((await idsOf('direct')).sort()).toEqual(batchesOf(marketing).sort());
    expect(await idsOf('bulk')).toEqual(batchesOf(held));
  });

  it('a database without an installation sends nothing', async () => {
    await add();
    const { prisma } = ledger.test.services.database;
    const row = await prisma.installation.delete({ where: { id: 1 } });
    expect((await ledger.claim(project.id)).batches).toEqual([]);
    await prisma.installation.create({ data: row });
  });

  it('a send and its email say what they wait for', async () => {
    const { prisma } = ledger.test.services.database;
    await waitingMail(ledger.test.services, project.id, { count: 1 });
    await hold('all');
    const sent = await sendEmail.runRaw(project.ctx, {
      to: 'ann@people.test',
      from: 'sender@mail.test',
      subject: 'Hello',
      body: '<p>Hello</p>',
    });
    expect(sent).toMatchObject({ emails: [{ status: 'PENDING', heldBy: 'restore', estimatedSendAt: null }] });
    expect(await prisma.deliveryBatch.count({ where: { projectId: project.id, token: { not: null } } })).toBe(
      0,
    );
  });
});
