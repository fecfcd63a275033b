import { type Owners, turnKey } from './ports/owners.ts';
import { TurnOrder } from './turn-order.ts';
import { observeTurn, type TurnOf } from './turn-wait.ts';

export interface TurnstileOptions {
  what: TurnOf;
  /** pieces of work at the same time */
  places: number;
  /** of them, those of one turn */
  ofTurn: number;
}

interface Waiting {
  since: number;
  begin(key: string): void;
}

/** Lets pieces of work begin in the order of turns of their projects' owners (behaviour B8.6), and limits how many run at the same time. */
export class Turnstile {
  readonly #owners: Owners;
  readonly #options: TurnstileOptions;
  readonly #order: TurnOrder<Waiting[]>;
  readonly #inside = new Map<string, number>();
  #count = 0;

  constructor(owners: Owners, options: TurnstileOptions) {
    this.#owners = owners;
    this.#options = options;
    this.#order = new TurnOrder(owners);
  }

  /** Waits for a turn. @returns a function that ends it, to be called once */
  async take(projectId: string): Promise<() => void> {
    const since = performance.now();
    const { promise, resolve } = Promise.withResolvers<() => void>();
    this.#order
      .place(projectId, () => [])
      .push({
        since,
        begin: (key) => {
          this.#change(key, 1);
          resolve(() => {
            this.#change(key, -1);
            this.#next();
          });
        },
      });
    void this.#owners.known(projectId)?.then(() => this.#next());
    this.#next();
    return promise;
  }

  async run<Result>(projectId: string, work: () => Promise<Result>): Promise<Result> {
    const end = await this.take(projectId);
    try {
      return await work();
    } finally {
      end();
    }
  }

  #next(): void {
    while (this.#count < this.#options.places) {
      const next = this.#order.first((waiting, projectId, turn) => {
        const key = turnKey(turn);
        const first = (this.#inside.get(key) ?? 0) < this.#options.ofTurn ? waiting.shift() : undefined;
        if (!first) return undefined;
        this.#order.served(projectId);
        if (waiting.length === 0) this.#order.delete(projectId);
        return { ...first, key };
      });
      if (!next) return;
      observeTurn(this.#options.what, next.since);
      next.begin(next.key);
    }
  }

  #change(key: string, by: 1 | -1): void {
    this.#count += by;
    const now = (this.#inside.get(key) ?? 0) + by;
    if (now === 0) this.#inside.delete(key);
    else this.#inside.set(key, now);
  }
}
