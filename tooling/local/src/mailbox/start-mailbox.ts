import { startMailboxSmtp } from './mailbox-smtp.ts';
import { openMailboxStore } from './mailbox-store.ts';
import { startMailboxWeb } from './mailbox-web.ts';

export interface MailboxOptions {
  /** Holds `mailbox.db`; created if it does not exist. */
  dataDir: string;
  /** Default: free ports. */
  smtpPort?: number;
  webPort?: number;
  /** Interface to listen on; loopback by default. */
  host?: string;
  /** Linked on the page. */
  dashboardUrl?: string;
}

export interface Mailbox {
  smtpPort: number;
  webPort: number;
  /** Address of the web page. */
  url: string;
  smtpUrl: string;
  stop(): Promise<void>;
}

/** Starts the local mailbox: an SMTP server that accepts every email, and a web page that shows them. */
export async function startMailbox(options: MailboxOptions): Promise<Mailbox> {
  const host = options.host ?? '127.0.0.1';
  const store = openMailboxStore(options.dataDir);
  const smtp = await startMailboxSmtp(store, host, options.smtpPort ?? 0);
  const web = await startMailboxWeb(store, host, options.webPort ?? 0, options.dashboardUrl ?? null);
  return {
    smtpPort: smtp.port,
    webPort: web.port,
    url: `http://127.0.0.1:${web.port}`,
    smtpUrl: `smtp://127.0.0.1:${smtp.port}`,
    async stop() {
      await smtp.stop();
      await web.stop();
      store.close();
    },
  };
}
