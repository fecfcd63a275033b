import { isIP } from 'node:net';
import type { DomainCheck } from '../health.schema.ts';
import { textMatches } from '../records.rules.ts';
import { evaluateSpf, type SpfResult, spfRecords } from './evaluate-spf.ts';
import { type HealthInput, type MailSender, noAnswer, shown } from './health-input.ts';

type Judgement = Pick<DomainCheck, 'status' | 'advice'>;

/** An address for documentation (RFC 5737) that sends no email: a record that it passes allows everyone. */
const anyAddress = '192.0.2.200';

/**
 * The host of the return-path allows the mail server to send (RFC 7208). `bounces.<domain>` is aligned with the From domain unless its
 * DMARC record asks for strict alignment.
 */
export async function checkSpf(input: HealthInput): Promise<DomainCheck> {
  const { dns, domain, records, sender } = input;
  const record = records.find(({ purpose }) => purpose === 'SPF');
  const host = record?.name ?? domain;
  const answer = await dns.txt(host);
  const published = answer.kind === 'found' ? spfRecords(answer.records) : [];
  const check = {
    name: 'SPF' as const,
    host,
    found: shown(published),
    wanted: record?.value ?? wantedFor(sender),
  };
  if (answer.kind === 'unanswered') return { ...check, status: 'unknown', advice: noAnswer };
  if (published.length > 1)
    return { ...check, status: 'fail', advice: 'Merge the SPF records into one: with several, SPF fails.' };
  const [text] = published;
  if (input.config.mailProvider.hasOwnAddresses) {
    const included = record !== undefined && text !== undefined && textMatches(record, text);
    return { ...check, ...(included ? passed : missing(text)) };
  }
  if (!sender)
    return {
      ...check,
      status: 'unknown',
      advice:
        'The servers to allow are known once the operator of this installation sets the public name of its mail server (MAIL_HOST).',
    };
  return { ...check, ...(text === undefined ? missing(text) : await judge(input, sender, host)) };
}

const passed: Judgement = { status: 'ok', advice: 'The record allows your mail server to send.' };

const missing = (text: string | undefined): Judgement => ({
  status: 'fail',
  advice:
    text === undefined
      ? 'Create this TXT record; large providers reject bulk email without SPF.'
      : 'Add the mechanism for your mail server to the record, before its all mechanism.',
});

async function judge({ dns }: HealthInput, { addresses, host: mailHost }: MailSender, host: string) {
  if (addresses === null) return { status: 'unknown' as const, advice: noAnswer };
  if (addresses.length === 0)
    return {
      status: 'fail' as const,
      advice: `Give ${mailHost} an address (A or AAAA); until then the record allows nothing.`,
    };
  const results = await Promise.all(addresses.map((address) => evaluateSpf(dns, host, address)));
  const worst = order.find((result) => results.includes(result)) ?? 'pass';
  if (worst !== 'pass') return meanings[worst];
  const everyone = (await evaluateSpf(dns, host, anyAddress)) === 'pass' && !addresses.includes(anyAddress);
  return everyone ? open : passed;
}

const open: Judgement = {
  status: 'warn',
  advice: 'Narrow the record: it allows every address to send in your name.',
};

const order = ['temperror', 'permerror', 'fail', 'softfail', 'neutral', 'none', 'pass'] as const;
const notAllowed = missing('');
const meanings: Record<Exclude<SpfResult, 'pass'>, Judgement> = {
  temperror: { status: 'unknown', advice: noAnswer },
  permerror: {
    status: 'fail',
    advice: 'Correct the record: it has an error, or needs more than 10 lookups, and then counts as failed.',
  },
  fail: notAllowed,
  softfail: notAllowed,
  neutral: notAllowed,
  none: notAllowed,
};

/** Where no record is prescribed, because `MAIL_HOST` is an address. */
const wantedFor = (sender: MailSender | null): string | null =>
  sender && isIP(sender.host) !== 0 ? `v=spf1 ip${isIP(sender.host)}:${sender.host} ~all` : null;
