import { setTimeout as delay } from 'node:timers/promises';
import { type Services, systemContext } from '../../../base/kernel/index.ts';
import { disableEndpoint } from '../disable-endpoint.ts';
import type { EndpointDisabledReason } from '../disabled-mail.ts';
import { type Settled, settleDeliveries } from './settle.store.ts';

const resultsAtOnce = 200;
/** Results of this time are written by one statement. */
const gatherMs = 15;
const retryMs = 500;

interface Waiting {
  result: Settled;
  resolve(): void;
}

/** Writes the results of attempts in groups. While the database is away they wait; a claim that ends meanwhile is attempted again. */
export class Settler {
  readonly #services: Services;
  #waiting: Waiting[] = [];
  #running: Promise<void> | null = null;

  constructor(services: Services) {
    this.#services = services;
  }

  /** Resolves when the result is stored. */
  add(result: Settled): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push({ result, resolve });
      this.#running ??= this.#run();
    });
  }

  async #run(): Promise<void> {
    await delay(gatherMs);
    while (this.#waiting.length > 0) {
      const group = this.#waiting.splice(0, resultsAtOnce);
      await this.#write(group.map(({ result }) => result));
      for (const { resolve } of group) resolve();
      if (this.#waiting.length < resultsAtOnce) await delay(gatherMs);
    }
    this.#running = null;
  }

  async #write(results: Settled[]): Promise<void> {
    for (;;) {
      try {
        const failing = await settleDeliveries(this.#services.database.durable, results);
        const gone = new Set(results.flatMap((result) => (result.gone ? result.endpointId : [])));
        for (const id of gone) await this.#disable(id, 'GONE');
        for (const id of failing) await this.#disable(id, 'FAILING');
        return;
      } catch (error) {
        this.#services.log.warn({ err: error }, 'results of webhooks could not be written; trying again');
        await delay(retryMs);
      }
    }
  }

  /** A failure must not keep the results of other endpoints waiting; the next failed attempt disables the endpoint. */
  async #disable(id: string, reason: EndpointDisabledReason): Promise<void> {
    try {
      await disableEndpoint.run(systemContext(this.#services), { id, reason });
    } catch (error) {
      this.#services.log.error({ err: error, endpointId: id }, 'a webhook endpoint could not be disabled');
    }
  }
}
