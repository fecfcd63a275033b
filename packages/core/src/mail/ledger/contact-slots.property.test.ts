import fc, { runs } from '@postrider/vitest/fast-check.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../base/lib/index.ts';
import { createTestProject, createTestServices, type TestServices } from '../../testing/index.ts';
import { LedgerConnection } from '../delivery/ledger-connection.ts';
import { type Cap, takeContactSlots } from './contact-slots.store.ts';

let test: TestServices;
let connections: LedgerConnection[];

beforeAll(async () => {
  test = await createTestServices();
  connections = Array.from(
    { length: 8 },
    () => new LedgerConnection(test.databaseUrl, { asyncCommit: true }),
  );
});
afterAll(async () => {
  await Promise.all(connections.map((connection) => connection.close()));
  await test.close();
});

const hourMs = 3_600_000;
const prisma = () => test.services.database.prisma;

async function contactsOf(projectId: string, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId());
  await prisma().contact.createMany({
    data: ids.map((id) => ({ id, projectId, email: `${id}@people.test` })),
  });
  return ids;
}

const take = (
  worker: number,
  projectId: string,
  requests: Parameters<typeof takeContactSlots>[2],
  caps: Cap[],
) => {
  const connection = connections[worker % connections.length];
  if (!connection) throw new Error('no connection');
  return connection.use((client) => takeContactSlots(client, projectId, requests, caps));
};

const timesOf = async (contactId: string): Promise<number[]> => {
  const row = await prisma().contactLimit.findUnique({ where: { contactId } });
  return Object.values((row?.sent ?? {}) as Record<string, number>);
};

it('claims of eight processes at once give each contact exactly what its cap allows, and twice the same emails nothing more', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.array(fc.array(fc.nat({ max: 14 }), { minLength: 1, maxLength: 40 }), {
        minLength: 8,
        maxLength: 24,
      }),
      async (max, claims) => {
        const { id: projectId } = await createTestProject(test.services);
        const contacts = await contactsOf(projectId, 15);
        const batches = claims.map((claim) =>
          claim.map((n) => ({
            emailId: newId(),
            contactId: contacts[n] ?? '',
            isBulk: n % 2 === 0,
            waitsUntil: Date.now() + hourMs,
          })),
        );
        const granted = new Map<string, string>();
        const takeAll = async () => {
          let next = 0;
          await Promise.all(
            connections.map(async (_, worker) => {
              for (let batch = batches[next++]; batch; batch = batches[next++]) {
                const slots = await take(worker, projectId, batch, [{ max, hours: 1 }]);
                for (const { emailId, contactId } of batch)
                  if (slots.get(emailId)?.isGranted) granted.set(emailId, contactId);
              }
            }),
          );
        };
        await takeAll();
        const first = new Set(granted.keys());
        await takeAll();
        const wanted = Map.groupBy(batches.flat(), ({ contactId }) => contactId);
        for (const contactId of contacts) {
          const allowed = Math.min(max, wanted.get(contactId)?.length ?? 0);
          const got = [...granted.values()].filter((id) => id === contactId).length;
          expect(got).toBe(allowed);
          expect(await timesOf(contactId)).toHaveLength(allowed);
        }
        // What was granted stays granted.
        for (const id of first) expect(granted.has(id)).toBe(true);
      },
    ),
    { numRuns: runs(6) },
  );
});

it('at any times, no window of any cap has more than its emails, and nobody waits while there is room for the first of the queue', async () => {
  const step = fc.record({
    contact: fc.nat({ max: 2 }),
    emails: fc.array(fc.boolean(), { minLength: 1, maxLength: 3 }),
    passMinutes: fc.integer({ min: 0, max: 150 }),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ max: fc.integer({ min: 1, max: 3 }), hours: fc.integer({ min: 1, max: 6 }) }), {
        minLength: 1,
        maxLength: 3,
      }),
      fc.array(step, { minLength: 1, maxLength: 25 }),
      async (caps, steps) => {
        const { id: projectId } = await createTestProject(test.services);
        const contacts = await contactsOf(projectId, 3);
        // The clock of the model, in milliseconds before the present one: rows are set back instead of waiting.
        const model = contacts.map(() => ({ grants: [] as number[], waiting: new Map<string, boolean>() }));
        let clock = 0;
        for (const { contact, emails, passMinutes } of steps) {
          clock += passMinutes * 60_000;
          if (passMinutes > 0)
            await prisma().$executeRaw`
              UPDATE "ContactLimit" l SET "sent" = coalesce((SELECT jsonb_object_agg(s.key, s.value::float8 - ${passMinutes * 60_000}::float8) FROM jsonb_each_text(l."sent") s), '{}')
              WHERE "projectId" = ${projectId}::uuid`;
          const state = model[contact];
          const contactId = contacts[contact];
          if (!state || !contactId) throw new Error('no contact');
          for (const isBulk of emails) state.waiting.set(newId(), isBulk);
          // All that wait ask, some of them for the second time.
          const asking = [...state.waiting].map(([emailId, isBulk]) => ({
            emailId,
            contactId,
            isBulk,
            waitsUntil: Date.now() + 1_000 * hourMs,
          }));
          const slots = await take(0, projectId, asking, caps);
          const order = asking.toSorted(
            (one, other) =>
              Number(one.isBulk) - Number(other.isBulk) || (one.emailId < other.emailId ? -1 : 1),
          );
          for (const { emailId } of order) {
            // A minute is far more than the statement takes: nothing is that close to the edge of a window.
            const hasRoom = caps.every(
              ({ max, hours }) => state.grants.filter((at) => at > clock - hours * hourMs).length < max,
            );
            expect(slots.get(emailId)?.isGranted).toBe(hasRoom);
            if (!hasRoom) continue;
            state.grants.push(clock);
            state.waiting.delete(emailId);
          }
        }
      },
    ),
    { numRuns: runs(15) },
  );
});

it('a slot that is free goes to the email of a workflow before an older one of a campaign, whichever process asks first', async () => {
  const { id: projectId } = await createTestProject(test.services);
  const contacts = await contactsOf(projectId, 40);
  const caps = [{ max: 1, hours: 1 }];
  const waitsUntil = Date.now() + 48 * hourMs;
  const email = (contactId: string, isBulk: boolean) => ({ emailId: newId(), contactId, isBulk, waitsUntil });
  await take(
    0,
    projectId,
    contacts.map((id) => email(id, true)),
    caps,
  );
  const campaign = contacts.map((id) => email(id, true));
  const workflow = contacts.map((id) => email(id, false));
  const younger = contacts.map((id) => email(id, false));
  for (const all of [campaign, younger, workflow]) {
    const slots = await take(0, projectId, all, caps);
    expect([...slots.values()].every(({ isGranted }) => !isGranted)).toBe(true);
  }
  await prisma().$executeRaw`
    UPDATE "ContactLimit" l SET "sent" = (SELECT jsonb_object_agg(s.key, s.value::float8 - 3600001) FROM jsonb_each_text(l."sent") s) WHERE "projectId" = ${projectId}::uuid`;
  const asked = await Promise.all(
    [campaign, younger, workflow].map((all, worker) => take(worker, projectId, all, caps)),
  );
  const grantedOf = (n: number) =>
    [...(asked[n]?.values() ?? [])].filter(({ isGranted }) => isGranted).length;
  expect([grantedOf(0), grantedOf(1), grantedOf(2)]).toEqual([0, 0, 40]);
  // Those that follow are told of the turns before them.
  const later = (n: number) =>
    [...(asked[n]?.values() ?? [])].map(({ freeAt }) => Math.round(((freeAt ?? 0) - Date.now()) / hourMs));
  expect(new Set(later(0))).toEqual(new Set([2]));
});

it('nothing of another project is read or changed', async () => {
  const { id: owner } = await createTestProject(test.services);
  const { id: stranger } = await createTestProject(test.services);
  const [contactId = ''] = await contactsOf(owner, 1);
  const ask = () => [{ emailId: newId(), contactId, isBulk: true, waitsUntil: Date.now() + hourMs }];
  await take(0, owner, ask(), [{ max: 1, hours: 1 }]);
  const before = await prisma().contactLimit.findUnique({ where: { contactId } });
  await take(0, stranger, ask(), [{ max: 1, hours: 1 }]);
  expect(await prisma().contactLimit.findUnique({ where: { contactId } })).toEqual(before);
  expect(await prisma().contactLimit.count({ where: { projectId: stranger } })).toBe(0);
});

it('a contact with thousands of waiting emails has a small row, and the first of them still comes first', async () => {
  const { id: projectId } = await createTestProject(test.services);
  const [contactId = ''] = await contactsOf(projectId, 1);
  const caps = [{ max: 1, hours: 1 }];
  const all = Array.from({ length: 3_000 }, () => ({
    emailId: newId(),
    contactId,
    isBulk: true,
    waitsUntil: Date.now() + 48 * hourMs,
  }));
  for (let at = 0; at < all.length; at += 500) await take(0, projectId, all.slice(at, at + 500), caps);
  const row = await prisma().contactLimit.findUniqueOrThrow({ where: { contactId } });
  expect(Object.keys(row.waiting as object).length).toBeLessThanOrEqual(200);
  await prisma().$executeRaw`
    UPDATE "ContactLimit" SET "sent" = (SELECT jsonb_object_agg(s.key, s.value::float8 - 3600001) FROM jsonb_each_text("sent") s) WHERE "contactId" = ${contactId}::uuid`;
  const last = await take(0, projectId, all.slice(-500), caps);
  expect([...last.values()].every(({ isGranted }) => !isGranted)).toBe(true);
  const first = await take(0, projectId, all.slice(1, 2), caps);
  expect([...first.values()].map(({ isGranted }) => isGranted)).toEqual([true]);
});
