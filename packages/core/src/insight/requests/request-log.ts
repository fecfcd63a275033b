import { Counter, register } from 'prom-client';
import { databaseIsAway } from '../../base/db/index.ts';
import type { Actor, Services } from '../../base/kernel/index.ts';
import { keyPrefix } from '../../base/kernel/index.ts';
import { newId } from '../../base/lib/index.ts';
import { Counts } from './counts.ts';
import { ensureDays, isPartitionMissing, storedBytes } from './days.store.ts';
import { dayMs, dayStart } from './requests.rules.ts';
import type { RequestDoor } from './requests.schema.ts';
import { addCounts, type EntryRow, insertEntries, raiseAlike } from './requests.store.ts';
import { trimRequestLog } from './retention.ts';
import { RequestSample, type Sampled } from './sample.ts';

/** A request that named a project by a key, when it has been answered. */
export interface AnsweredRequest {
  actor: Extract<Actor, { type: 'key' }>;
  /** the key that was given; only its beginning is kept */
  key: string;
  door: RequestDoor;
  method: string;
  /** the route, never the URL */
  path: string;
  operation: string | null;
  /** as REST answers it */
  status: number;
  code: string | null;
  durationMs: number;
  ip: string | null;
  userAgent: string | undefined;
  requestId: string;
  dryRun: boolean;
  /** made only for requests that get an entry: what was given and answered, redacted, and the emails in it */
  details(): { request: object | null; response: object | null; emailIds: string[] };
}

/** What waits in memory for the next statement. */
export const queueBounds = { entries: 5_000, bytes: 8 * 1_048_576 } as const;
const groupSize = 500;
const pauseMs = 500;
/** While the database is away. */
const longPauseMs = 5_000;
/** How often the stored size is looked at. */
const sizeEveryMs = 60_000;
const longestUserAgent = 200;
/** Estimated bytes of an entry besides what it shows. */
const entryBytes = 600;

interface Queued {
  row: EntryRow;
  sampled: Sampled;
  bytes: number;
}

/**
 * The request log of a process (behaviour B11.9). It is never in the way of a reply: `record` puts into memory what the next group writes,
 * and drops entries when that is full. The groups are written one at a time, with asynchronous commits.
 */
export class RequestLog {
  readonly #services: Services;
  readonly #sample = new RequestSample();
  readonly #counts = new Counts();
  readonly #days = new Set<number>();
  #queue: Queued[] = [];
  #bytes = 0;
  #raised = new Set<Sampled>();
  #timer: NodeJS.Timeout | undefined;
  /** the writing that goes on, and what follows it: one at a time */
  #writing: Promise<unknown> = Promise.resolve();
  #isFull = false;
  #sizeKnownAt = Number.NEGATIVE_INFINITY;
  #dropped = 0;

  constructor(services: Services) {
    this.#services = services;
  }

  /** Entries and counts that found no room, or that the database refused. */
  get dropped(): number {
    return this.#dropped;
  }

  /** What waits to be written. */
  get size(): { entries: number; bytes: number } {
    return { entries: this.#queue.length, bytes: this.#bytes };
  }

  record(request: AnsweredRequest): void {
    if (this.#services.config.REQUEST_LOG_DAYS === 0) return;
    const { operation, status, code, durationMs } = request;
    const { projectId } = request.actor;
    const at = new Date();
    const now = at.getTime();
    if (!this.#counts.add({ projectId, operation, status, code, durationMs, now })) this.#drop(1);
    const kind = `${operation} ${status} ${code}`;
    const taken = this.#sample.take({ projectId, status, kind, now }, () => ({
      id: newId(),
      at,
      alike: 0,
      isWritten: false,
    }));
    if (taken?.isNew) this.#enqueue(taken.entry, request);
    else if (taken?.entry.isWritten) this.#raised.add(taken.entry);
    this.#timer ??= this.#later(pauseMs);
  }

  /** Writes what waits. It does not wait for a database that is away. */
  async settled(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#writeNext();
  }

  #enqueue(sampled: Sampled, request: AnsweredRequest): void {
    if (this.#isFull || this.#queue.length >= queueBounds.entries || this.#bytes >= queueBounds.bytes) {
      this.#drop(1);
      return;
    }
    const row = this.#rowOrNull(sampled, request);
    if (!row) return;
    const bytes = entryBytes + (row.request?.length ?? 0) + (row.response?.length ?? 0);
    this.#queue.push({ row, sampled, bytes });
    this.#bytes += bytes;
  }

  /** A value that cannot be redacted costs its entry, and not the process that has answered the request. */
  #rowOrNull(sampled: Sampled, request: AnsweredRequest): EntryRow | null {
    try {
      return rowOf(sampled, request);
    } catch (error) {
      this.#drop(1);
      const { operation, requestId } = request;
      this.#services.log.error({ err: error, operation, requestId }, 'a request could not be redacted');
      return null;
    }
  }

  #drop(count: number): void {
    this.#dropped += count;
    droppedTotal().inc(count);
  }

  #later(ms: number): NodeJS.Timeout {
    const timer = setTimeout(() => {
      void this.#writeNext().then((isAway) => {
        const waits = this.#queue.length > 0 || this.#raised.size > 0 || this.#counts.size > 0;
        this.#timer = waits ? this.#later(isAway ? longPauseMs : pauseMs) : undefined;
      });
    }, ms);
    return timer.unref();
  }

  #writeNext(): Promise<boolean> {
    const next = this.#writing.then(() => this.#write());
    this.#writing = next;
    return next;
  }

  /** @returns whether the database is away; what could not be written then waits */
  async #write(): Promise<boolean> {
    try {
      await this.#lookAtSize();
      while (this.#queue.length > 0) await this.#writeGroup();
      await this.#writeAlike();
      await this.#writeCounts();
      return false;
    } catch (error) {
      if (databaseIsAway(error)) return true;
      this.#services.log.warn({ err: error }, 'requests could not be logged');
      return false;
    }
  }

  async #writeGroup(): Promise<void> {
    const group = this.#queue.slice(0, groupSize);
    const written = group.map(({ sampled }) => sampled.alike);
    const rows = group.map(({ row, sampled }) => ({ ...row, alike: sampled.alike }));
    await this.#orDrop(group.length, async () => {
      await this.#inDays(
        rows.map(({ at }) => dayStart(Date.parse(at))),
        () => insertEntries(this.#services.database, rows),
      );
      for (const [index, { sampled }] of group.entries()) {
        sampled.isWritten = true;
        if (sampled.alike !== written[index]) this.#raised.add(sampled);
      }
    });
    this.#queue = this.#queue.slice(group.length);
    for (const { bytes } of group) this.#bytes -= bytes;
  }

  async #writeAlike(): Promise<void> {
    const raised = [...this.#raised];
    this.#raised = new Set();
    if (raised.length === 0) return;
    try {
      await this.#orDrop(0, () => raiseAlike(this.#services.database, raised));
    } catch (error) {
      for (const sampled of raised) this.#raised.add(sampled);
      throw error;
    }
  }

  async #writeCounts(): Promise<void> {
    const rows = this.#counts.take();
    if (rows.length === 0) return;
    try {
      await this.#orDrop(rows.length, () =>
        this.#inDays(
          rows.map(({ at }) => dayStart(at.getTime())),
          () => addCounts(this.#services.database, rows),
        ),
      );
    } catch (error) {
      this.#counts.putBack(rows);
      throw error;
    }
  }

  /** What the database refuses is dropped, so that it does not hold up what comes after. @throws while the database is away */
  async #orDrop(count: number, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (databaseIsAway(error)) throw error;
      this.#drop(count);
      this.#services.log.warn({ err: error }, 'requests could not be logged');
    }
  }

  /** With the tables of these days. They may have been dropped since they were known: then they are made again. */
  async #inDays(days: readonly number[], work: () => Promise<unknown>): Promise<void> {
    await this.#ensure(days);
    try {
      await work();
    } catch (error) {
      if (!isPartitionMissing(error)) throw error;
      this.#days.clear();
      await this.#ensure(days);
      await work();
    }
  }

  async #ensure(days: readonly number[]): Promise<void> {
    const missing = [...new Set(days)].filter((day) => !this.#days.has(day));
    if (missing.length === 0) return;
    await ensureDays(this.#services.database, missing);
    for (const day of missing) this.#days.add(day);
    for (const day of this.#days) if (day < Math.max(...missing) - 2 * dayMs) this.#days.delete(day);
  }

  /** Entries of a day that alone exceeds the limit are not written; what is older has been dropped before. */
  async #lookAtSize(): Promise<void> {
    const now = performance.now();
    if (now - this.#sizeKnownAt < sizeEveryMs) return;
    this.#sizeKnownAt = now;
    const { database, config } = this.#services;
    const isOver = async (): Promise<boolean> =>
      (await storedBytes(database)) > config.REQUEST_LOG_MAX_MB * 1_048_576;
    if (await isOver()) await trimRequestLog(this.#services, new Date());
    this.#isFull = await isOver();
  }
}

function rowOf({ id, at }: Sampled, request: AnsweredRequest): EntryRow {
  const { actor, key, door, method, path, operation, status, code, durationMs } = request;
  const { ip, userAgent, requestId, dryRun } = request;
  const { request: given, response, emailIds } = request.details();
  return {
    id,
    projectId: actor.projectId,
    at: at.toISOString(),
    door,
    method,
    path,
    operation,
    status,
    code,
    durationMs: Math.round(durationMs),
    keyType: actor.key,
    keyId: actor.named?.id ?? null,
    keyName: actor.named?.name ?? null,
    keyPrefix: keyPrefix(key),
    ip,
    userAgent: userAgent?.slice(0, longestUserAgent).toWellFormed() ?? null,
    requestId,
    dryRun,
    request: given === null ? null : JSON.stringify(given),
    response: response === null ? null : JSON.stringify(response),
    emailIds,
    alike: 0,
  };
}

/** One per process, like the registry of metrics. */
function droppedTotal(): Counter {
  const name = 'request_log_dropped_total';
  const existing = register.getSingleMetric(name);
  if (existing) return existing as Counter;
  return new Counter({ name, help: 'Entries and counts of the request log that were not written' });
}

const logs = new WeakMap<Services['database'], RequestLog>();

/** The request log of a process. */
export function requestLogOf(services: Services): RequestLog {
  const known = logs.get(services.database);
  if (known) return known;
  const log = new RequestLog(services);
  logs.set(services.database, log);
  return log;
}
