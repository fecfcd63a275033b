import type { DnsRecord } from '../../base/providers/index.ts';
import { checkMailHost, checkRecords, recordKey } from '../../people/domains/index.ts';
import { recordsOf } from '../../people/domains/records.rules.ts';
import { readVerifiedDomains } from './domains.store.ts';
import type { Examined } from './examined.ts';
import { checksOf, failure, type Outcome, ok, unknown, warning } from './finding.ts';
import { listed } from './quantities.ts';

/** Domains whose records are looked up at once. */
const atOnce = 10;

const noAnswer = {
  cause: 'No DNS server answered in time.',
  action:
    'Run it again in some minutes. If it stays so, correct DNS_SERVERS, or the DNS servers of this machine.',
};

async function mailHost({ dns, config, env }: Examined): Promise<Outcome[]> {
  const host = config.MAIL_HOST;
  const isPublic = env['NODE_ENV'] === 'production';
  const check = await checkMailHost({ dns, config });
  if (check === null) return [ok(host, `email leaves from addresses of ${config.mailProvider.title}`)];
  const found = check.found.join(', ') || 'no address';
  switch (check.status) {
    case 'ok':
      return [ok(host, found)];
    case 'warn':
      return [
        warning({
          subject: host,
          found,
          cause:
            'The addresses have another name than MAIL_HOST, which some receivers take as a sign of spam.',
          action: check.advice,
        }),
      ];
    case 'fail':
      return [
        failure({
          subject: host,
          found,
          cause:
            'SPF and MX records of all sender domains name MAIL_HOST. Receivers look for its address and the name of that address, and refuse email without.',
          action: check.advice,
        }),
      ];
    default:
      if (check.advice.includes('MAIL_HOST') && !isPublic)
        return [ok(host, 'not a public name; NODE_ENV is not production')];
      if (check.advice.includes('MAIL_HOST'))
        return [
          warning({
            subject: host,
            found: `MAIL_HOST is ${host}, which has no public address`,
            cause: 'Sender domains are told to publish records that name it, and receivers cannot find it.',
            action: 'Set MAIL_HOST to the public name of the server that email leaves from.',
          }),
        ];
      return [unknown({ subject: host, found: 'not looked up', ...noAnswer })];
  }
}

async function domains({ dns, config, database, limits }: Examined): Promise<Outcome[]> {
  const verified = await readVerifiedDomains(await database.ofThisVersion(), limits.domains);
  const outcomes: Outcome[] = [];
  for (let at = 0; at < verified.length; at += atOnce) {
    const looked = verified.slice(at, at + atOnce).map(async (identity) => {
      const records = recordsOf(identity, config).filter(({ purpose }) => purpose !== 'DMARC');
      return judge(identity.domain, records, await checkRecords(dns, records));
    });
    outcomes.push(...(await Promise.all(looked)).flat());
  }
  return outcomes.length > 0
    ? outcomes
    : [ok('sender domains', `the records of ${verified.length} are there`)];
}

function judge(
  domain: string,
  records: readonly DnsRecord[],
  found: ReadonlyMap<string, boolean | null>,
): Outcome[] {
  const missing = records.filter((record) => found.get(recordKey(record)) === false);
  const required = missing.filter((record) => record.required);
  const recommended = missing.filter((record) => !record.required);
  const shown = (those: readonly DnsRecord[]): string =>
    listed(those.map(({ purpose, type, name }) => `${purpose} (${type} ${name})`));
  const create = 'Its owner has to create them as the page of the domain shows them.';
  if (required.length > 0)
    return [
      failure({
        subject: domain,
        found: `missing or different: ${shown(missing)}`,
        cause:
          'Without its key, signatures fail, and receivers refuse the email or take it for spam. The domain loses its verification after some checks.',
        action: create,
      }),
    ];
  if (recommended.length > 0)
    return [
      warning({
        subject: domain,
        found: `missing or different: ${shown(recommended)}`,
        cause: 'Without SPF large providers refuse bulk email; without MX no bounce of it is received.',
        action: create,
      }),
    ];
  const unanswered = records.filter((record) => found.get(recordKey(record)) === null);
  return unanswered.length === 0
    ? []
    : [unknown({ subject: domain, found: `not looked up: ${shown(unanswered)}`, ...noAnswer })];
}

export const dnsChecks = checksOf<Examined>('dns', ['DNS_SERVERS', 'MAIL_HOST', 'MAIL_TRANSPORT'])({
  'mail-host': { reference: 'DNS: MAIL_HOST', run: mailHost, needs: ['API_URL'] },
  domains: { reference: 'DNS: sender domains', run: domains, needs: ['DATABASE_URL', 'AWS_REGION'] },
});
