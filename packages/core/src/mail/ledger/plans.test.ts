import type { PoolClient, QueryConfig } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../base/lib/index.ts';
import { dueProjects } from './due.store.ts';
import { settleLate } from './late.store.ts';
import { renewLeases } from './lease.store.ts';
import { openTestLedger, type TestLedger } from './ledger.fixture.ts';
import { holdBatch } from './pause.store.ts';
import { recordProgress } from './progress.store.ts';
import { readBatches } from './read.store.ts';
import { reapBatches } from './reap.store.ts';
import { putOffBatch, putOffSender } from './route.store.ts';
import { writeBatches } from './write.store.ts';

/**
 * A statement is planned once per connection, often when the tables are empty, and has to fit tables of any size: rows of large tables
 * are looked up by key, never by reading a whole index.
 */
let ledger: TestLedger;

/** States of the tables in which a plan may be made, and then kept. */
const states = {
  'that are empty': '',
  'with one row': `
    INSERT INTO "DeliveryBatch" ("id", "projectId", "priority", "emailIds") VALUES (uuid7(), uuid7(), 1, ARRAY[uuid7()]);
    ANALYZE "DeliveryBatch"`,
  'with a backlog of which nothing is held': `
    INSERT INTO "DeliveryBatch" ("id", "projectId", "priority", "emailIds")
    SELECT uuid7(), uuid7(), 1, ARRAY[uuid7()] FROM generate_series(1, 3000);
    ANALYZE "DeliveryBatch"`,
};

beforeAll(async () => {
  ledger = await openTestLedger();
});
afterAll(() => ledger.close());

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  Plans?: PlanNode[];
}

const large = new Set([
  'Email',
  'DeliveryBatch',
  'Contact',
  'Content',
  'Project',
  'CampaignCounter',
  'CampaignSkip',
  'Suppression',
  'Interaction',
]);

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** Reads of a large table in the plan of a statement. */
async function readsOf(run: (client: PoolClient) => Promise<unknown>): Promise<PlanNode[]> {
  const asked: QueryConfig[] = [];
  const recorder = {
    query: async (query: QueryConfig) => {
      asked.push(query);
      return { rows: [], rowCount: 0 };
    },
  };
  await run(recorder as unknown as PoolClient);
  const [query] = asked;
  return ledger.use(async (client) => {
    const { rows } = await client.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>({
      text: `EXPLAIN (FORMAT JSON) ${query?.text}`,
      values: query?.values ?? [],
    });
    return nodesOf(rows[0]?.['QUERY PLAN'][0]?.Plan ?? { 'Node Type': 'none' }).filter(
      (node) =>
        node['Node Type'].includes('Scan') &&
        // The scan of the index below it counts.
        node['Node Type'] !== 'Bitmap Heap Scan' &&
        (large.has(node['Relation Name'] ?? '') || node['Index Name']?.startsWith('DeliveryBatch')),
    );
  });
}

const textOf = (node: PlanNode): string =>
  `${node['Node Type']} of ${node['Index Name'] ?? node['Relation Name']}: ${node['Index Cond']}`;

/** Those without a condition on the index. */
const wholeReads = async (run: (client: PoolClient) => Promise<unknown>): Promise<string[]> =>
  (await readsOf(run)).filter((node) => node['Index Cond'] === undefined).map(textOf);

const keys = Array.from({ length: 300 }, () => ({ id: newId(), token: newId() }));
const one = Buffer.of(1);

const statements: [string, (client: PoolClient) => Promise<unknown>][] = [
  ['reading', (client) => readBatches(client, keys)],
  [
    'progress',
    (client) =>
      recordProgress(
        client,
        keys.map((key) => ({ ...key, begun: one, answered: one, results: null })),
      ),
  ],
  [
    'writing',
    (client) =>
      writeBatches(
        client,
        keys.map((key) => ({ ...key, subjects: null })),
      ),
  ],
  ['reaping', (client) => reapBatches(client, 100)],
  ['renewal', (client) => renewLeases(client, keys, 1)],
  ['putting off a batch', (client) => putOffBatch(client, { id: newId(), token: newId() }, 1)],
  ['holding a batch', (client) => holdBatch(client, { id: newId(), token: newId() })],
  ['putting off a sender', (client) => putOffSender(client, 'smtp://localhost', newId())],
  [
    'late answers',
    (client) =>
      settleLate(
        client,
        keys.map(({ id, token }) => ({
          ...{ emailId: id, token, priority: 1 },
          ...{ result: { outcome: 'sent' }, subject: null },
        })),
        'sandbox@localhost',
      ),
  ],
];

describe.each(Object.entries(states))('planned on tables %s', (_, sql) => {
  beforeAll(async () => {
    await ledger.use((client) => client.query(sql));
  });

  it.each(statements)('%s looks up by key', async (name, run) => {
    expect(await wholeReads(run)).toEqual([]);
    const batches = (await readsOf(run)).filter((node) => node['Index Name']?.startsWith('DeliveryBatch'));
    const others: Record<string, string[]> = {
      reaping: ['DeliveryBatch_held'],
      'putting off a sender': ['DeliveryBatch_domain'],
    };
    for (const node of batches)
      expect(['DeliveryBatch_pkey', ...(others[name] ?? [])]).toContain(node['Index Name']);
  });
});

it('this test finds a statement that reads a whole table', async () => {
  const reads = await wholeReads((client) =>
    client.query({ text: `UPDATE "Email" SET "opens" = 0 WHERE "to" = $1`, values: ['a@people.test'] }),
  );
  expect(reads).toEqual(['Seq Scan of Email: undefined']);
});

it('due projects are found through the index of waiting batches', async () => {
  const reads = await wholeReads((client) => dueProjects(client, 100));
  // The first project is the head of the index.
  expect(reads.length).toBeLessThanOrEqual(1);
});
