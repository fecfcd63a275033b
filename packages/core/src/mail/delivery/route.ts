import type { MailTransport } from '../../base/kernel/ports/mail-transport.ts';
import { type MailProvider, type ProviderConfig, routeId } from '../../base/providers/index.ts';

/** A way to a mail server or service: who it is, what it can do, and what carries messages there. */
export interface Route {
  id: string;
  provider: Pick<MailProvider, 'signs'> & Partial<Pick<MailProvider, 'name'>>;
  transport: MailTransport;
}

/** The route that the configuration names. */
export const configuredRoute = (config: ProviderConfig, transport: MailTransport): Route => ({
  id: routeId(config),
  provider: config.mailProvider,
  transport,
});
