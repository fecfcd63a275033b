import { loadSigningKeys } from '../../domains/index.ts';
import type { Services } from '../../kernel/services.ts';

export type SigningKey =
  Awaited<ReturnType<typeof loadSigningKeys>> extends Map<string, infer Key> ? Key : never;

/** How long a key is cached; a rotated key keeps its DNS record for much longer. */
const keyLifeMs = 60_000;

/** The signing keys of domains. */
export class SigningKeys {
  readonly #services: Services;
  readonly #keys = new Map<string, { at: number; key: Promise<SigningKey | null> }>();

  constructor(services: Services) {
    this.#services = services;
  }

  /** @returns null for email that is not signed */
  get(domainId: string | null): Promise<SigningKey | null> {
    if (domainId === null || this.#services.config.MAIL_TRANSPORT !== 'smtp') return Promise.resolve(null);
    const known = this.#keys.get(domainId);
    if (known && performance.now() - known.at < keyLifeMs) return known.key;
    const key = loadSigningKeys(this.#services, [domainId]).then((keys) => keys.get(domainId) ?? null);
    this.#keys.set(domainId, { at: performance.now(), key });
    key.catch(() => this.#keys.delete(domainId));
    return key;
  }
}
