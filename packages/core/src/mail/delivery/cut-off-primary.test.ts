import { setTimeout as delay } from 'node:timers/promises';
import { hasPostgres15 } from '@postrider/local/postgres';
import { type Sink, startSink } from '@postrider/local/sink';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabasePair, type DatabasePair } from '../../testing/database-pair.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
  verifiedDomain,
} from '../../testing/index.ts';
import { runOn } from '../../testing/template-database.ts';
import { sendEmail } from '../sending/send-email.ts';
import { drained, statusesOf, withDelivery } from './delivery.fixture.ts';

const isInstalled = await hasPostgres15();
const count = 100;
let sink: Sink;
let pair: DatabasePair;
let test: TestServices;
let project: TestProject;

describe.runIf(isInstalled)('a primary that is cut off from its standby', () => {
  beforeAll(async () => {
    sink = await startSink();
    pair = await createDatabasePair();
    test = await createTestServices({ env: { SMTP_URL: sink.url }, postgres: pair });
    project = await createTestProject(test.services);
    await verifiedDomain(test.services, project.id, 'mail.test');
    for (let n = 0; n < count; n += 1)
      await sendEmail.runRaw(project.ctx, {
        to: `${n}@people.test`,
        from: 'sender@mail.test',
        subject: `Number ${n}`,
        body: `<p>Your number is ${n}</p>`,
      });
    await pair.synchronize();
  }, 240_000);
  afterAll(async () => {
    await test?.close();
    await sink?.stop();
  });

  it('begins no email, whatever ends its waiting, and the promoted standby sends each that is left once', async () => {
    await sink.setBehaviour({ delayMs: 100 });
    await withDelivery(
      test.services,
      sink.url,
      async () => {
        await expect.poll(() => sink.messages().length).toBeGreaterThan(10);
        await pair.cut();
        // What had begun ends.
        await delay(1_000);
        const before = sink.messages().length;
        expect(before).toBeLessThan(count - 20);
        for (let n = 0; n < 15; n += 1) {
          await delay(200);
          // PostgreSQL then confirms the commit, though the standby does not have it.
          await runOn(
            pair.urlOf(pair.primary),
            `SELECT pg_cancel_backend("pid") FROM pg_stat_activity WHERE "wait_event" = 'SyncRep'`,
          );
        }
        expect(sink.messages().length).toBe(before);

        // The old primary still answers, and takes claims.
        await pair.promote();
        await drained(test.services, project.id, 90_000);
        expect(await statusesOf(test.services, project.id)).toEqual({ SENT: count });
        const received = sink.messages().map(({ to }) => to[0]);
        expect(received).toHaveLength(count);
        expect(new Set(received).size).toBe(count);
      },
      { leaseMs: 15_000 },
    );
  }, 240_000);
});
