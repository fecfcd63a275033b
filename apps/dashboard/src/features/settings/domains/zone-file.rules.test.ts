import { expect, it } from 'vitest';
import { type DnsRecord, recordsAsText, relativeName, zoneFile } from './zone-file.rules.ts';

const key = `v=DKIM1; k=rsa; p=${'A'.repeat(392)}`;
const common = { required: false, found: null };
const records: DnsRecord[] = [
  { ...common, type: 'TXT', name: 'pr1._domainkey.news.example.com', value: key, purpose: 'DKIM' },
  {
    ...common,
    type: 'MX',
    name: 'bounces.news.example.com',
    value: 'mail.sender.net',
    priority: 10,
    purpose: 'MX',
  },
  { ...common, type: 'TXT', name: 'example.com', value: 'v=spf1 "x\\', purpose: 'SPF' },
];

it('names are relative to the zone', () => {
  expect(relativeName('bounces.news.example.com', 'example.com')).toBe('bounces.news');
  expect(relativeName('example.com', 'example.com')).toBe('@');
  expect(relativeName('example.com', 'other.com')).toBe('example.com');
});

it('a zone file has strings of at most 255 characters, quoted, and absolute targets', () => {
  expect(zoneFile(records, 'example.com')).toBe(
    [
      '; Records for sending email with Postrider',
      '$ORIGIN example.com.',
      `pr1._domainkey.news\t3600\tIN\tTXT\t"${key.slice(0, 255)}" "${key.slice(255)}"`,
      'bounces.news\t3600\tIN\tMX\t10 mail.sender.net.',
      '@\t3600\tIN\tTXT\t"v=spf1 \\"x\\\\"',
      '',
    ].join('\n'),
  );
});

it('as text, every record has its full name', () => {
  expect(recordsAsText(records.slice(1, 2))).toBe(
    'Type: MX\nName: bounces.news.example.com\nPriority: 10\nValue: mail.sender.net',
  );
});
