import { Counts } from './counts.ts';
import { type Share, whole } from './share.rules.ts';

/** Requests to one endpoint at the same time: at first, at most, and after one without an answer. */
const ofEndpoint = { first: 16, most: 64, fewest: 2 };
/** An answer within this time raises the number, and one that takes longer lowers it. */
const promptMs = 2_000;

/** How a request ended. */
interface Answered {
  /** null without an answer */
  statusCode: number | null;
  ms: number;
}

interface Lane {
  limit: number;
  running: number;
}

/**
 * How many requests each endpoint may have at the same time. An endpoint that does not answer soon has only a few, so that many dead hosts
 * do not use up the requests of this process; together they have at most half of them. What waits is in the database, so this is no queue:
 * the claim takes turns, within the numbers given here.
 */
export class Lanes {
  readonly #total: number;
  readonly #bounds: typeof ofEndpoint;
  readonly #share: Share;
  readonly #lanes = new Map<string, Lane>();
  readonly #ofTurn = new Counts();
  #running = 0;

  /** @param share the part of an endpoint's number that this process has */
  constructor(total: number, bounds = ofEndpoint, share = whole) {
    this.#total = total;
    this.#bounds = bounds;
    this.#share = share;
  }

  /** Turns that have seven eighths of the requests: what is left is for other owners, whose hosts answer. */
  get fullTurns(): string[] {
    return [...this.#ofTurn].flatMap(([turn, running]) => (running * 8 >= this.#total * 7 ? [turn] : []));
  }

  /** Requests that may begin now, altogether. */
  get free(): number {
    return this.#total - this.#running;
  }

  get running(): number {
    return this.#running;
  }

  /** The limit of an endpoint without a lane. */
  get perEndpoint(): number {
    return this.#share(this.#bounds.first);
  }

  /** Of each endpoint with a lane. */
  freeByEndpoint(): Record<string, number> {
    const slow = [...this.#lanes.values()].reduce(
      (sum, { limit, running }) => sum + (limit < this.#bounds.first ? running : 0),
      0,
    );
    const slowFree = Math.max(0, Math.floor(this.#total / 2) - slow);
    return Object.fromEntries(
      [...this.#lanes].map(([id, { limit, running }]) => {
        const free = Math.max(0, this.#share(limit) - running);
        return [id, limit < this.#bounds.first ? Math.min(free, slowFree) : free];
      }),
    );
  }

  begin(endpointId: string, turn: string): void {
    const lane = this.#lanes.get(endpointId) ?? { limit: this.#bounds.first, running: 0 };
    this.#lanes.set(endpointId, lane);
    lane.running += 1;
    this.#running += 1;
    this.#ofTurn.add(turn, 1);
  }

  end(endpointId: string, turn: string, answered: Answered | null): void {
    const { first, most, fewest } = this.#bounds;
    const lane = this.#lanes.get(endpointId);
    if (!lane) return;
    lane.running -= 1;
    this.#running -= 1;
    this.#ofTurn.add(turn, -1);
    if (answered) {
      const prompt = answered.statusCode !== null && answered.ms < promptMs;
      lane.limit = prompt ? Math.min(most, lane.limit + 1) : Math.max(fewest, Math.floor(lane.limit / 2));
    }
    // An idle endpoint that answers is as good as a new one.
    if (lane.running === 0 && lane.limit >= first) this.#lanes.delete(endpointId);
  }
}
