import type { Logger } from 'pino';
import { type BatchResult, type Recorded, recordProgress } from '../ledger/index.ts';
import { bisect } from './bisect.ts';
import type { DatabaseWatch } from './database-watch.ts';
import type { HeldBatch, Snapshot } from './held-batch.ts';
import type { LedgerConnection } from './ledger-connection.ts';

/** Answers wait this long for beginnings to share their commit with; nothing waits for an answer's commit. */
const answersWaitMs = 5;
/** After a group with as many beginnings, the next one waits for more: with fewer, commits are not what limits the rate. */
const busyGroup = 3;
const busyWaitMs = 1;

export interface RecorderEvents {
  /** answers of this batch have become durable */
  onRecorded(batch: HeldBatch): void;
  onLost(batch: HeldBatch): void;
  /** Renews every lease; after an outage they are over, and beginnings would be refused. */
  renewLeases(): Promise<void>;
}

interface Beginning {
  batch: HeldBatch;
  granted: (yes: boolean) => void;
}

/**
 * What one statement recorded. By the whole key: a process can hold a batch twice, because a crash of the database undid its first claim and
 * it has claimed the batch again. What is granted to the later claim is not granted to the one that was undone.
 */
class RecordedBatches {
  readonly #rows = new Map<string, Recorded>();

  add(row: Recorded): void {
    this.#rows.set(row.id, row);
  }

  of({ id, token }: HeldBatch): Recorded | undefined {
    const row = this.#rows.get(id);
    return row?.token === token ? row : undefined;
  }
}

/**
 * Records beginnings and answers with natural group commit: whatever gathers while one statement runs is recorded by the next.
 * A connection begins its next message after it has read the answer of the last one, so both share a commit, and a crash leaves
 * at most one message per connection uncertain. While the database is unavailable everything waits in the bitmaps.
 */
export class Recorder {
  readonly #connection: LedgerConnection;
  readonly #watch: DatabaseWatch;
  readonly #events: RecorderEvents;
  readonly #log: Logger;
  #touched = new Set<HeldBatch>();
  #beginnings: Beginning[] = [];
  #running: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;

  constructor(connection: LedgerConnection, watch: DatabaseWatch, events: RecorderEvents, log: Logger) {
    this.#connection = connection;
    this.#watch = watch;
    this.#events = events;
    this.#log = log;
  }

  /** Connects, and has the statement planned. */
  async prepare(): Promise<void> {
    await this.#connection.use((client) => recordProgress(client, []));
  }

  /** `granted(true)` once the beginning is durably recorded and the lease certainly lasts. Never answers at once. */
  begin(batch: HeldBatch, n: number, granted: (yes: boolean) => void): void {
    if (!batch.begin(n)) {
      setImmediate(granted, false);
      return;
    }
    this.#beginnings.push({ batch, granted });
    this.#touched.add(batch);
    this.#start();
  }

  answer(batch: HeldBatch, n: number, result: BatchResult, subject: string | null): void {
    if (batch.answer(n, result, subject)) this.touch(batch);
  }

  /** Records the answers that the batch has by now. */
  touch(batch: HeldBatch): void {
    this.#touched.add(batch);
    if (!this.#running) this.#timer ??= setTimeout(() => this.#start(), answersWaitMs);
  }

  /** Resolves when everything so far is recorded. */
  async flush(): Promise<void> {
    this.#start();
    while (this.#running) await this.#running;
  }

  #start(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
    });
  }

  async #run(): Promise<void> {
    // Waits one turn of the event loop, so that all connections whose 354 arrived together share the first write.
    await new Promise((resolve) => setImmediate(resolve));
    let last = 0;
    while (this.#touched.size > 0) {
      if (last >= busyGroup) await new Promise((resolve) => setTimeout(resolve, busyWaitMs));
      last = this.#beginnings.length;
      const batches = this.#touched;
      const beginnings = this.#beginnings;
      this.#touched = new Set();
      this.#beginnings = [];
      const snapshots: Snapshot[] = [];
      for (const batch of batches) if (!batch.lost) snapshots.push(batch.snapshot());
      this.#conclude(snapshots, beginnings, await this.#record(snapshots));
    }
  }

  async #record(snapshots: readonly Snapshot[]): Promise<RecordedBatches> {
    const recorded = new RecordedBatches();
    if (snapshots.length === 0) return recorded;
    try {
      const parts = await bisect(
        snapshots,
        (part) => this.#write(part),
        (culprit, error) => this.#writeWithoutTexts(culprit, error),
      );
      for (const row of parts.flat()) recorded.add(row);
    } catch (error) {
      // Stopping, or a batch that cannot be recorded at all: its lease ends and the reaper takes over.
      this.#log.error({ err: error }, 'the progress of a delivery could not be recorded');
    }
    return recorded;
  }

  #write(snapshots: readonly Snapshot[]): Promise<Recorded[]> {
    let failed = false;
    return this.#watch.untilAnswered(async () => {
      if (failed) await this.#events.renewLeases();
      failed = true;
      return this.#connection.use((client) =>
        recordProgress(
          client,
          snapshots.map(({ progress }) => progress),
        ),
      );
    });
  }

  #writeWithoutTexts(snapshot: Snapshot, error: unknown): Promise<Recorded[]> {
    this.#log.error({ err: error, batchId: snapshot.batch.id }, 'answers could not be stored as they are');
    const results = Object.fromEntries(
      Object.entries(snapshot.progress.results ?? {}).map(([n, { providerId: _, ...result }]) => [
        n,
        result.error === undefined ? result : { ...result, error: 'The answer could not be stored' },
      ]),
    );
    return this.#write([{ ...snapshot, progress: { ...snapshot.progress, results } }]);
  }

  #conclude(snapshots: Snapshot[], beginnings: Beginning[], recorded: RecordedBatches): void {
    for (const snapshot of snapshots) {
      const { batch } = snapshot;
      const row = recorded.of(batch);
      if (!row) {
        batch.restore(snapshot);
        this.#events.onLost(batch);
        continue;
      }
      batch.recorded(snapshot);
      if (row.stopped && batch.stop()) this.#touched.add(batch);
      if (snapshot.answers.length > 0) this.#events.onRecorded(batch);
    }
    for (const { batch, granted } of beginnings) {
      const row = recorded.of(batch);
      // Also a process that was stopped between the commit and this line begins nothing.
      granted(row?.granted === true && !row.stopped && batch.holds);
    }
  }
}
