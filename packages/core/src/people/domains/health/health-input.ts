import type { DnsResolver } from '../../../base/kernel/index.ts';
import type { DnsRecord, ProviderConfig } from '../../../base/providers/index.ts';

/** What the checks of one domain read. */
export interface HealthInput {
  dns: DnsResolver;
  domain: string;
  /** the records that the owner is asked to create */
  records: readonly DnsRecord[];
  /** addresses that send the email; null when unknown, as with a mail server on this machine */
  sender: MailSender | null;
  config: ProviderConfig;
}

/** The public mail server, by `MAIL_HOST`. */
export interface MailSender {
  host: string;
  /** null: no DNS server answered */
  addresses: readonly string[] | null;
}

const mostFound = 10;
const longestFound = 1_000;

/** Values from foreign DNS servers, bounded. */
export const shown = (values: readonly string[]): string[] =>
  values.slice(0, mostFound).map((value) => value.slice(0, longestFound));

export const noAnswer = 'No DNS server answered; try again in a few minutes.';
