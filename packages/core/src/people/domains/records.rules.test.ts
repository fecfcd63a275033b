import fc from '@postrider/vitest/fast-check.ts';
import { describe, expect, it } from 'vitest';
import type { DnsRecord } from '../../base/providers/index.ts';
import { providerConfig } from '../../base/providers/provider-config.fixture.ts';
import { hostMatches, recordsOf, textMatches } from './records.rules.ts';

const identity = {
  domain: 'example.com',
  selector: 'postrider',
  publicKey: 'MIIB+/=',
  sesTokens: ['t1', 't2', 't3'],
};
const smtp = providerConfig('smtp');
const record = (records: DnsRecord[], purpose: DnsRecord['purpose']): DnsRecord => {
  const found = records.find((each) => each.purpose === purpose);
  if (!found) throw new Error(`no ${purpose} record`);
  return found;
};

describe('the records under smtp', () => {
  it('are DKIM, required, and SPF, MX and DMARC, recommended', () => {
    expect(recordsOf(identity, smtp)).toEqual([
      {
        type: 'TXT',
        name: 'postrider._domainkey.example.com',
        value: 'v=DKIM1; k=rsa; p=MIIB+/=',
        purpose: 'DKIM',
        required: true,
      },
      {
        type: 'TXT',
        name: 'bounces.example.com',
        value: 'v=spf1 a:mail.sender.net ~all',
        purpose: 'SPF',
        required: false,
      },
      {
        type: 'MX',
        name: 'bounces.example.com',
        value: 'mail.sender.net',
        priority: 10,
        purpose: 'MX',
        required: false,
      },
      {
        type: 'TXT',
        name: '_dmarc.example.com',
        value: 'v=DMARC1; p=none',
        purpose: 'DMARC',
        required: false,
      },
    ]);
  });

  it.each(['localhost', '192.0.2.1', '[2001:db8::1]', '2001:db8::1'])(
    'leave SPF and MX out for MAIL_HOST=%s',
    (host) => {
      const records = recordsOf(identity, { ...smtp, MAIL_HOST: host });
      expect(records.map(({ purpose }) => purpose)).toEqual(['DKIM', 'DMARC']);
    },
  );
});

it('the records under ses are three required aliases and recommended MX, SPF and DMARC', () => {
  const records = recordsOf(identity, providerConfig('ses', { AWS_REGION: 'eu-west-1' }));
  expect(records.filter(({ required }) => required)).toEqual(
    ['t1', 't2', 't3'].map((token) => ({
      type: 'CNAME',
      name: `${token}._domainkey.example.com`,
      value: `${token}.dkim.amazonses.com`,
      purpose: 'DKIM',
      required: true,
    })),
  );
  expect(record(records, 'MX')).toMatchObject({
    name: 'bounces.example.com',
    value: 'feedback-smtp.eu-west-1.amazonses.com',
    priority: 10,
    required: false,
  });
  expect(record(records, 'SPF')).toMatchObject({
    value: 'v=spf1 include:amazonses.com ~all',
    required: false,
  });
  expect(record(records, 'DMARC')).toMatchObject({ required: false });
});

describe('a DKIM record', () => {
  const key = 'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A/+==';
  const dkim = record(recordsOf({ ...identity, publicKey: key }, smtp), 'DKIM');
  const space = fc.constantFrom('', ' ', '\t', '  ', ' \r\n ');

  it('matches whatever the order of the tags and the white space', () => {
    const tags = fc.shuffledSubarray(['v=DKIM1', 'k=rsa', 't=s', 'n=note', `p=${key}`], { minLength: 5 });
    fc.assert(
      fc.property(
        tags,
        fc.array(space, { minLength: 40, maxLength: 40 }),
        fc.nat(key.length),
        (list, spaces, cut) => {
          const [one = '', two = ''] = spaces;
          const text = list
            .map((tag, index) => {
              const [name, value = ''] = [tag.slice(0, 1), tag.slice(2)];
              const broken = name === 'p' ? value.slice(0, cut) + one + value.slice(cut) : value;
              return `${spaces[index + 2]}${name}${spaces[index + 8]}=${two}${broken}${spaces[index + 14]}`;
            })
            .join(';');
          expect(textMatches(dkim, text)).toBe(true);
        },
      ),
    );
  });

  it.each([
    ['another key', 'v=DKIM1; k=rsa; p=MIIBother'],
    ['a revoked key', 'v=DKIM1; k=rsa; p='],
    ['no key', 'v=DKIM1; k=rsa'],
    ['the beginning of the key', `v=DKIM1; p=${key.slice(0, 10)}`],
    ['another case', `v=DKIM1; p=${key.toLowerCase()}`],
    ['the key under another tag', `v=DKIM1; n=${key}`],
    ['nothing', ''],
  ])('does not match with %s', (_what, text) => {
    expect(textMatches(dkim, text)).toBe(false);
  });
});

describe('recommended records', () => {
  const records = recordsOf(identity, smtp);

  it.each([
    ['v=spf1 a:mail.sender.net ~all', true],
    ['v=spf1 include:other.net +a:MAIL.sender.net -all', true],
    ['v=spf1 include:other.net -all', false],
    ['v=spf1 -a:mail.sender.net ~all', false],
    ['a:mail.sender.net', false],
  ])('SPF %j counts: %j', (text, counts) => {
    expect(textMatches(record(records, 'SPF'), text)).toBe(counts);
  });

  it.each([
    ['v=DMARC1; p=none', true],
    ['v=DMARC1;p=reject; rua=mailto:dmarc@example.com', true],
    ['v=DMARC10; p=none', false],
    ['v=spf1 -all', false],
  ])('DMARC %j counts: %j', (text, counts) => {
    expect(textMatches(record(records, 'DMARC'), text)).toBe(counts);
  });

  it('hosts are compared without case and final dot', () => {
    expect(hostMatches('mail.sender.net', 'MAIL.sender.net.')).toBe(true);
    expect(hostMatches('mail.sender.net', 'mail.sender.net.evil.net')).toBe(false);
  });
});
