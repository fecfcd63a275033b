import { lookup } from 'node:dns/promises';
import ipaddr from 'ipaddr.js';
import type { CoreConfig, Services } from '../../base/kernel/index.ts';
import type { ProviderConfig } from '../../base/providers/index.ts';

type Address = ReturnType<typeof ipaddr.parse>;
type Range = ReturnType<typeof ipaddr.parseCIDR>;

/** How long the addresses of the mail server are used before its name is looked up again. */
const keptMs = 60_000;

/**
 * The addresses of servers whose own reports are believed: those of the host of `SMTP_URL`, to which all email is handed over, and
 * `REPORT_SOURCES` (behaviour B11.7).
 */
export class ReportSources {
  readonly #log: Services['log'];
  readonly #ranges: readonly Range[];
  readonly #host: string | null;
  #resolved: { until: number; addresses: Promise<ReadonlySet<string>> } | null = null;

  constructor(config: ProviderConfig & Pick<CoreConfig, 'reportSources'>, log: Services['log']) {
    this.#log = log;
    this.#ranges = config.reportSources.map(rangeOf);
    this.#host = config.mailProvider.server(config)?.hostname.replace(/^\[|\]$/g, '') ?? null;
  }

  /** @param ip of a client, or as a message names one */
  async has(ip: string): Promise<boolean> {
    const address = addressOf(ip);
    if (!address) return false;
    if (this.#ranges.some(([first, bits]) => first.kind() === address.kind() && address.match(first, bits)))
      return true;
    return (await this.#ofMailServer()).has(address.toString());
  }

  #ofMailServer(): Promise<ReadonlySet<string>> {
    const now = Date.now();
    if (this.#resolved && this.#resolved.until > now) return this.#resolved.addresses;
    const before = this.#resolved?.addresses ?? Promise.resolve(new Set<string>());
    const addresses = this.#lookUp().catch((error: unknown) => {
      this.#log.warn(
        { err: error },
        'the host of SMTP_URL cannot be looked up; its addresses stay as they were',
      );
      return before;
    });
    this.#resolved = { until: now + keptMs, addresses };
    return addresses;
  }

  /** As for delivery: by the hosts file and the name servers of the system. */
  async #lookUp(): Promise<ReadonlySet<string>> {
    if (this.#host === null) return new Set();
    const found = await lookup(this.#host, { all: true });
    return new Set(found.map(({ address }) => addressOf(address)?.toString() ?? address));
  }
}

/** IPv4 also where it is written as IPv6. */
function addressOf(ip: string): Address | null {
  const [address = ip] = ip.split('%');
  return ipaddr.isValid(address) ? ipaddr.process(address) : null;
}

function rangeOf(entry: string): Range {
  if (entry.includes('/')) return ipaddr.parseCIDR(entry);
  const address = ipaddr.process(entry);
  return [address, address.kind() === 'ipv4' ? 32 : 128] as Range;
}
