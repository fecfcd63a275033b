import { encodeLink } from '@postrider/core/mail/message';
import {
  createTestProject,
  createTestServices,
  sendingCampaign,
  type TestProject,
  type TestServices,
  waitingMail,
} from '@postrider/core/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ServedApi, serveApi } from './served-api.ts';

/** Behaviour B1.5: clicks that reach several api processes are judged together, by whichever of them is there. */
let test: TestServices;
let servers: ServedApi[] = [];
let project: TestProject;
let campaignId: string;

beforeAll(async () => {
  test = await createTestServices();
  project = await createTestProject(test.services);
  servers = await Promise.all([serveApi(test.services), serveApi(test.services)]);
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  await test.close();
});
beforeEach(async () => {
  campaignId = await sendingCampaign(test.services, project.id);
});

const prisma = () => test.services.database.prisma;
const browser =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36';

async function sentEmails(count: number): Promise<string[]> {
  const rows = await waitingMail(test.services, project.id, { count, campaignId });
  await prisma().deliveryBatch.deleteMany({ where: { campaignId } });
  await prisma().email.updateMany({
    where: { campaignId },
    data: { status: 'SENT', sentAt: new Date(Date.now() - 3_600_000), tracked: true, batchId: null },
  });
  return rows.map(({ id }) => id);
}

async function follow(server: ServedApi | undefined, emailId: string, link: string): Promise<void> {
  const url = `https://shop.test/${link}`;
  const token = encodeLink(test.services.secrets, { kind: 'click', emailId, target: { url } });
  const answer = await fetch(`${server?.url}/t/c/${token}`, {
    headers: { 'user-agent': browser },
    redirect: 'manual',
  });
  expect([answer.status, answer.headers.get('location')]).toEqual([302, url]);
}

const unjudged = () => prisma().recentClick.count({ where: { judged: false } });

describe('two api processes', () => {
  it('see the burst of a gateway that both of them served, and count single clicks once', async () => {
    const [gateway = '', ...people] = await sentEmails(11);
    await Promise.all([
      ...Array.from({ length: 10 }, (_, at) => follow(servers[at % 2], gateway, `link-${at}`)),
      ...people.map((id, at) => follow(servers[at % 2], id, 'offer')),
    ]);
    await expect
      .poll(() => prisma().interaction.count({ where: { emailId: { in: [gateway, ...people] } } }), {
        timeout: 60_000,
      })
      .toBe(20);
    await expect.poll(unjudged, { timeout: 60_000 }).toBe(0);
    const emails = await prisma().email.findMany({ where: { campaignId } });
    expect(emails.find(({ id }) => id === gateway)).toMatchObject({ status: 'SENT', clicks: 0 });
    const counted = emails.filter(({ id }) => id !== gateway).map(({ clicks, status }) => [clicks, status]);
    expect(counted).toEqual(people.map(() => [1, 'CLICKED']));
    expect(await prisma().event.count({ where: { name: 'email.click', emailId: { in: people } } })).toBe(10);
    expect(await prisma().campaignCounter.findUnique({ where: { campaignId } })).toMatchObject({
      clickedCount: 10,
    });
  });

  it('lose no click that one of them had stored when it was killed', async () => {
    const people = await sentEmails(20);
    await Promise.all(people.map((id) => follow(servers[0], id, 'offer')));
    await expect
      .poll(() => prisma().interaction.count({ where: { emailId: { in: people } } }), { timeout: 60_000 })
      .toBe(20);
    await servers[0]?.stop();
    await expect
      .poll(() => prisma().email.count({ where: { id: { in: people }, status: 'CLICKED', clicks: 1 } }), {
        timeout: 60_000,
      })
      .toBe(20);
    expect(await prisma().event.count({ where: { name: 'email.click', emailId: { in: people } } })).toBe(20);
  });
});
