import { Counter, Gauge, register } from 'prom-client';
import type { MailState, QueueState } from './queues.store.ts';
import type { RouteState, ServerState } from './server.store.ts';
import type { SliceState } from './slices.store.ts';

/** What one look has found. */
export interface Look {
  mail: MailState;
  queues: readonly QueueState[];
  server: ServerState;
  routes: readonly RouteState[];
  slices: readonly SliceState[];
  /** by kind of rows, for how long the oldest could have been removed */
  sweepBacklog: ReadonlyMap<string, number>;
  /** by what is on it, the share of a disk that is free */
  diskFree: ReadonlyMap<string, number>;
  isEngineUp: boolean;
}

const gauge = <Label extends string>(
  suffix: string,
  help: string,
  labelNames: Label[] = [],
): Gauge<Label> => {
  const name = `postrider_${suffix}`;
  register.removeSingleMetric(name);
  return new Gauge({ name, help, labelNames });
};

/**
 * The gauges that ask the database. They exist in the one process that looks: in all others, and while it cannot look, they have no value,
 * which is not 0.
 */
export class DatabaseGauges {
  readonly #length = gauge('queue_length', 'What is due and no process works on, up to 2,000', ['queue']);
  readonly #oldest = gauge('queue_oldest_seconds', 'For how long the first of a queue has been due', [
    'queue',
  ]);
  readonly #held = gauge('held', 'Batches of email that wait and are not due, up to 2,000', ['by']);
  readonly #paused = gauge('route_paused', '1 while email waits for the mail server', ['route']);
  readonly #snapshot = gauge(
    'db_oldest_snapshot_seconds',
    'Age of the oldest transaction that vacuum waits for',
  );
  readonly #lag = gauge('replication_lag_seconds', 'How far the slowest standby is behind');
  readonly #standbys = gauge('standbys_missing', 'Standbys that commits wait for, and that are not there');
  readonly #disk = gauge('disk_free_ratio', 'Share of a disk that is free', ['what']);
  readonly #backlog = gauge('sweep_backlog_seconds', 'For how long expired rows could have been removed', [
    'kind',
  ]);
  readonly #slices = gauge('slices', 'Parts of a large table', ['table']);
  readonly #sliceRows = gauge('slice_rows', 'Rows of the last slice of a table, as of its last analysis', [
    'table',
  ]);
  readonly #sliceBytes = gauge('slice_bytes', 'Size of the last slice of a table, with its indexes', [
    'table',
  ]);
  readonly #engine = gauge('engine_up', '1 while the Temporal server answers');
  readonly #backup = gauge(
    'backup_age_seconds',
    'Time since the last backup, or since the installation or restore',
  );
  readonly #epoch = gauge('epoch', 'How often the database began: 1, and one more with each restore');
  readonly #wal = wal();

  constructor() {
    this.clear();
  }

  show(look: Look): void {
    const { mail, queues, server, routes, slices, sweepBacklog, diskFree, isEngineUp } = look;
    this.clear();
    for (const { queue, length, oldestSeconds } of [...mail.queues, ...queues]) {
      this.#length.set({ queue }, length);
      this.#oldest.set({ queue }, oldestSeconds);
    }
    for (const [by, count] of Object.entries(mail.held)) this.#held.set({ by }, count);
    for (const { id, isPaused } of routes) this.#paused.set({ route: id }, isPaused ? 1 : 0);
    for (const { table, slices: count, rows, bytes } of slices) {
      this.#slices.set({ table }, count);
      this.#sliceRows.set({ table }, rows);
      this.#sliceBytes.set({ table }, bytes);
    }
    for (const [kind, seconds] of sweepBacklog) this.#backlog.set({ kind }, seconds);
    for (const [what, share] of diskFree) this.#disk.set({ what }, share);
    this.#snapshot.set(server.oldestSnapshotSeconds);
    this.#standbys.set(server.standbysMissing);
    if (server.replicationLagSeconds !== null) this.#lag.set(server.replicationLagSeconds);
    if (server.epoch !== null) this.#epoch.set(server.epoch);
    if (server.backupAgeSeconds !== null) this.#backup.set(server.backupAgeSeconds);
    this.#engine.set(isEngineUp ? 1 : 0);
    this.#wal.inc(server.walBytes);
  }

  /** Another process looks now, or none can. */
  clear(): void {
    const labelled = [this.#length, this.#oldest, this.#held, this.#paused, this.#backlog, this.#disk];
    for (const each of [...labelled, this.#slices, this.#sliceRows, this.#sliceBytes]) each.reset();
    const single = [this.#snapshot, this.#lag, this.#standbys, this.#engine, this.#backup, this.#epoch];
    for (const each of single) each.remove();
    this.#wal.reset();
    this.#wal.remove();
  }
}

function wal(): Counter {
  const name = 'postrider_wal_bytes_total';
  register.removeSingleMetric(name);
  return new Counter({ name, help: 'Bytes of WAL that the database has written' });
}
