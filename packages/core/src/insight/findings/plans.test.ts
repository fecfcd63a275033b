import type { Pool } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findDue, findOverdueRequests } from '../../automation/workflows/index.ts';
import { findOverdueMail } from '../../mail/ledger/index.ts';
import { createTestServices, type TestServices } from '../../testing/index.ts';
import { findOverdueDeliveries } from '../webhook-endpoints/index.ts';
import { ExaminedDatabase } from './examined-database.ts';
import { findExpired, findOverdueJobs } from './queues.store.ts';

let test: TestServices;
let database: ExaminedDatabase;
beforeAll(async () => {
  test = await createTestServices();
  database = new ExaminedDatabase(test.databaseUrl);
});
afterAll(async () => {
  await database.close();
  await test.close();
});

/** Rows of these are as many as an installation has sent, received or made. */
const large =
  /Seq Scan on "(DeliveryBatch|WebhookDelivery_1|WorkflowExecution|StepRequest|EventDispatch|Job|IdempotencyKey|AuthToken|Session|Blob|AuditLog)"/;

const kept = {
  idempotencyKeys: 1,
  signIns: 1,
  webhookDeliveries: 1,
  webhookDeliveriesInSlices: 1,
  jobs: 1,
  auditLog: 1,
};

it.each<[string, (pool: Pool) => Promise<unknown>]>([
  ['email', (pool) => findOverdueMail(pool, 600)],
  ['webhook deliveries', (pool) => findOverdueDeliveries(pool, 600)],
  ['requests', (pool) => findOverdueRequests(pool, 600)],
  ['executions and events', (pool) => findDue(pool, null)],
  ['jobs', (pool) => findOverdueJobs(pool, 600, [])],
  ['expired rows', (pool) => findExpired(pool, kept, 1)],
])('the look at %s reads no large table as a whole', async (_, look) => {
  const real = await database.pool();
  const lines: string[] = [];
  const explaining = {
    async query({ text, values }: { text: string; values: unknown[] }) {
      const { rows } = await real.query<Record<string, string>>(`EXPLAIN ${text}`, values);
      lines.push(...rows.flatMap((row) => Object.values(row)));
      return { rows: [] };
    },
  };
  await look(explaining as unknown as Pool);
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.filter((line) => large.test(line))).toEqual([]);
});
