import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Context } from '../../base/kernel/index.ts';
import { newId } from '../../base/lib/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../testing/index.ts';
import { postgresVersions } from '../../testing/test-database.ts';
import { waitForLock } from '../../testing/wait-for-lock.ts';
import { upsertContact } from '../contacts/index.ts';
import { trackEvent } from './track-event.ts';

describe.each(await postgresVersions())('tracking an event (PostgreSQL %s)', (postgres) => {
  let test: TestServices;
  let project: TestProject;

  beforeAll(async () => {
    test = await createTestServices({ postgres });
  });
  afterAll(() => test.close());
  beforeEach(async () => {
    project = await createTestProject(test.services);
  });

  const track = (input: unknown, request: Partial<Context['request']> = {}) =>
    trackEvent.runRaw({ ...project.publicCtx, request: { ...project.publicCtx.request, ...request } }, input);
  const events = () =>
    test.services.database.prisma.event.findMany({
      where: { projectId: project.id },
      orderBy: { id: 'asc' },
    });
  const contacts = () => test.services.database.prisma.contact.findMany({ where: { projectId: project.id } });

  describe('a stored event', () => {
    it('is a subscribed contact and the event, whose ids and time are the answer', async () => {
      const answer = await track({ email: ' Ann@People.test', event: ' signed up ', data: { plan: 'pro' } });
      const [contact] = await contacts();
      expect(contact).toMatchObject({
        id: answer.contact,
        email: 'ann@people.test',
        subscribed: true,
        data: { plan: 'pro' },
      });
      expect(await events()).toEqual([
        {
          id: answer.event,
          projectId: project.id,
          kind: 'CUSTOM',
          name: 'signed up',
          data: { plan: 'pro' },
          contactId: answer.contact,
          emailId: null,
          createdAt: new Date(answer.timestamp),
        },
      ]);
    });

    it('is one more event for every request, and a contact that keeps its state', async () => {
      await upsertContact.run(project.ctx, { email: 'a@people.test', subscribed: false, data: { a: 1 } });
      const first = await track({ email: 'a@people.test', event: 'seen' });
      const second = await track({ email: 'a@people.test', event: 'seen', data: { b: 2 } });
      expect(second.contact).toBe(first.contact);
      expect(second.event).not.toBe(first.event);
      expect(await contacts()).toMatchObject([{ subscribed: false, data: { a: 1, b: 2 } }]);
    });

    it('is the change of subscription too, before the event itself', async () => {
      await track({ email: 'a@people.test', event: 'seen' });
      await track({ email: 'a@people.test', event: 'left', subscribed: false });
      expect((await events()).map(({ name, kind, data }) => ({ name, kind, data }))).toEqual(
        expect.arrayContaining([
          { name: 'contact.unsubscribed', kind: 'SYSTEM', data: { reason: 'api' } },
          { name: 'left', kind: 'CUSTOM', data: null },
        ]),
      );
      expect(await contacts()).toMatchObject([{ subscribed: false }]);
    });

    it('keeps values that the contact does not store, without reserved keys', async () => {
      const data = {
        id: 'dropped',
        unsubscribeUrl: 'dropped',
        name: 'Ann',
        none: null,
        blank: '',
        items: [{ sku: 1 }],
        code: { value: 'X1', persistent: false },
        tier: { value: 2, persistent: true },
      };
      await track({ email: 'a@people.test', event: 'bought', data });
      expect((await contacts())[0]?.data).toEqual({ name: 'Ann', tier: 2 });
      expect((await events())[0]?.data).toEqual({
        name: 'Ann',
        none: null,
        blank: '',
        items: [{ sku: 1 }],
        code: 'X1',
        tier: 2,
      });
    });

    it('is null for an event without data', async () => {
      await track({ email: 'a@people.test', event: 'seen', data: null });
      expect((await events())[0]?.data).toBeNull();
    });
  });

  describe('a refused request stores nothing', () => {
    it.each([
      [{ event: 'x' }, 'email', 'required'],
      [{ email: '', event: 'x' }, 'email', 'required'],
      [{ email: 'nobody', event: 'x' }, 'email', 'invalid_string'],
      [{ email: 'a@people.test' }, 'event', 'required'],
      [{ email: 'a@people.test', event: '  ' }, 'event', 'required'],
      [{ email: 'a@people.test', event: 5 }, 'event', 'invalid_type'],
      [{ email: 'a@people.test', event: 'x'.repeat(256) }, 'event', 'too_big'],
      [{ email: 'a@people.test', event: 'x', subscribed: 'yes' }, 'subscribed', 'invalid_type'],
      [{ email: 'a@people.test', event: 'x', data: [] }, 'data', 'invalid_type'],
      [{ email: 'a@people.test', event: 'x', data: { a: 'x'.repeat(65_536) } }, 'data', 'too_big'],
      [{ email: 'a@people.test', event: 'x', data: { 'k\u0001': 1 } }, 'data.k\u0001', 'custom'],
    ])('%#', async (input, field, code) => {
      await expect(track(input)).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        errors: [{ field, code }],
      });
      expect(await contacts()).toEqual([]);
    });

    it('a contact whose data would become too large', async () => {
      await track({ email: 'a@people.test', event: 'x', data: { a: 'x'.repeat(60_000) } });
      await expect(
        track({ email: 'a@people.test', event: 'x', data: { b: 'x'.repeat(6_000) } }),
      ).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        errors: [{ field: 'data', code: 'too_big' }],
      });
      expect(await events()).toHaveLength(1);
    });

    it.each([
      'email.sent',
      'email.',
      'email.anything at all',
      'contact.subscribed',
      'contact.unsubscribed',
      'segment.vip.entry',
      'segment.a.b.exit',
    ])('the reserved name %s', async (event) => {
      await expect(track({ email: 'a@people.test', event })).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        message: 'Cannot track reserved system event',
        errors: [
          {
            field: 'event',
            code: 'reserved_event',
            message: 'Cannot track reserved system event',
            received: event,
          },
        ],
      });
      expect(await contacts()).toEqual([]);
    });

    it.each([
      'Email.sent',
      'emails',
      'contact.subscribed2',
      'segment.vip',
      'segment.entry',
      'my.segment.vip.entry',
    ])('but not the name %s, which is nobody else’s', async (event) => {
      await expect(track({ email: 'a@people.test', event })).resolves.toMatchObject({
        event: expect.any(String),
      });
    });

    it('a secret key', async () => {
      await expect(trackEvent.run(project.ctx, { email: 'a@people.test', event: 'x' })).rejects.toMatchObject(
        {
          code: 'INVALID_API_KEY',
          message: expect.stringContaining('public key'),
        },
      );
    });

    it('a disabled project', async () => {
      const ctx = { ...project.publicCtx, project: { ...project.project, disabled: true } };
      await expect(trackEvent.run(ctx, { email: 'a@people.test', event: 'x' })).rejects.toMatchObject({
        code: 'PROJECT_DISABLED',
      });
    });
  });

  describe('an idempotency key', () => {
    const input = { email: 'a@people.test', event: 'paid', data: { amount: 5 } };

    it('accepts exactly one of 10 concurrent requests; the others refer to it and store nothing', async () => {
      const request = { idempotencyKey: newId(), label: 'POST /v1/track', successStatus: 200 };
      const all = await Promise.allSettled(
        Array.from({ length: 10 }, (_, index) => track({ ...input, data: { amount: index } }, request)),
      );
      expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      for (const each of all) {
        if (each.status === 'fulfilled') continue;
        expect(each.reason).toMatchObject({
          code: 'IDEMPOTENCY_KEY_REUSED',
          details: {
            key: request.idempotencyKey,
            originalRequest: 'POST /v1/track',
            originalRequestAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
            originalStatusCode: 200,
          },
        });
      }
      expect(await events()).toHaveLength(1);
      expect(await contacts()).toHaveLength(1);
    });

    it('is not used up by a failed request', async () => {
      const request = { idempotencyKey: 'key' };
      await track({ email: 'a@people.test', event: 'x', data: { a: 'x'.repeat(65_000) } });
      await expect(track({ ...input, data: { b: 'x'.repeat(1_000) } }, request)).rejects.toMatchObject({
        errors: [{ field: 'data' }],
      });
      await expect(track(input, request)).resolves.toMatchObject({ event: expect.any(String) });
      await expect(track(input, request)).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
    });

    it('passes to a waiting request when the first one fails', async () => {
      const first = await test.services.database.durable.connect();
      try {
        await first.query('BEGIN');
        await first.query(
          `INSERT INTO "IdempotencyKey" ("projectId", "key", "request") VALUES ($1, 'key', 'POST /v1/send')`,
          [project.id],
        );
        const waiting = track(input, { idempotencyKey: 'key' });
        await waitForLock(test.services.database);
        await first.query('ROLLBACK');
        await expect(waiting).resolves.toMatchObject({ event: expect.any(String) });
      } finally {
        first.release();
      }
    });

    it('belongs to its project', async () => {
      await track(input, { idempotencyKey: 'key' });
      project = await createTestProject(test.services);
      await expect(track(input, { idempotencyKey: 'key' })).resolves.toMatchObject({
        event: expect.any(String),
      });
    });

    it('is free again after its expiry', async () => {
      await track(input, { idempotencyKey: 'key' });
      const age = (hours: number) =>
        test.services.database.durable.query(
          `UPDATE "IdempotencyKey" SET "createdAt" = now() - $2::float8 * interval '1 hour' WHERE "projectId" = $1`,
          [project.id, hours],
        );
      await age(23.9);
      await expect(track(input, { idempotencyKey: 'key' })).rejects.toMatchObject({
        code: 'IDEMPOTENCY_KEY_REUSED',
      });
      await age(24.1);
      await expect(track(input, { idempotencyKey: 'key' })).resolves.toMatchObject({
        event: expect.any(String),
      });
      await expect(track(input, { idempotencyKey: 'key' })).rejects.toMatchObject({
        code: 'IDEMPOTENCY_KEY_REUSED',
      });
    });
  });

  it('concurrent events of one address create one contact and lose no event', async () => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        track({
          email: 'a@people.test',
          event: 'seen',
          data: index % 2 ? { [`k${index}`]: index } : undefined,
        }),
      ),
    );
    expect(new Set(answers.map(({ contact }) => contact)).size).toBe(1);
    expect(new Set(answers.map(({ event }) => event)).size).toBe(40);
    expect(await events()).toHaveLength(40);
    expect(Object.keys((await contacts())[0]?.data as object)).toHaveLength(20);
  });
});
