import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Services } from '../../../base/kernel/index.ts';
import type { DomainRow } from '../domains.store.ts';
import type { DomainCheck, DomainCheckStatus } from '../health.schema.ts';
import { recordsOfRow } from '../present-domain.ts';
import { checkDkim } from './check-dkim.ts';
import { checkDmarc } from './check-dmarc.ts';
import { checkMx } from './check-mx.ts';
import { checkReverseDns } from './check-reverse-dns.ts';
import { checkSpf } from './check-spf.ts';
import { checkTls } from './check-tls.ts';
import { type HealthInput, type MailSender, noAnswer } from './health-input.ts';

/** The time limit of each check, whatever the number of its lookups. */
const checkTimeoutMs = 10_000;

/** Runs all checks of a domain concurrently; a check that takes too long is unknown. */
export async function checkHealth(
  { dns, config }: Pick<Services, 'dns' | 'config'>,
  row: DomainRow,
): Promise<DomainCheck[]> {
  const records = recordsOfRow(row, config);
  const input: HealthInput = {
    dns,
    config,
    domain: row.domain,
    records,
    sender: await findSender({ dns, config }),
  };
  const answers = await Promise.all([
    ...checkDkim(input).map((check, index) => inTime(check, 'DKIM', records[index]?.name)),
    inTime(checkSpf(input), 'SPF', row.domain),
    inTime(checkDmarc(input), 'DMARC', `_dmarc.${row.domain}`),
    inTime(checkMx(input), 'MX', row.domain),
    inTime(checkReverseDns(input), 'REVERSE_DNS', config.MAIL_HOST),
  ]);
  return [...answers.filter((check) => check !== null), checkTls(input)];
}

/** Address and reverse DNS of `MAIL_HOST`, which all sender domains share. @returns null with a provider whose own addresses send */
export const checkMailHost = async ({
  dns,
  config,
}: Pick<Services, 'dns' | 'config'>): Promise<DomainCheck | null> =>
  checkReverseDns({ dns, config, domain: '', records: [], sender: await findSender({ dns, config }) });

const bySeverity = ['fail', 'warn', 'unknown', 'ok'] as const;

export const worstOf = (checks: readonly DomainCheck[]): DomainCheckStatus =>
  bySeverity.find((status) => checks.some((check) => check.status === status)) ?? 'ok';

async function findSender({ dns, config }: Pick<HealthInput, 'dns' | 'config'>): Promise<MailSender | null> {
  const host = config.MAIL_HOST.replace(/^\[|\]$/g, '');
  if (config.mailProvider.hasOwnAddresses || host === 'localhost') return null;
  if (isIP(host) !== 0) return isPublic(host) ? { host, addresses: [host] } : null;
  const answer = await dns.addresses(host);
  if (answer.kind === 'unanswered') return { host, addresses: null };
  const addresses = answer.kind === 'found' ? answer.records : [];
  return addresses.length > 0 && !addresses.some(isPublic)
    ? null
    : { host, addresses: addresses.filter(isPublic) };
}

const notPublic = new Set([
  'unspecified',
  'private',
  'loopback',
  'linkLocal',
  'uniqueLocal',
  'carrierGradeNat',
]);
const isPublic = (address: string): boolean => !notPublic.has(ipaddr.process(address).range());

async function inTime<Check extends DomainCheck | null>(
  check: Promise<Check>,
  name: DomainCheck['name'],
  host: string | null = null,
): Promise<Check | DomainCheck> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<DomainCheck>((resolve) => {
    const unknown: DomainCheck = { name, host, found: [], wanted: null, status: 'unknown', advice: noAnswer };
    timer = setTimeout(() => resolve(unknown), checkTimeoutMs);
  });
  try {
    return await Promise.race([check, tooLong]);
  } finally {
    clearTimeout(timer);
  }
}
