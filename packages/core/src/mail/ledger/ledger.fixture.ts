import type { PoolClient } from 'pg';
import { newId } from '../../base/lib/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../testing/index.ts';
import { LedgerConnection } from '../delivery/ledger-connection.ts';
import type { BatchKey, BatchResult } from './batch.ts';
import { type Claim, claimBatches } from './claim.store.ts';
import { type Recorded, recordProgress } from './progress.store.ts';
import { type ClaimedBatch, type ClaimedEmail, readBatches } from './read.store.ts';
import { type Reaped, reapBatches } from './reap.store.ts';
import { type Written, writeBatches } from './write.store.ts';

/** High enough that the sending rate never limits a claim. */
const plenty = 1_000_000;

/** The ledger's statements on a database of their own, as a delivery process uses them. */
export interface TestLedger {
  test: TestServices;
  use<T>(work: (client: PoolClient) => Promise<T>): Promise<T>;
  /** claims, then reads what was claimed */
  take(projects: string | string[], options?: TakeOptions): Promise<HeldBatch[]>;
  claim(projects: string | string[], options?: TakeOptions): Promise<Claim>;
  /** takes the only waiting email of a project */
  takeOne(projectId: string, kind?: 'direct' | 'bulk'): Promise<{ held: HeldBatch; email: ClaimedEmail }>;
  /** ends the lease of a batch, as if its worker had not renewed it */
  expire(...batches: BatchKey[]): Promise<void>;
  reap(): Promise<Reaped>;
  newProject(): Promise<TestProject>;
  close(): Promise<void>;
}

export interface TakeOptions {
  kind?: 'direct' | 'bulk';
  maxEmails?: number;
  rate?: number;
  worker?: string;
}

export async function openTestLedger(postgres: 'embedded' | '15' = 'embedded'): Promise<TestLedger> {
  const test = await createTestServices({ postgres });
  const connections = Array.from(
    { length: 4 },
    () => new LedgerConnection(test.databaseUrl, { asyncCommit: true }),
  );
  let turn = 0;
  const use: TestLedger['use'] = async (work) => {
    turn += 1;
    const connection = connections[turn % connections.length];
    if (!connection) throw new Error('no connection');
    return connection.use(work);
  };
  const claim: TestLedger['claim'] = (projects, options = {}) => {
    const { kind = 'direct', maxEmails = 1_000, rate = plenty, worker = 'test' } = options;
    return use((client) =>
      claimBatches(client, {
        projects: [projects].flat().map((projectId) => ({ projectId, maxEmails })),
        kind,
        token: newId(),
        worker,
        leaseMs: 60_000,
        defaultRate: rate,
      }),
    );
  };
  const take: TestLedger['take'] = async (projects, options) => {
    const { batches } = await claim(projects, options);
    const read = await use((client) => readBatches(client, batches));
    return read.map((batch) => new HeldBatch(use, batch));
  };
  return {
    test,
    use,
    claim,
    take,
    async takeOne(projectId, kind) {
      const [held] = await take(projectId, kind && { kind });
      const [email] = held?.batch.emails ?? [];
      if (!held || !email) throw new Error('nothing was claimed');
      return { held, email };
    },
    expire: (...batches) =>
      use(async (client) => {
        await client.query(
          `UPDATE "DeliveryBatch" SET "leaseUntil" = now() - interval '1 second' WHERE "id" = ANY(ARRAY(
             SELECT "id" FROM "DeliveryBatch" WHERE "id" = ANY($1) AND "token" = ANY($2) ORDER BY "id" FOR NO KEY UPDATE))`,
          [batches.map(({ id }) => id), batches.map(({ token }) => token)],
        );
      }),
    reap: () => use((client) => reapBatches(client, 1_000)),
    newProject: () => createTestProject(test.services),
    async close() {
      await Promise.all(connections.map((connection) => connection.close()));
      await test.close();
    },
  };
}

/** A held batch as its worker knows it. Nothing reaches the database before `record` and `write`. */
export class HeldBatch {
  readonly batch: ClaimedBatch;
  begun: Buffer;
  readonly answered: Buffer;
  readonly #use: TestLedger['use'];
  #results: Record<string, BatchResult> = {};
  #subjects: (string | null)[] = [];

  constructor(use: TestLedger['use'], batch: ClaimedBatch) {
    this.#use = use;
    this.batch = batch;
    this.begun = Buffer.alloc(Math.ceil(batch.total / 8));
    this.answered = Buffer.alloc(Math.ceil(batch.total / 8));
    const open = new Set(batch.emails.map(({ n }) => n));
    for (let n = 0; n < batch.total; n += 1) if (!open.has(n)) this.answer(n, { outcome: 'gone' });
  }

  get id(): string {
    return this.batch.id;
  }

  get token(): string {
    return this.batch.token;
  }

  get emails(): ClaimedEmail[] {
    return this.batch.emails;
  }

  /** Records that the transfer of these emails begins. @returns whether it may */
  async begin(...emails: { n: number }[]): Promise<boolean> {
    return (await this.tryToBegin(emails.map(({ n }) => n)))?.granted ?? false;
  }

  /** A refusal leaves the bitmap as it was. @returns undefined when the batch was taken over */
  async tryToBegin(positions: number[]): Promise<Recorded | undefined> {
    const before = Buffer.from(this.begun);
    for (const n of positions) setBit(this.begun, n);
    const recorded = await this.record();
    if (!recorded?.granted) this.begun = before;
    return recorded;
  }

  answer(n: number, result: BatchResult, subject: string | null = null): void {
    setBit(this.answered, n);
    if (result.outcome !== 'sent') this.#results[String(n)] = result;
    if (subject !== null) {
      while (this.#subjects.length <= n) this.#subjects.push(null);
      this.#subjects[n] = subject;
    }
  }

  /** @returns undefined when the batch was taken over */
  async record(): Promise<Recorded | undefined> {
    const { id, token, begun, answered } = this;
    const results = Object.keys(this.#results).length > 0 ? this.#results : null;
    const [recorded] = await this.#use((client) =>
      recordProgress(client, [{ id, token, begun, answered, results }]),
    );
    return recorded;
  }

  write(): Promise<Written> {
    const { id, token } = this;
    return this.#use((client) => writeBatches(client, [{ id, token, subjects: this.#subjects }]));
  }

  /** Begins, answers and writes these emails, by default all. */
  async settle(result: BatchResult, emails: { n: number }[] = this.emails): Promise<Written> {
    await this.begin(...emails);
    for (const { n } of emails) this.answer(n, result);
    await this.record();
    return this.write();
  }
}

/** The counters of a campaign, and its skipped emails by reason. */
export async function countersOf({ services }: TestServices, campaignId: string) {
  const { prisma } = services.database;
  const counters = await prisma.campaignCounter.findUniqueOrThrow({ where: { campaignId } });
  const skips = await prisma.campaignSkip.findMany({ where: { campaignId } });
  return { ...counters, skips: Object.fromEntries(skips.map(({ reason, count }) => [reason, count])) };
}

function setBit(bitmap: Buffer, n: number): void {
  bitmap.writeUInt8(bitmap.readUInt8(n >> 3) | (1 << (n & 7)), n >> 3);
}
