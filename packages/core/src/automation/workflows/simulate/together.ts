/** One statement for what many ask. @returns one answer for each, in their order */
type Ask<In, Out> = (inputs: readonly In[]) => Promise<readonly Out[]>;

interface Asked {
  ask: Ask<unknown, unknown>;
  input: unknown;
  resolve(answer: unknown): void;
  reject(error: unknown): void;
}

/**
 * Runs pieces of work at the same time whose questions are answered together: none before all pieces have either asked one or ended. So
 * executions with clocks of their own, which walk apart, need no more statements than a set. Which questions come together depends on the
 * pieces alone, not on time.
 */
export class Together {
  /** pieces that have not ended */
  #open = 0;
  #asked: Asked[] = [];

  /** @param breathe lets other work of the process run between two pieces */
  async run<Result>(
    pieces: readonly (() => Promise<Result>)[],
    breathe: () => Promise<void>,
  ): Promise<PromiseSettledResult<Result>[]> {
    this.#open += pieces.length;
    const running: Promise<PromiseSettledResult<Result>>[] = [];
    for (const piece of pieces) {
      running.push(this.#settled(piece));
      await breathe();
    }
    return Promise.all(running);
  }

  ask<In, Out>(ask: Ask<In, Out>, input: In): Promise<Out> {
    return new Promise<Out>((resolve, reject) => {
      this.#asked.push({ ask, input, resolve, reject } as unknown as Asked);
      this.#answer();
    });
  }

  async #settled<Result>(piece: () => Promise<Result>): Promise<PromiseSettledResult<Result>> {
    try {
      return { status: 'fulfilled', value: await piece() };
    } catch (reason) {
      return { status: 'rejected', reason };
    } finally {
      this.#open -= 1;
      this.#answer();
    }
  }

  #answer(): void {
    if (this.#asked.length === 0 || this.#asked.length < this.#open) return;
    const asked = this.#asked;
    this.#asked = [];
    for (const [ask, those] of Map.groupBy(asked, (each) => each.ask)) void answerAll(ask, those);
  }
}

/** Of questions that cannot be answered together, the one is found that cannot be answered alone. */
async function answerAll(ask: Asked['ask'], asked: readonly Asked[]): Promise<void> {
  try {
    const answers = await ask(asked.map(({ input }) => input));
    for (const [index, { resolve }] of asked.entries()) resolve(answers[index]);
  } catch (error) {
    const [only, ...others] = asked;
    if (others.length === 0) {
      only?.reject(error);
      return;
    }
    const half = Math.ceil(asked.length / 2);
    await answerAll(ask, asked.slice(0, half));
    await answerAll(ask, asked.slice(half));
  }
}
