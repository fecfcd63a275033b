import { setTimeout as delay } from 'node:timers/promises';
import { notifyExecutions } from '../../../base/follow-ups/index.ts';
import type { Services } from '../../../base/kernel/index.ts';
import { Lanes, newId, Pause, whole } from '../../../base/lib/index.ts';
import { attemptRequest } from './attempt.ts';
import { type ClaimedRequest, claimRequests, type RequestResult, settleRequests } from './requests.store.ts';

/** Requests of one process at the same time: sockets, and payloads in memory. */
const requestsAtOnce = 512;
/** Requests to one host at the same time: at first, at most, and while it does not answer (behaviour B6.6). */
const ofHost = { first: 32, most: 100, fewest: 2 };
/** How often due requests are looked for: at most, and while nothing happens. */
const shortestMs = 20;
const pollMs = 1_000;
/** An attempt takes less than this; after it another process may make it. */
const leaseMs = 30_000;
/** Results of this time are written by one statement. */
const gatherMs = 10;
const resultsAtOnce = 200;
const retryMs = 500;
/** For how long a process that stops waits for its requests. */
const stopMs = 5_000;

/**
 * Makes the requests of WEBHOOK steps: claims those that are due, sends them and records the answers. Any number of processes may run one; a
 * request is claimed by one of them at a time.
 */
export class RequestRuntime {
  readonly #services: Services;
  readonly #lanes: Lanes;
  readonly #pause = new Pause();
  readonly #stopping = new AbortController();
  readonly #loop: Promise<void>;
  #waiting: { result: RequestResult; projectId: string; resolve(): void }[] = [];
  #writing: Promise<void> | null = null;

  /** @param share the part of what one host may have at the same time that this process has */
  constructor(services: Services, share = whole) {
    this.#services = services;
    this.#lanes = new Lanes(requestsAtOnce, ofHost, share);
    this.#loop = this.#run();
  }

  async #run(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const claimed = await this.#claim();
      for (const request of claimed) void this.#attempt(request);
      await delay(shortestMs);
      // A lane that becomes free ends the pause: more may wait for it.
      await this.#pause.wait(claimed.length > 0 ? 0 : pollMs);
    }
  }

  async #claim(): Promise<ClaimedRequest[]> {
    if (this.#lanes.free === 0) return [];
    try {
      return await claimRequests(this.#services.database.durable, {
        token: newId(),
        free: JSON.stringify(this.#lanes.freeByEndpoint()),
        perHost: this.#lanes.perEndpoint,
        fullTurns: this.#lanes.fullTurns,
        // Half of what is free: the next claim, some milliseconds later, sees whose requests these are.
        total: Math.ceil(this.#lanes.free / 2),
        leaseMs,
        now: null,
      });
    } catch (error) {
      this.#services.log.warn({ err: error }, 'could not look for requests of workflows; trying again');
      return [];
    }
  }

  async #attempt(request: ClaimedRequest): Promise<void> {
    const { host, turn, projectId, executionId } = request;
    this.#lanes.begin(host, turn);
    try {
      const { result, answered } = await attemptRequest(this.#services, request);
      await this.#record(result, projectId);
      this.#lanes.end(host, turn, answered);
    } catch (error) {
      // For instance, the secret cannot be decrypted. The request stays claimed, and is made again when its lease ends.
      this.#services.log.error({ err: error, executionId }, 'a request of a workflow could not be made');
      this.#lanes.end(host, turn, null);
    }
    this.#pause.wake();
  }

  /** Resolves when the result is stored. */
  #record(result: RequestResult, projectId: string): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push({ result, projectId, resolve });
      this.#writing ??= this.#write();
    });
  }

  async #write(): Promise<void> {
    await delay(gatherMs);
    while (this.#waiting.length > 0) {
      const group = this.#waiting.splice(0, resultsAtOnce);
      await this.#settle(group.map(({ result }) => result));
      for (const projectId of new Set(group.map((each) => each.projectId)))
        notifyExecutions(this.#services, projectId);
      for (const { resolve } of group) resolve();
      if (this.#waiting.length < resultsAtOnce) await delay(gatherMs);
    }
    this.#writing = null;
  }

  /** While the database is away results wait; a lease that ends meanwhile has its request made again. */
  async #settle(results: RequestResult[]): Promise<void> {
    for (;;) {
      try {
        return await settleRequests(this.#services.database.durable, results);
      } catch (error) {
        this.#services.log.warn({ err: error }, 'results of requests could not be written; trying again');
        await delay(retryMs);
      }
    }
  }

  /** Claims nothing more, and waits a few seconds for running requests. Other processes make what is left when its lease ends. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#pause.wake();
    await this.#loop;
    const ends = performance.now() + stopMs;
    while (this.#lanes.running > 0 && performance.now() < ends) await delay(shortestMs);
  }
}
