import type { CoreConfig } from '../base/kernel/config.ts';
import type { MailTransport } from '../base/kernel/ports/mail-transport.ts';
import type { SenderIdentities } from '../base/kernel/ports/sender-identities.ts';
import { createSmtpTransport } from './smtp/index.ts';

export interface MailTransportOptions {
  /** the most messages that are transferred at once */
  connections: number;
  /** processes that share the rate of the provider's account */
  processes: number;
}

// The AWS SDK is loaded only by installations that use it.
const loadSes = () => import('./ses/index.ts');
const defaultRegion = 'us-east-1';

/** The transport that `MAIL_TRANSPORT` names. */
export async function createMailTransport(
  config: CoreConfig,
  { connections, processes }: MailTransportOptions,
): Promise<MailTransport> {
  if (config.MAIL_TRANSPORT === 'ses') {
    const { createSesTransport } = await loadSes();
    return createSesTransport({
      region: config.AWS_REGION ?? defaultRegion,
      connections,
      answerTimeoutMs: 60_000,
      configurationSet: config.SES_CONFIGURATION_SET,
      rateShare: 1 / processes,
    });
  }
  return createSmtpTransport({
    url: config.SMTP_URL,
    connections,
    socketTimeoutMs: 60_000,
    greetingTimeoutMs: 10_000,
    idleTimeoutMs: 15_000,
  });
}

/** @throws ConfigError when the transport lacks what the environment does not contain itself, such as credentials of a profile */
export async function assertMailTransport(config: CoreConfig): Promise<void> {
  if (config.MAIL_TRANSPORT !== 'ses') return;
  const { assertSesCredentials } = await loadSes();
  await assertSesCredentials(config.AWS_REGION ?? defaultRegion);
}

/** The sender domains at the provider; null with a transport whose messages are signed here. */
export function createSenderIdentities(config: CoreConfig): SenderIdentities | null {
  if (config.MAIL_TRANSPORT !== 'ses') return null;
  let loaded: Promise<SenderIdentities> | null = null;
  const load = () => {
    loaded ??= loadSes().then(({ createSesIdentities }) =>
      createSesIdentities({ region: config.AWS_REGION ?? defaultRegion }),
    );
    return loaded;
  };
  return {
    register: async (domain, mailFrom) => (await load()).register(domain, mailFrom),
    isReady: async (domain) => (await load()).isReady(domain),
  };
}
