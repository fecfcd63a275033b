import type { ChildProcess } from 'node:child_process';
import { showMemoryPressure } from '@postrider/core/adapters';
import { version } from '@postrider/core/base/db';
import { showBuild } from '@postrider/core/base/kernel';
import {
  AggregatorRegistry,
  collectDefaultMetrics,
  type MetricObjectWithValues,
  type MetricValue,
  register,
} from 'prom-client';

/** The metrics of a process, as prom-client writes them. */
export type Snapshot = MetricObjectWithValues<MetricValue<string>>[];

interface Request {
  type: 'metrics';
  id: number;
}

interface Answer extends Request {
  snapshot: Snapshot;
}

/** A process that does not answer within this time, in milliseconds, is shown as it was. */
const patienceMs = 2_000;

const isOf = (message: unknown, id?: number): message is Answer =>
  typeof message === 'object' &&
  message !== null &&
  (message as Partial<Answer>).type === 'metrics' &&
  (id === undefined || (message as Answer).id === id);

export const collectOnce = (): void => {
  if (register.getSingleMetric('process_cpu_seconds_total')) return;
  collectDefaultMetrics({ register });
  showBuild(version);
  showMemoryPressure();
};

/** Answers the parent process when it asks for the metrics of this one. */
export function answerMetrics(): void {
  collectOnce();
  process.on('message', async (message) => {
    if (!isOf(message)) return;
    process.send?.({
      type: 'metrics',
      id: message.id,
      snapshot: await register.getMetricsAsJSON(),
    } satisfies Answer);
  });
}

/** The metrics of several child processes. What an ended one has counted stays, so that no counter goes back. */
export class ChildMetrics {
  readonly #last = new Map<ChildProcess, Snapshot>();
  #ended: Promise<Snapshot> = Promise.resolve([]);
  #requests = 0;

  add(child: ChildProcess): void {
    this.#last.set(child, []);
    child.once('exit', () => {
      const last = this.#last.get(child) ?? [];
      this.#last.delete(child);
      // One after the other: of two processes that end at the same time, both count.
      this.#ended = this.#ended.then((ended) => sum([ended, last.filter(({ type }) => isCounted(type))]));
    });
  }

  /** The sum of all. */
  async read(): Promise<Snapshot> {
    await Promise.all([...this.#last.keys()].map((child) => this.#ask(child)));
    return sum([await this.#ended, ...this.#last.values()]);
  }

  async #ask(child: ChildProcess): Promise<void> {
    this.#requests += 1;
    const id = this.#requests;
    const { promise, resolve } = Promise.withResolvers<void>();
    const listen = (message: unknown): void => {
      if (!isOf(message, id)) return;
      if (this.#last.has(child)) this.#last.set(child, message.snapshot);
      resolve();
    };
    const timer = setTimeout(resolve, patienceMs);
    child.on('message', listen);
    child.once('exit', resolve);
    child.send({ type: 'metrics', id } satisfies Request, (error) => {
      if (error) resolve();
    });
    await promise;
    clearTimeout(timer);
    child.off('message', listen);
    child.off('exit', resolve);
  }
}

/** Kinds of metrics that only rise. prom-client types the kind as a number, and writes its name. */
const isCounted = (type: unknown): boolean => type === 'counter' || type === 'histogram';

const sum = (snapshots: Snapshot[]): Promise<Snapshot> =>
  AggregatorRegistry.aggregate(snapshots).getMetricsAsJSON() as Promise<Snapshot>;

/** All metrics in the Prometheus text format, with the label `process`. */
export function textOf(byProcess: Readonly<Record<string, Snapshot>>): Promise<string> {
  const labelled = Object.entries(byProcess).map(([name, snapshot]) =>
    snapshot.map((metric) => ({
      ...metric,
      values: metric.values.map((value) => ({ ...value, labels: { ...value.labels, process: name } })),
    })),
  );
  return AggregatorRegistry.aggregate(labelled).metrics();
}
