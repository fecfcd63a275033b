import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../base/lib/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../testing/index.ts';
import { sweepClients, sweepConsent } from './index.ts';

let test: TestServices;
let project: TestProject;
beforeAll(async () => {
  test = await createTestServices();
  project = await createTestProject(test.services);
});
afterAll(() => test.close());

const prisma = () => test.services.database.prisma;
const dayMs = 86_400_000;
const ago = (days: number): Date => new Date(Date.now() - days * dayMs);
const years = 3 * 365.25;
let seq = 0n;

async function act(more: object): Promise<bigint> {
  seq += 1n;
  await prisma().consentAct.create({
    data: {
      ...{
        seq,
        projectId: project.id,
        action: 'unsubscribe',
        effect: 'changed',
        source: 'page',
        actor: 'recipient',
      },
      ...more,
    },
  });
  return seq;
}
const isThere = async (one: bigint): Promise<boolean> =>
  (await prisma().consentAct.count({ where: { projectId: project.id, seq: one } })) === 1;

it('acts of a deleted contact go three years after its deletion, and no sooner', async () => {
  const erased = async (days: number) => {
    const addressHash = Uint8Array.from(Buffer.from(newId()));
    await prisma().erasedContact.create({
      data: { contactId: newId(), projectId: project.id, addressHash, createdAt: ago(days) },
    });
    return act({ addressHash, recordedAt: ago(years + 400) });
  };
  const [old, recent] = [await erased(years + 1), await erased(years - 2)];
  const own = await act({ contactId: newId(), recordedAt: ago(years + 400) });
  expect(await sweepConsent(test.services, new Date(), 100)).toBe(1);
  expect(await sweepConsent(test.services, new Date(), 100)).toBe(0);
  expect([await isThere(old), await isThere(recent), await isThere(own)]).toEqual([false, true, true]);
});

it('subscription requests go three years after they were closed', async () => {
  const request = async (closedAt: Date | null) => {
    const id = newId();
    const contactId = newId();
    await prisma().subscriptionRequest.create({
      data: { id, projectId: project.id, contactId, expiresAt: ago(1), closedAt },
    });
    return id;
  };
  const old = await request(ago(years + 1));
  const others = [await request(ago(years - 2)), await request(null)];
  expect(await sweepConsent(test.services, new Date(), 100)).toBe(1);
  const left = await prisma().subscriptionRequest.findMany({
    where: { projectId: project.id },
    select: { id: true },
  });
  expect(left.map(({ id }) => id).toSorted()).toEqual(others.toSorted());
  expect(left.map(({ id }) => id)).not.toContain(old);
});

it('clients go three years after an opt-out that still holds', async () => {
  const client = { page: 'https://shop.test/', ip: '203.0.113.7', userAgent: 'Mozilla/5.0' };
  const person = async (days: number, isOut: boolean) => {
    const contactId = newId();
    const first = await act({ ...client, contactId, action: 'subscribe', recordedAt: ago(days + 10) });
    const consentSeq = await act({ ...client, contactId, recordedAt: ago(days) });
    await prisma().contact.create({
      data: {
        ...{ id: contactId, projectId: project.id, email: `${contactId}@people.test` },
        ...{
          subscribed: !isOut,
          optOutBy: isOut ? 'recipient' : null,
          consentSeq: isOut ? consentSeq : first,
        },
      },
    });
    return contactId;
  };
  const [old, recent, returned] = [
    await person(years + 1, true),
    await person(years - 2, true),
    await person(years + 1, false),
  ];
  expect(await sweepClients(test.services, new Date(), 100)).toBe(1);
  expect(await sweepClients(test.services, new Date(), 100)).toBe(0);
  const ipsOf = async (contactId: string) =>
    (await prisma().consentAct.findMany({ where: { contactId }, orderBy: { seq: 'asc' } })).map(
      ({ ip }) => ip,
    );
  expect(await ipsOf(old)).toEqual([null, null]);
  expect(await ipsOf(recent)).toEqual([client.ip, client.ip]);
  expect(await ipsOf(returned)).toEqual([client.ip, client.ip]);
});
