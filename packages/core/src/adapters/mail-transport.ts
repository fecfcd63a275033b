import type { CoreConfig } from '../base/kernel/config.ts';
import type { MailTransport } from '../base/kernel/ports/mail-transport.ts';
import type { SenderIdentities } from '../base/kernel/ports/sender-identities.ts';
import { type ProviderName, type providers, sesRegionOf } from '../base/providers/index.ts';
import { createSmtpTransport } from './smtp/index.ts';

export interface MailTransportOptions {
  /** the most messages that are transferred at once */
  connections: number;
  /** processes that share the rate of the provider's account */
  processes: number;
}

type Identities = (config: CoreConfig) => Promise<SenderIdentities>;

/** How a provider is spoken to. */
interface ProviderAdapter<Signs extends boolean> {
  createTransport(config: CoreConfig, options: MailTransportOptions): Promise<MailTransport>;
  /** The sender domains at a provider that signs messages. */
  createIdentities: Signs extends true ? Identities : null;
  /** @throws ConfigError when it lacks what the environment does not contain itself, such as credentials of a profile */
  assertUsable(config: CoreConfig): Promise<void>;
}

// The AWS SDK is loaded only by installations that use it.
const loadSes = () => import('./ses/index.ts');

const adapters: { readonly [Name in ProviderName]: ProviderAdapter<(typeof providers)[Name]['signs']> } = {
  smtp: {
    createTransport: async ({ SMTP_URL }, { connections }) =>
      createSmtpTransport({
        url: SMTP_URL,
        connections,
        socketTimeoutMs: 60_000,
        greetingTimeoutMs: 10_000,
        idleTimeoutMs: 15_000,
      }),
    createIdentities: null,
    assertUsable: async () => undefined,
  },
  ses: {
    async createTransport(config, { connections, processes }) {
      const { createSesTransport } = await loadSes();
      return createSesTransport({
        region: sesRegionOf(config),
        connections,
        answerTimeoutMs: 60_000,
        configurationSet: config.SES_CONFIGURATION_SET,
        rateShare: 1 / processes,
      });
    },
    async createIdentities(config) {
      const { createSesIdentities } = await loadSes();
      return createSesIdentities({ region: sesRegionOf(config) });
    },
    async assertUsable(config) {
      const { assertSesCredentials } = await loadSes();
      await assertSesCredentials(sesRegionOf(config));
    },
  },
};

/** The transport of the configured provider. */
export const createMailTransport = (
  config: CoreConfig,
  options: MailTransportOptions,
): Promise<MailTransport> => adapters[config.mailProvider.name].createTransport(config, options);

/** @throws ConfigError when the configured provider cannot be used */
export const assertMailTransport = (config: CoreConfig): Promise<void> =>
  adapters[config.mailProvider.name].assertUsable(config);

/** The sender domains at the provider; null with one whose messages are signed here. */
export function createSenderIdentities(config: CoreConfig): SenderIdentities | null {
  const create: Identities | null = adapters[config.mailProvider.name].createIdentities;
  if (create === null) return null;
  let created: Promise<SenderIdentities> | null = null;
  const load = () => {
    created ??= create(config);
    return created;
  };
  return {
    register: async (domain, mailFrom) => (await load()).register(domain, mailFrom),
    isReady: async (domain) => (await load()).isReady(domain),
  };
}
