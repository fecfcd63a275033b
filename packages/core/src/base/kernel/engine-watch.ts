import type { WorkflowClient } from './ports/workflow-client.ts';
import type { WaitsFor } from './waits-for.schema.ts';

/** Whether the Temporal server answers. */
export interface EngineState {
  /** `starting` until it has answered this process once */
  state: 'ok' | 'starting' | 'away';
  /** since when it has not answered; null while it does */
  since: Date | null;
}

/** A state that is older than this is asked for again, in milliseconds. */
const freshMs = 5_000;

/** What this process knows of the engine, one for all of its requests. It asks when the state is wanted, so that an idle process asks nothing. */
export class EngineWatch {
  readonly #workflows: Pick<WorkflowClient, 'healthy'>;
  #known: EngineState = { state: 'starting', since: new Date() };
  #askedAt = Number.NEGATIVE_INFINITY;
  #asking: Promise<EngineState> | null = null;

  constructor(workflows: Pick<WorkflowClient, 'healthy'>) {
    this.#workflows = workflows;
  }

  /** The state at this moment; of one that did not answer, the last known: its next silence would be waited for. */
  now(): Promise<EngineState> {
    return this.#known.state === 'ok' ? this.#refresh() : this.last();
  }

  #refresh(): Promise<EngineState> {
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = null;
    });
    return this.#asking;
  }

  /** The last known state, which is asked for again beside the request once it is old. Only the first call waits. */
  async last(): Promise<EngineState> {
    const isFirst = this.#askedAt === Number.NEGATIVE_INFINITY;
    if (performance.now() - this.#askedAt < freshMs) return this.#known;
    const asking = this.#refresh();
    return isFirst ? asking : this.#known;
  }

  /**
   * What holds up a record that has something to do for the engine: null while the engine answers.
   *
   * @param isOutstanding whether there is something that the engine has not begun. Without it nothing is asked
   */
  async holdUpOf(isOutstanding: boolean): Promise<WaitsFor | null> {
    return isOutstanding && (await this.last()).state !== 'ok' ? 'engine' : null;
  }

  async #ask(): Promise<EngineState> {
    const answers = await this.#workflows.healthy();
    if (answers) this.#known = { state: 'ok', since: null };
    else if (this.#known.state === 'ok') this.#known = { state: 'away', since: new Date() };
    this.#askedAt = performance.now();
    return this.#known;
  }
}
