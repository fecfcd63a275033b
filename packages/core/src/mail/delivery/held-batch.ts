import type {
  BatchResult,
  ClaimedBatch,
  ClaimedEmail,
  ClaimedKey,
  LateAnswer,
  Progress,
} from '../ledger/index.ts';
import type { Kind } from '../ledger/ledger.rules.ts';
import type { BatchTrace } from './batch-span.ts';
import { hasBit, noBits, setBit } from './bits.ts';

/** Share of the lease left unused, for clock drift and for the time from the check to the first byte. */
const safetyShare = 0.15;

const sent: BatchResult = { outcome: 'sent' };

/** What one statement records of a batch, and the answers that become durable with it. */
export interface Snapshot {
  batch: HeldBatch;
  progress: Progress;
  answers: number[];
}

/**
 * A claimed batch as this process sees it: which of its emails have begun and which are answered. A position leaves the batch's
 * backlog when its transfer begins, or when it is answered without.
 */
export class HeldBatch {
  readonly id: string;
  readonly token: string;
  readonly projectId: string;
  readonly campaignId: string | null;
  readonly kind: Kind;
  readonly size: number;
  /** since its emails were read, by the monotonic clock */
  readonly heldSince: number;
  /** once its emails were read, where it is traced */
  trace: BatchTrace | null = null;
  #emails: ClaimedEmail[] = [];
  #routeId: string | null = null;
  #domainId: string | null = null;
  #isTest = false;
  #answeredForMs: number | null = null;
  /** given to the transport */
  readonly #taken: Buffer;
  readonly #begun: Buffer;
  readonly #answered: Buffer;
  #subjects: (string | null)[] | null = null;
  /** results other than plainly sent that are not recorded yet */
  #results: Record<string, BatchResult> | null = null;
  /** positions answered since the last snapshot */
  #unrecorded: number[] = [];
  #durable = 0;
  #written = 0;
  #backlog: number;
  #leaseEnds: number;
  #stopped = false;
  #lost = false;

  /** @param askedAt when the claim was asked for: the lease counts from before the question */
  constructor(claimed: ClaimedKey, kind: Kind, askedAt: number, leaseMs: number) {
    this.id = claimed.id;
    this.token = claimed.token;
    this.projectId = claimed.projectId;
    this.campaignId = claimed.campaignId;
    this.kind = kind;
    this.size = claimed.count;
    this.heldSince = askedAt;
    this.#taken = noBits(this.size);
    this.#begun = noBits(this.size);
    this.#answered = noBits(this.size);
    this.#backlog = this.size;
    this.#leaseEnds = 0;
    this.renewed(askedAt, leaseMs);
  }

  /** What is to be sent; the other positions are settled already and get the result `gone`. */
  fill({
    emails,
    answeredForMs,
    domainId = null,
    routeId = null,
    isTest = false,
  }: Pick<ClaimedBatch, 'emails' | 'answeredForMs'> &
    Partial<Pick<ClaimedBatch, 'domainId' | 'isTest'> & { routeId: string | null }>): void {
    this.#emails = emails;
    this.#routeId = routeId;
    this.#domainId = domainId;
    this.#isTest = isTest;
    this.#answeredForMs = answeredForMs;
    const present = noBits(this.size);
    for (const { n } of emails) setBit(present, n);
    for (let n = 0; n < this.size; n += 1) if (!hasBit(present, n)) this.answer(n, { outcome: 'gone' });
  }

  /** The route that its email takes, once its emails were read. */
  get routeId(): string | null {
    return this.#routeId;
  }

  /** The domain of the sender, once its emails were read. */
  get domainId(): string | null {
    return this.#domainId;
  }

  /** Whether it is of a test project, once its emails were read. */
  get isTest(): boolean {
    return this.#isTest;
  }

  get emails(): readonly ClaimedEmail[] {
    return this.#emails;
  }

  /** Time from the first answer of the batch's emails until they were read. */
  get answeredForMs(): number | null {
    return this.#answeredForMs;
  }

  /** Whether no other worker can have taken it over. */
  get holds(): boolean {
    return !this.#lost && performance.now() < this.#leaseEnds;
  }

  /** Taken over by another worker or the reaper. */
  get lost(): boolean {
    return this.#lost;
  }

  /** Number of emails that have neither begun nor been answered. */
  get backlog(): number {
    return this.#backlog;
  }

  /** Number of answers that are recorded durably. */
  get durable(): number {
    return this.#durable;
  }

  /** Nothing of it was answered or given to the transport. */
  get isUntouched(): boolean {
    return this.#backlog === this.size && !this.#taken.some((byte) => byte !== 0);
  }

  /** Everything is answered, durably. */
  get isAnswered(): boolean {
    return this.#durable === this.size;
  }

  get isWritten(): boolean {
    return this.#written === this.size;
  }

  get hasUnwritten(): boolean {
    return this.#durable > this.#written;
  }

  /** @param durable number of durable answers when the write began */
  wroteOut(durable: number): void {
    this.#written = Math.max(this.#written, durable);
  }

  get subjects(): readonly (string | null)[] | null {
    return this.#subjects;
  }

  renewed(askedAt: number, leaseMs: number): void {
    this.#leaseEnds = askedAt + leaseMs * (1 - safetyShare);
  }

  isWaiting(n: number): boolean {
    return !this.#lost && !hasBit(this.#begun, n) && !hasBit(this.#answered, n);
  }

  /** Marks an email as given to the transport. */
  take(n: number): void {
    setBit(this.#taken, n);
  }

  /** Marks the beginning of a transfer. @returns false when it must not begin */
  begin(n: number): boolean {
    if (this.#stopped || !this.isWaiting(n)) return false;
    setBit(this.#begun, n);
    this.#backlog -= 1;
    return true;
  }

  /** The result of a position; only the first one counts. @returns whether it is to be recorded */
  answer(n: number, result: BatchResult = sent, subject: string | null = null): boolean {
    if (this.#lost || hasBit(this.#answered, n)) return false;
    setBit(this.#answered, n);
    if (!hasBit(this.#begun, n)) this.#backlog -= 1;
    if (result.outcome !== 'sent' || result.providerId !== undefined) {
      this.#results ??= {};
      this.#results[n] = result;
    }
    if (subject !== null) {
      this.#subjects ??= new Array<string | null>(this.size).fill(null);
      this.#subjects[n] = subject;
    }
    this.#unrecorded.push(n);
    return true;
  }

  /** Gives back what the transport has not taken yet. @returns whether there was anything */
  giveBackWaiting(): boolean {
    return this.#answerAll({ outcome: 'giveback' }, ({ n }) => this.isWaiting(n) && !hasBit(this.#taken, n));
  }

  /**
   * The campaign was cancelled or paused: nothing more begins. What has not begun is given back; of a cancelled campaign it is skipped
   * when that is written.
   *
   * @returns whether there was anything
   */
  stop(): boolean {
    if (this.#stopped) return false;
    this.#stopped = true;
    return this.#answerAll({ outcome: 'giveback' }, ({ n }) => this.isWaiting(n));
  }

  get stopped(): boolean {
    return this.#stopped;
  }

  #answerAll(result: BatchResult, which: (email: ClaimedEmail) => boolean): boolean {
    const emails = this.#emails.filter(which);
    for (const { n } of emails) this.answer(n, result);
    return emails.length > 0;
  }

  /** The state to record: absolute, so it may be recorded again. */
  snapshot(): Snapshot {
    const snapshot = {
      batch: this,
      progress: {
        id: this.id,
        token: this.token,
        begun: Buffer.from(this.#begun),
        answered: Buffer.from(this.#answered),
        results: this.#results,
      },
      answers: this.#unrecorded,
    };
    this.#results = null;
    this.#unrecorded = [];
    return snapshot;
  }

  recorded(snapshot: Snapshot): void {
    this.#durable += snapshot.answers.length;
  }

  /** Whether the snapshot was recorded is unknown: what it held belongs to the next one. */
  restore({ progress, answers }: Snapshot): void {
    if (progress.results) this.#results = { ...progress.results, ...this.#results };
    this.#unrecorded.push(...answers);
  }

  /**
   * The batch was taken over. Called again when a snapshot that was being recorded meanwhile turns out not to be.
   * @returns the answers of transfers that had begun, to be settled one by one; each only once
   */
  lose(): LateAnswer[] {
    this.#lost = true;
    const unrecorded = this.#unrecorded;
    this.#unrecorded = [];
    const emails = new Map(this.#emails.map((email) => [email.n, email]));
    return unrecorded.flatMap((n) => {
      const email = emails.get(n);
      if (!email || !hasBit(this.#begun, n)) return [];
      return [this.late(email, this.#results?.[n] ?? sent, this.#subjects?.[n] ?? null)];
    });
  }

  /** An answer for an email of the batch that arrives after it was taken over. */
  late(email: ClaimedEmail, result: BatchResult, subject: string | null): LateAnswer {
    return { emailId: email.id, token: this.token, priority: email.priority, result, subject };
  }

  hasBegun(n: number): boolean {
    return hasBit(this.#begun, n);
  }
}
