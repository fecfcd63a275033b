import { Counts } from '../lib/counts.ts';
import { FairQueue } from './fair-queue.ts';
import { type Owners, turnKey } from './ports/owners.ts';
import { observeTurn, type TurnOf } from './turn-wait.ts';

export interface TurnstileOptions {
  what: TurnOf;
  /** pieces of work at the same time */
  places: number;
  /** of them, those of one turn */
  ofTurn: number;
  /** what each piece waits for before it asks for its turn; default nothing */
  before?: () => Promise<void>;
}

interface Waiting {
  since: number;
  begin(key: string): void;
}

/** Lets pieces of work begin in the order of turns of their projects' owners (behaviour B8.6), and limits how many run at the same time. */
export class Turnstile {
  readonly #owners: Owners;
  readonly #options: TurnstileOptions;
  readonly #queue: FairQueue<Waiting>;
  readonly #inside = new Counts();
  #count = 0;

  constructor(owners: Owners, options: TurnstileOptions) {
    this.#owners = owners;
    this.#options = options;
    this.#queue = new FairQueue(owners);
  }

  /** Waits for a turn. @returns a function that ends it, to be called once */
  async take(projectId: string): Promise<() => void> {
    await this.#options.before?.();
    const since = performance.now();
    const { promise, resolve } = Promise.withResolvers<() => void>();
    this.#queue.add(projectId, {
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
      let key = '';
      const next = this.#queue.take((_, turn) => {
        key = turnKey(turn);
        return this.#inside.get(key) < this.#options.ofTurn ? 'take' : 'pass';
      });
      if (!next) return;
      observeTurn(this.#options.what, next.since);
      next.begin(key);
    }
  }

  #change(key: string, by: 1 | -1): void {
    this.#count += by;
    this.#inside.add(key, by);
  }
}
