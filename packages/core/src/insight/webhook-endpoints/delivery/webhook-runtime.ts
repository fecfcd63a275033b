import { setTimeout as delay } from 'node:timers/promises';
import type { Services } from '../../../base/kernel/index.ts';
import { Lanes, newId, Pause, whole } from '../../../base/lib/index.ts';
import { attemptDelivery } from './attempt.ts';
import { type ClaimedDelivery, claimDeliveries } from './claim.store.ts';
import { runReplayStep } from './replay-step.ts';
import { leaseMs } from './retry.rules.ts';
import { Settler } from './settler.ts';

/** Requests of one process at the same time: sockets, and payloads in memory. */
const requestsAtOnce = 512;
/** How often due deliveries are looked for: at most, and while nothing happens. */
const shortestMs = 20;
const pollMs = 1_000;
const replayMs = 1_000;
/** For how long a process that stops waits for its requests. */
const stopMs = 5_000;

/**
 * Delivers webhooks: claims due deliveries of all endpoints, sends their requests and records the answers. Any number of processes may run
 * one; a delivery is claimed by one of them at a time.
 */
export class WebhookRuntime {
  readonly #services: Services;
  readonly #lanes: Lanes;
  readonly #settler: Settler;
  readonly #pause = new Pause();
  readonly #loops: Promise<unknown>;
  readonly #stopping = new AbortController();

  /** @param share the part of what one host may have at the same time that this process has */
  constructor(services: Services, share = whole) {
    this.#services = services;
    this.#lanes = new Lanes(requestsAtOnce, undefined, share);
    this.#settler = new Settler(services);
    this.#loops = Promise.all([this.#deliver(), this.#replay()]);
  }

  async #deliver(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const claimed = await this.#claim();
      for (const delivery of claimed) void this.#attempt(delivery);
      await delay(shortestMs);
      // A lane that becomes free ends the pause: more may wait for it.
      await this.#pause.wait(claimed.length > 0 ? 0 : pollMs);
    }
  }

  async #claim(): Promise<ClaimedDelivery[]> {
    if (this.#lanes.free === 0) return [];
    try {
      return await claimDeliveries(this.#services.database.durable, {
        token: newId(),
        free: JSON.stringify(this.#lanes.freeByEndpoint()),
        perEndpoint: this.#lanes.perEndpoint,
        fullTurns: this.#lanes.fullTurns,
        // Half of what is free: the next claim, some milliseconds later, sees whose requests these are.
        total: Math.ceil(this.#lanes.free / 2),
        leaseMs,
      });
    } catch (error) {
      this.#services.log.warn({ err: error }, 'could not look for due webhooks; trying again');
      return [];
    }
  }

  async #attempt(delivery: ClaimedDelivery): Promise<void> {
    const { endpointId, turn, id } = delivery;
    this.#lanes.begin(endpointId, turn);
    try {
      const result = await attemptDelivery(this.#services, delivery);
      await this.#settler.add(result);
      this.#lanes.end(endpointId, turn, result.attempt);
    } catch (error) {
      // For instance, the secret cannot be decrypted. The delivery stays claimed, and is attempted again when its lease ends.
      this.#services.log.error(
        { err: error, deliveryId: id, endpointId },
        'a webhook could not be attempted',
      );
      this.#lanes.end(endpointId, turn, null);
    }
    this.#pause.wake();
  }

  async #replay(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      let more = false;
      try {
        more = await runReplayStep(this.#services);
      } catch (error) {
        this.#services.log.warn({ err: error }, 'a replay of webhooks could not continue; trying again');
      }
      if (!more) await delay(replayMs, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Claims nothing more, and waits a few seconds for running requests. Other processes attempt what is left when its lease ends. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#pause.wake();
    await this.#loops;
    const ends = performance.now() + stopMs;
    while (this.#lanes.running > 0 && performance.now() < ends) await delay(shortestMs);
  }
}
