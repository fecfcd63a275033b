import type { Domain } from '../../../lib/api.ts';

export type DnsRecord = Domain['records'][number];

/** The longest string of a TXT record, in bytes (RFC 1035, 3.3.14). The values are ASCII. */
const longestString = /.{1,255}/gs;

/** A host name as the forms of most DNS providers expect it: without the name of the zone; `@` for the zone itself. */
export function relativeName(name: string, zone: string): string {
  if (name === zone) return '@';
  return name.endsWith(`.${zone}`) ? name.slice(0, -zone.length - 1) : name;
}

/** The records as a zone file (RFC 1035, 5), which DNS providers import. */
export function zoneFile(records: readonly DnsRecord[], zone: string): string {
  const lines = records.map(
    (record) => `${relativeName(record.name, zone)}\t3600\tIN\t${record.type}\t${valueIn(record)}`,
  );
  return [`; Records for sending email with Postrider`, `$ORIGIN ${zone}.`, ...lines, ''].join('\n');
}

/** The records as plain text, to be pasted into a message to the person who manages the DNS. */
export const recordsAsText = (records: readonly DnsRecord[]): string =>
  records
    .map(({ type, name, value, priority }) =>
      [
        `Type: ${type}`,
        `Name: ${name}`,
        ...(priority === undefined ? [] : [`Priority: ${priority}`]),
        `Value: ${value}`,
      ].join('\n'),
    )
    .join('\n\n');

function valueIn({ type, value, priority = 10 }: DnsRecord): string {
  if (type === 'MX') return `${priority} ${value}.`;
  if (type === 'CNAME') return `${value}.`;
  const strings = value.match(longestString) ?? [''];
  return strings.map((text) => `"${text.replace(/["\\]/g, '\\$&')}"`).join(' ');
}
