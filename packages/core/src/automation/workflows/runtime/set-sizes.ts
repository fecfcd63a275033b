import { RecentMap } from '../../../base/lib/index.ts';

const most = 500;
const least = 25;
/** A set of more than this is halved, and one of less than that is doubled. */
const slowMs = 300;
const quickMs = 100;
/** For how long, and in which sets, a workflow runs whose conditions have taken too long. */
const carefulMs = 600_000;
const carefulSize = 50;

interface Size {
  size: number;
  /** by `performance.now()` */
  carefulUntil: number;
}

/** How many executions a set of each workflow takes, so that no transaction is long. */
export class SetSizes {
  readonly #sizes = new RecentMap<string, Size>(10_000);

  of(workflowId: string): number {
    const { size, carefulUntil } = this.#get(workflowId);
    return performance.now() < carefulUntil ? Math.min(size, carefulSize) : size;
  }

  observe(
    workflowId: string,
    { ms, taken, isSlow, failures }: { ms: number; taken: number; isSlow: boolean; failures: number },
  ): void {
    const { size, carefulUntil } = this.#get(workflowId);
    const changed =
      isSlow || (ms > slowMs && failures === 0)
        ? Math.max(least, Math.floor(size / 2))
        : ms < quickMs && taken >= size
          ? Math.min(most, size * 2)
          : size;
    this.#sizes.set(workflowId, {
      size: changed,
      carefulUntil: isSlow ? performance.now() + carefulMs : carefulUntil,
    });
  }

  #get(workflowId: string): Size {
    return this.#sizes.get(workflowId) ?? { size: most, carefulUntil: 0 };
  }
}
