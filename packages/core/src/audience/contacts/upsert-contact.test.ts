import fc, { runs } from '@postrider/vitest/fast-check.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Prisma, prepared } from '../../base/db/index.ts';
import { newId } from '../../base/lib/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../testing/index.ts';
import { postgresVersions } from '../../testing/test-database.ts';
import { waitForLock } from '../../testing/wait-for-lock.ts';
import type { ContactChange, Primitive } from './contacts.rules.ts';
import { contactUpsertCtes, contactUpsertInput } from './contacts.store.ts';
import { upsertContact } from './upsert-contact.ts';

describe.each(await postgresVersions())('upserting contacts (PostgreSQL %s)', (postgres) => {
  let test: TestServices;
  let project: TestProject;

  beforeAll(async () => {
    test = await createTestServices({ postgres });
    project = await createTestProject(test.services);
  });
  afterAll(() => test.close());

  const upsert = (input: unknown) => upsertContact.runRaw(project.ctx, input);
  const address = () => `${newId()}@people.test`;
  const stored = (email: string) =>
    test.services.database.prisma.contact.findFirstOrThrow({ where: { projectId: project.id, email } });
  const flips = async (contactId: string) => {
    const rows = await test.services.database.prisma.event.findMany({
      where: { contactId },
      orderBy: { id: 'asc' },
    });
    return rows.map(({ name, kind, data }) => ({ name, kind, data }));
  };

  interface Upserted {
    id: string;
    email: string;
    data: Record<string, Primitive>;
    subscribed: boolean;
    is_new: boolean;
    flipped: boolean;
  }
  const statement = prepared<{ project: string; changes: string; defaultSubscribed: boolean }>(
    'upsert-many',
    (values) => Prisma.sql`WITH ${contactUpsertCtes(values)} SELECT * FROM "contact"`,
  );
  /** The CTE on its own, as used by sending and tracking. */
  async function upsertMany(changes: Partial<ContactChange>[], byDefault = true): Promise<Upserted[]> {
    const full = changes.map((change) => ({ email: '', subscribed: null, set: {}, unset: [], ...change }));
    const input = contactUpsertInput(test.services.secrets, project.id, full, byDefault);
    const { rows } = await test.services.database.durable.query<Upserted>(
      statement({ project: project.id, changes: input, defaultSubscribed: byDefault }),
    );
    return rows;
  }

  describe('one contact', () => {
    it('is created with the given fields, subscribed by default, without an event', async () => {
      const email = address();
      const contact = await upsert({ email: ` ${email.toUpperCase()} `, data: { plan: 'pro', seats: 3 } });
      expect(contact).toMatchObject({
        email,
        subscribed: true,
        snoozedUntil: null,
        data: { plan: 'pro', seats: 3 },
        projectId: project.id,
        _meta: { isNew: true, isUpdate: false },
      });
      expect(contact.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(contact.updatedAt).toBe(contact.createdAt);
      expect(await flips(contact.id)).toEqual([]);
      expect((await upsert({ email: address(), subscribed: false })).subscribed).toBe(false);
    });

    it('is merged key by key and keeps its subscription when it exists', async () => {
      const email = address();
      const first = await upsert({ email, subscribed: false, data: { a: 1, b: 'x', c: true } });
      const second = await upsert({ email, data: { a: null, b: '', d: 2.5, c: false } });
      expect(second).toMatchObject({
        id: first.id,
        subscribed: false,
        data: { b: 'x', c: false, d: 2.5 },
        createdAt: first.createdAt,
        _meta: { isNew: false, isUpdate: true },
      });
      expect(second.updatedAt >= first.updatedAt).toBe(true);
    });

    it('stays unchanged when nothing differs: no new updatedAt and no event', async () => {
      const email = address();
      const first = await upsert({ email, data: { a: 1 } });
      const again = await upsert({ email, subscribed: true, data: { a: 1, gone: null, blank: '' } });
      expect(again).toEqual({ ...first, _meta: { isNew: false, isUpdate: true } });
      expect(await flips(first.id)).toEqual([]);
    });

    it('emits an event for every change of its subscription and for nothing else', async () => {
      const email = address();
      const { id } = await upsert({ email });
      for (const subscribed of [false, false, null, true, true]) await upsert({ email, subscribed });
      expect(await flips(id)).toEqual([
        { name: 'contact.unsubscribed', kind: 'SYSTEM', data: { reason: 'api' } },
        { name: 'contact.subscribed', kind: 'SYSTEM', data: { reason: 'api' } },
      ]);
    });

    it('ends a snooze with every write of its subscription, even of the same value', async () => {
      const { prisma } = test.services.database;
      const email = address();
      const { id } = await upsert({ email, subscribed: false });
      await prisma.contact.update({
        where: { id },
        data: { snoozedUntil: new Date('2030-01-01'), consentSeq: 1n },
      });
      expect((await upsert({ email, data: { a: 1 } })).snoozedUntil).toBe('2030-01-01T00:00:00.000Z');
      expect((await upsert({ email, subscribed: false })).snoozedUntil).toBeNull();
      expect(await flips(id)).toEqual([]);
    });

    it('records who made the change, never values', async () => {
      const { id } = await upsert({ email: address(), data: { secret: 'value' } });
      const entries = await test.services.database.prisma.auditLog.findMany({ where: { targetId: id } });
      expect(entries).toEqual([
        expect.objectContaining({ operation: 'contacts.upsert', targetType: 'contact', changed: [] }),
      ]);
    });

    it('belongs to its project only', async () => {
      const email = address();
      const mine = await upsert({ email, data: { a: 1 } });
      const other = await createTestProject(test.services);
      const theirs = await upsertContact.run(other.ctx, { email });
      expect(theirs).toMatchObject({ data: {}, projectId: other.id, _meta: { isNew: true } });
      expect(theirs.id).not.toBe(mine.id);
    });
  });

  describe('an address with the opt-out of a deleted contact', () => {
    const leave = async (email: string) => {
      const addressHash = Uint8Array.from(test.services.secrets.addressHash(project.id, email));
      await test.services.database.prisma.optOut.create({ data: { projectId: project.id, addressHash } });
    };

    it('returns unsubscribed', async () => {
      const email = address();
      await leave(email);
      expect((await upsert({ email })).subscribed).toBe(false);
    });

    it('returns subscribed on explicit request, which removes the opt-out', async () => {
      const email = address();
      await leave(email);
      expect((await upsert({ email, subscribed: true })).subscribed).toBe(true);
      await test.services.database.prisma.contact.deleteMany({ where: { email } });
      expect((await upsert({ email })).subscribed).toBe(true);
    });

    it('stays unsubscribed even if the contact is deleted while the request waits', async () => {
      const email = address();
      const { id } = await upsert({ email, subscribed: false });
      const hash = test.services.secrets.addressHash(project.id, email);
      const deletion = await test.services.database.durable.connect();
      try {
        await deletion.query('BEGIN');
        await deletion.query('DELETE FROM "Contact" WHERE "id" = $1', [id]);
        await deletion.query('INSERT INTO "OptOut" ("projectId", "addressHash") VALUES ($1, $2)', [
          project.id,
          hash,
        ]);
        const returning = upsert({ email, data: { back: true } });
        await waitForLock(test.services.database);
        await deletion.query('COMMIT');
        expect(await returning).toMatchObject({ subscribed: false, _meta: { isNew: true } });
      } finally {
        deletion.release();
      }
    });
  });

  describe('at the same time', () => {
    it('50 requests for one new address create one contact, and exactly one gets it as new', async () => {
      const email = address();
      const all = await Promise.all(
        Array.from({ length: 50 }, (_, index) => upsert({ email, data: { [`k${index}`]: index } })),
      );
      expect(new Set(all.map(({ id }) => id)).size).toBe(1);
      expect(all.filter(({ _meta }) => _meta.isNew)).toHaveLength(1);
      expect(Object.keys((await stored(email)).data as object)).toHaveLength(50);
    });

    it('subscription changes emit one event for each real change, in order', async () => {
      const email = address();
      const { id } = await upsert({ email });
      const all = await Promise.all(
        Array.from({ length: 60 }, (_, index) => upsertMany([{ email, subscribed: index % 2 === 0 }])),
      );
      const events = await flips(id);
      expect(events).toHaveLength(all.flat().filter(({ flipped }) => flipped).length);
      const down = events.filter(({ name }) => name === 'contact.unsubscribed').length;
      const up = events.length - down;
      // Starts subscribed: opt-outs and opt-ins alternate, so their number follows from the contact's final state.
      expect(down - up).toBe((await stored(email)).subscribed ? 0 : 1);
    });

    it('counts the flips of two statements of one transaction separately', async () => {
      const email = address();
      const { id } = await upsert({ email });
      await test.services.database.prisma.$transaction(async (db) => {
        const input = (subscribed: boolean | null, set: Record<string, Primitive>) =>
          contactUpsertInput(test.services.secrets, project.id, [{ email, subscribed, set, unset: [] }]);
        for (const changes of [input(false, {}), input(null, { a: 1 }), input(false, { a: 2 })]) {
          await db.$queryRaw`WITH ${contactUpsertCtes({ project: project.id, changes, defaultSubscribed: true })} SELECT * FROM "contact"`;
        }
      });
      expect(await flips(id)).toHaveLength(1);
    });

    it('lists of the same addresses in any order do not deadlock', async () => {
      const emails = Array.from({ length: 20 }, address);
      const shuffled = () => [...emails].sort(() => Math.random() - 0.5);
      await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          upsertMany(shuffled().map((email) => ({ email, set: { [`k${index}`]: true } }))),
        ),
      );
      for (const email of emails) expect(Object.keys((await stored(email)).data as object)).toHaveLength(20);
    });
  });

  describe('several at once', () => {
    it('a repeated address is one row: later values win, other earlier ones stay', async () => {
      const email = address();
      const other = address();
      const rows = await upsertMany([
        { email, subscribed: false, set: { a: 1, b: 1, c: 1 } },
        { email: other },
        { email, set: { b: 2 }, unset: ['c', 'd'] },
        { email, set: { d: 4 } },
      ]);
      expect(rows.map((row) => row.email)).toEqual([email, other].sort());
      expect(rows.find((row) => row.email === email)).toMatchObject({
        data: { a: 1, b: 2, d: 4 },
        subscribed: false,
        is_new: true,
        flipped: false,
      });
    });

    it('new contacts take the given default, existing ones keep theirs', async () => {
      const known = address();
      await upsert({ email: known });
      const rows = await upsertMany(
        [{ email: known }, { email: address() }, { email: address(), subscribed: true }],
        false,
      );
      expect(rows.map(({ subscribed, is_new }) => `${is_new} ${subscribed}`).sort()).toEqual([
        'false true',
        'true false',
        'true true',
      ]);
    });
  });

  describe('64 KiB of data', () => {
    it('fit exactly over several merges, and one byte more stores nothing', async () => {
      const email = address();
      await upsert({ email, data: { a: 'x'.repeat(30_000) } });
      // {"a":"…","b":"…"} has 15 characters besides the values.
      await upsert({ email, data: { b: 'y'.repeat(65_536 - 15 - 30_000) } });
      await expect(upsert({ email, subscribed: false, data: { c: 1 } })).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        errors: [{ field: 'data', code: 'too_big' }],
      });
      const row = await stored(email);
      expect(Object.keys(row.data as object)).toEqual(['a', 'b']);
      expect(row.subscribed).toBe(true);
      await expect(upsert({ email, data: { b: 'z', c: 1 } })).resolves.toMatchObject({ data: { c: 1 } });
    });
  });

  it('stores the same as a simple model of the rules, over random sequences', async () => {
    const key = fc.constantFrom('a', 'b', 'c', 'd.e', 'ü');
    const plain = fc.oneof(
      fc.string({ unit: fc.constantFrom('x', '"', '\\', 'é', '\n', '😀', '%') }),
      fc.boolean(),
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 }).map((number) => number + 0),
      fc.constant(null),
    );
    const given = fc.oneof(
      plain,
      plain.map((value) => ({ value, persistent: true })),
    );
    const step = fc.record({
      subscribed: fc.constantFrom(undefined, null, true, false),
      data: fc.array(fc.tuple(key, given), { maxLength: 4 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
        const email = address();
        const model = new Map<string, unknown>();
        let subscribed: boolean | null = null;
        let changes = 0;
        let id = '';
        for (const { subscribed: wanted, data } of steps) {
          const result = await upsert({ email, subscribed: wanted, data: Object.fromEntries(data) });
          for (const [name, value] of Object.entries(Object.fromEntries(data))) {
            const content = typeof value === 'object' && value !== null ? value.value : value;
            if (content === null) model.delete(name);
            else if (content !== '') model.set(name, content);
          }
          if (subscribed !== null && typeof wanted === 'boolean' && wanted !== subscribed) changes += 1;
          subscribed = wanted ?? subscribed ?? true;
          id = result.id;
          expect(new Map(Object.entries(result.data))).toEqual(model);
          expect(result.subscribed).toBe(subscribed);
        }
        expect(await flips(id)).toHaveLength(changes);
      }),
      { numRuns: runs(20) },
    );
  });
});
