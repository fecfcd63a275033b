import { eraseContacts } from '../../audience/contacts/erase.store.ts';

import { newId } from '../../base/lib/index.ts';
import { sendingCampaign, waitingMail } from '../../testing/index.ts';
import { storeInteractions } from '../tracking/interactions.store.ts';
import type { BatchResult } from './batch.ts';
import { requeueEmails } from './campaign.store.ts';
import { skipWaiting, stopCampaign } from './cancel.store.ts';
import { releaseUnread } from './claim.store.ts';
import { settleLate } from './late.store.ts';
import { renewLeases } from './lease.store.ts';
import type { HeldBatch, TestLedger } from './ledger.fixture.ts';
import { holdBatch, holdWaiting, releaseHeldBatches, settlePauses } from './pause.store.ts';
import type { ClaimedEmail } from './read.store.ts';
import { cancelWaiting, lockWaiting } from './waiting-email.store.ts';

/** What the model knows of an email beyond the database: what really happened to its messages. */
interface Truth {
  /** messages that the mail server accepted */
  accepted: number;
  /** transfers that may have delivered it: accepted ones, and those without an answer yet */
  doubts: number;
  /** how many of them one more may join: the one automatic resend, and retries of the campaign. One that was refused may be repeated */
  allowed: number;
  /** at some time a transfer had begun, and its answer was not recorded */
  wasUnanswered: boolean;
}

/** How a transfer ends in the model: what the mail server did, and what its worker learns of it. */
export type Ending =
  | 'accepted'
  | 'accepted, answer lost'
  | 'lost'
  | 'refused'
  | 'bounced'
  | 'refused for now'
  | 'withheld';

const endings: Record<Ending, { delivered: boolean; result: BatchResult }> = {
  accepted: { delivered: true, result: { outcome: 'sent' } },
  'accepted, answer lost': { delivered: true, result: { outcome: 'uncertain', error: 'lost' } },
  lost: { delivered: false, result: { outcome: 'uncertain', error: 'lost' } },
  refused: { delivered: false, result: { outcome: 'failed', error: '550 no' } },
  bounced: { delivered: false, result: { outcome: 'failed', error: '550 5.1.1', hardBounce: true } },
  'refused for now': { delivered: false, result: { outcome: 'retry', error: '451', waitMs: 60_000 } },
  withheld: { delivered: false, result: { outcome: 'giveback' } },
};

/** A batch in the memory of a worker. */
interface WorkedBatch {
  held: HeldBatch;
  waiting: Set<number>;
  transferring: Set<number>;
  /** results in memory only, which are late answers if the batch is taken over */
  unrecorded: Map<number, BatchResult>;
  /** the worker found out that it does not hold the batch any more */
  lost: boolean;
}

/** Workers that crash, sleep and forget, on the real statements, and a mail server that remembers what it accepted. */
export class LedgerModel {
  readonly projectId: string;
  readonly campaignId: string;
  readonly truth = new Map<string, Truth>();
  /** violations of the promise at the moment they happened */
  readonly broken: string[] = [];
  readonly #ledger: TestLedger;
  readonly #emails: { id: string; contactId: string; campaign: boolean }[] = [];
  readonly #workers: WorkedBatch[][] = [[], [], []];
  #cancelled = false;
  #paused = false;
  /** emails that were cancelled by themselves */
  readonly #cancelledAlone = new Set<string>();

  private constructor(ledger: TestLedger, projectId: string, campaignId: string) {
    this.#ledger = ledger;
    this.projectId = projectId;
    this.campaignId = campaignId;
  }

  static async create(ledger: TestLedger): Promise<LedgerModel> {
    const { services } = ledger.test;
    const { id: projectId } = await ledger.newProject();
    const campaignId = await sendingCampaign(services, projectId);
    const model = new LedgerModel(ledger, projectId, campaignId);
    // Few, so that much happens to each of them.
    const campaign = await waitingMail(services, projectId, { count: 3, campaignId, batchSize: 2 });
    const direct = await waitingMail(services, projectId, { count: 2, batchSize: 1 });
    for (const { id, contactId } of [...campaign, ...direct]) {
      const ofCampaign = campaign.some((email) => email.id === id);
      model.#emails.push({ id, contactId, campaign: ofCampaign });
      model.truth.set(id, { accepted: 0, doubts: 0, allowed: ofCampaign ? 0 : 1, wasUnanswered: false });
    }
    return model;
  }

  get #prisma() {
    return this.#ledger.test.services.database.prisma;
  }

  #truthOf(id: string): Truth {
    const truth = this.truth.get(id);
    if (!truth) throw new Error(`unknown email ${id}`);
    return truth;
  }

  #worker(index: number): WorkedBatch[] {
    const worker = this.#workers[index % this.#workers.length];
    if (!worker) throw new Error('no worker');
    return worker;
  }

  #email({ held }: WorkedBatch, n: number): ClaimedEmail {
    const email = held.emails.find((one) => one.n === n);
    if (!email) throw new Error(`no email at ${n}`);
    return email;
  }

  #emailId(batch: WorkedBatch, n: number): string {
    return this.#email(batch, n).id;
  }

  async claim(index: number, kind: 'direct' | 'bulk', maxEmails: number): Promise<void> {
    for (const held of await this.#ledger.take(this.projectId, { kind, maxEmails, worker: `w${index}` })) {
      const batch: WorkedBatch = {
        held,
        waiting: new Set(held.emails.map(({ n }) => n)),
        transferring: new Set(),
        unrecorded: new Map(),
        lost: false,
      };
      if (held.batch.campaignStatus === 'SENDING' && (held.batch.campaignPaused || held.batch.stopped)) {
        await this.#ledger.use((client) => holdBatch(client, held));
        continue;
      }
      for (const { n, contactEmail } of held.emails)
        if (held.batch.campaignStatus === 'CANCELLED' || contactEmail === null)
          this.#answer(batch, n, { outcome: 'skipped', reason: 'cancelled' });
      this.#worker(index).push(batch);
    }
  }

  /** A claim that committed without its worker learning of it. */
  async claimUnheard(index: number, kind: 'direct' | 'bulk'): Promise<void> {
    await this.#ledger.claim(this.projectId, { kind, maxEmails: 3, worker: `w${index}` });
  }

  async releaseUnheard(index: number): Promise<void> {
    const known = this.#worker(index).map(({ held }) => held.token);
    await this.#ledger.use((client) => releaseUnread(client, `w${index}`, known));
  }

  /** Asks for the beginning of up to two messages; their bodies leave if it is granted. */
  async begin(index: number, pick: number): Promise<void> {
    const ready = this.#worker(index).filter(({ lost, waiting }) => !lost && waiting.size > 0);
    const batch = ready[pick % Math.max(1, ready.length)];
    if (!batch) return;
    const positions = [...batch.waiting].slice(0, 1 + (pick % 2));
    const recorded = await batch.held.tryToBegin(positions);
    await this.#learn(batch, recorded !== undefined);
    if (!recorded) return;
    if (!recorded.granted) {
      if (recorded.stopped) for (const n of batch.waiting) this.#answer(batch, n, { outcome: 'giveback' });
      return;
    }
    for (const n of positions) {
      batch.waiting.delete(n);
      batch.transferring.add(n);
      this.#transferBegins(this.#emailId(batch, n));
    }
  }

  #transferBegins(id: string): void {
    const truth = this.#truthOf(id);
    const { campaign } = this.#emails.find((email) => email.id === id) ?? {};
    if (campaign && this.#cancelled) this.broken.push(`${id} begins after its campaign was cancelled`);
    if (campaign && this.#paused) this.broken.push(`${id} begins while its campaign is paused`);
    if (this.#cancelledAlone.has(id)) this.broken.push(`${id} begins after it was cancelled`);
    if (truth.doubts > truth.allowed)
      this.broken.push(`${id} is transferred again although it may have arrived`);
    truth.doubts += 1;
    truth.wasUnanswered = true;
  }

  /** A transfer of this worker ends. */
  async end(index: number, pick: number, ending: Ending): Promise<void> {
    const busy = this.#worker(index).filter(({ transferring }) => transferring.size > 0);
    const batch = busy[pick % Math.max(1, busy.length)];
    const [n] = batch?.transferring ?? [];
    if (!batch || n === undefined) return;
    const { delivered, result } = endings[ending];
    const truth = this.#truthOf(this.#emailId(batch, n));
    if (delivered) truth.accepted += 1;
    else if (result.outcome !== 'uncertain') truth.doubts -= 1;
    batch.transferring.delete(n);
    this.#answer(batch, n, result);
    if (batch.lost) await this.#settleLate(batch);
  }

  #answer(batch: WorkedBatch, n: number, result: BatchResult): void {
    batch.waiting.delete(n);
    batch.held.answer(n, result);
    batch.unrecorded.set(n, result);
  }

  async record(index: number): Promise<void> {
    for (const batch of this.#worker(index))
      if (!batch.lost) await this.#learn(batch, (await batch.held.record()) !== undefined);
  }

  /** After every progress: either all results are recorded, or the batch is another's and they are late answers. */
  async #learn(batch: WorkedBatch, isHeld: boolean): Promise<void> {
    if (isHeld) batch.unrecorded.clear();
    else {
      batch.lost = true;
      await this.#settleLate(batch);
    }
  }

  async #settleLate(batch: WorkedBatch): Promise<void> {
    const answers = [...batch.unrecorded].map(([n, result]) => {
      const { id: emailId, priority } = this.#email(batch, n);
      return { emailId, token: batch.held.token, priority, result, subject: null };
    });
    batch.unrecorded.clear();
    await this.#ledger.use((client) => settleLate(client, answers, 'sandbox@localhost'));
  }

  async write(index: number): Promise<void> {
    const worker = this.#worker(index);
    for (const batch of [...worker]) {
      await batch.held.write();
      const done = batch.waiting.size + batch.transferring.size + batch.unrecorded.size === 0;
      if (done) worker.splice(worker.indexOf(batch), 1);
    }
  }

  async renew(index: number): Promise<void> {
    const batches = this.#worker(index).map(({ held }) => held);
    await this.#ledger.use((client) => renewLeases(client, batches, 60_000));
  }

  /** The worker sleeps beyond its leases, and then continues with what it had. */
  async sleep(index: number): Promise<void> {
    await this.#ledger.expire(...this.#worker(index).map(({ held }) => held));
  }

  /** Others end its batches, and claim them again, before it continues. */
  async oversleep(index: number): Promise<void> {
    await this.sleep(index);
    await this.reap();
    for (const kind of ['direct', 'bulk'] as const) await this.claim(index + 1, kind, 2);
  }

  /** The worker is lost with its memory; of its transfers, the mail server accepted those that `arrived`. */
  async crash(index: number, arrived: boolean): Promise<void> {
    const worker = this.#worker(index);
    await this.sleep(index);
    for (const batch of worker)
      for (const n of batch.transferring) if (arrived) this.#truthOf(this.#emailId(batch, n)).accepted += 1;
    worker.length = 0;
  }

  async reap(): Promise<void> {
    await this.#ledger.reap();
  }

  /** Time passes: what waits for a retry or a resend is due. */
  async wait(): Promise<void> {
    await this.#prisma.deliveryBatch.updateMany({
      where: { projectId: this.projectId, token: null },
      data: { nextAttemptAt: new Date() },
    });
  }

  async pause(): Promise<void> {
    if (this.#cancelled) return;
    await this.#prisma.campaign.update({ where: { id: this.campaignId }, data: { pausedAt: new Date() } });
    await stopCampaign(this.#prisma, this.campaignId);
    await holdWaiting(this.#prisma, this);
    this.#paused = true;
  }

  async resume(): Promise<void> {
    this.#paused = false;
    await this.#prisma.campaign.update({ where: { id: this.campaignId }, data: { pausedAt: null } });
    await releaseHeldBatches(this.#prisma, this);
  }

  /** What reconciliation does every minute. */
  async settlePauses(): Promise<void> {
    await settlePauses(this.#prisma);
  }

  async cancel(): Promise<void> {
    this.#paused = false;
    await this.#prisma.campaign.update({
      where: { id: this.campaignId },
      data: { status: 'CANCELLED', pausedAt: null },
    });
    await stopCampaign(this.#prisma, this.campaignId);
    this.#cancelled = true;
  }

  /** Cancels one email that is no campaign's, if it waits. */
  async cancelOne(pick: number): Promise<void> {
    const direct = this.#emails.filter(({ campaign }) => !campaign);
    const id = direct[pick % direct.length]?.id ?? '';
    await this.#prisma.$transaction(async (db) => {
      const waiting = await lockWaiting(db, this.projectId, id);
      if (typeof waiting !== 'object') return;
      await cancelWaiting(db, waiting);
      this.#cancelledAlone.add(id);
    });
  }

  async skipWaiting(): Promise<void> {
    if (this.#cancelled) await skipWaiting(this.#prisma, this, 'cancelled', 100);
  }

  async retryCampaign(): Promise<void> {
    if (this.#cancelled) return;
    const before = await this.#prisma.email.findMany({
      where: {
        campaignId: this.campaignId,
        status: { in: ['FAILED', 'UNCERTAIN'] },
        contactId: { not: null },
      },
    });
    for (const { id } of before) {
      const truth = this.#truthOf(id);
      truth.allowed = Math.max(truth.allowed, truth.doubts);
    }
    const { projectId, campaignId } = this;
    await requeueEmails(
      this.#prisma,
      {
        projectId,
        campaignId,
        statuses: ['FAILED', 'UNCERTAIN'],
        before: null,
        batchSize: 3,
        sandboxFrom: 'sandbox@localhost',
      },
      null,
      100,
    );
  }

  async erase(pick: number): Promise<void> {
    const contactId = this.#emails[pick % this.#emails.length]?.contactId ?? '';
    const { secrets } = this.#ledger.test.services;
    await this.#prisma.$transaction((db) => eraseContacts(db, secrets, this.projectId, [contactId]));
  }

  /** A recipient opens one of the emails that arrived. */
  async open(pick: number): Promise<void> {
    const arrived = this.#emails.filter(({ id }) => this.#truthOf(id).accepted > 0);
    const email = arrived[pick % Math.max(1, arrived.length)];
    if (email)
      await storeInteractions(this.#ledger.test.services.database.grouped, [
        {
          id: newId(),
          type: 'open',
          emailId: email.id,
          link: null,
          bot: false,
          client: 'Thunderbird',
          device: 'desktop',
          receivedAt: performance.now(),
          times: 1,
        },
      ]);
  }

  /** All workers finish what they can, and one that never fails delivers the rest. */
  async comeToRest(): Promise<void> {
    await this.resume();
    for (const index of this.#workers.keys()) {
      while (this.#worker(index).some(({ transferring }) => transferring.size > 0))
        await this.end(index, 0, 'accepted');
      await this.record(index);
      await this.write(index);
      await this.crash(index, false);
    }
    for (let round = 0; round < 10; round += 1) {
      await this.#prisma
        .$executeRaw`UPDATE "DeliveryBatch" SET "leaseUntil" = now() - interval '1 second' WHERE "id" = ANY(ARRAY(
        SELECT "id" FROM "DeliveryBatch" WHERE "projectId" = ${this.projectId}::uuid AND "token" IS NOT NULL ORDER BY "id" FOR NO KEY UPDATE))`;
      await this.reap();
      await this.wait();
      await this.skipWaiting();
      await this.settlePauses();
      if ((await this.#prisma.deliveryBatch.count({ where: { projectId: this.projectId } })) === 0) return;
      for (const kind of ['direct', 'bulk'] as const) await this.claim(0, kind, 100);
      for (const batch of this.#worker(0)) {
        while (batch.waiting.size > 0 && !batch.lost) await this.begin(0, 0);
        while (batch.transferring.size > 0) await this.end(0, 0, 'accepted');
      }
      await this.record(0);
      await this.write(0);
    }
  }
}
