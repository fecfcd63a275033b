import type { Services } from '../../base/kernel/services.ts';
import type { MailProvider } from '../../base/providers/index.ts';
import { loadSigningKeys } from '../../people/domains/index.ts';

export type SigningKey =
  Awaited<ReturnType<typeof loadSigningKeys>> extends Map<string, infer Key> ? Key : never;

/** How long a key is cached; a rotated key keeps its DNS record for much longer. */
const keyLifeMs = 60_000;
/** While the MX record of a domain is missing: once it is found, the next email has a return path. */
const unreceivedLifeMs = 100;

/** The signing keys of domains, for the messages of one route. */
export class SigningKeys {
  readonly #services: Services;
  readonly #isSignedHere: boolean;
  readonly #keys = new Map<string, { until: number; key: Promise<SigningKey | null> }>();

  constructor(services: Services, { signs }: Pick<MailProvider, 'signs'>) {
    this.#services = services;
    this.#isSignedHere = !signs;
  }

  /** @returns null for email that is not signed */
  get(domainId: string | null): Promise<SigningKey | null> {
    if (domainId === null || !this.#isSignedHere) return Promise.resolve(null);
    const known = this.#keys.get(domainId);
    if (known && performance.now() < known.until) return known.key;
    const key = loadSigningKeys(this.#services, [domainId]).then((keys) => keys.get(domainId) ?? null);
    const kept = { until: performance.now() + keyLifeMs, key };
    this.#keys.set(domainId, kept);
    key.then(
      (loaded) => {
        if (loaded && !loaded.receivesBounces) kept.until = performance.now() + unreceivedLifeMs;
      },
      () => this.#keys.delete(domainId),
    );
    return key;
  }
}
