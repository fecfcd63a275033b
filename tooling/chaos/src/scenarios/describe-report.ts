import type { LedgerReport } from '../ledger/compare-ledger-with-sink.ts';

const mostNames = 20;

/** A report as lines of text. */
export function describeReport({ emails, atSink, byStatus, uncertain }: LedgerReport): string[] {
  const statuses = Object.entries(byStatus).map(([status, count]) => `${count} ${status}`);
  const arrived = uncertain.filter((email) => email.atSink).length;
  return [
    `${emails} emails: ${statuses.join(', ')}; ${atSink} messages at the sink`,
    ...(uncertain.length > 0 ? [`UNCERTAIN: ${uncertain.length}, of which ${arrived} had arrived`] : []),
    ...uncertain
      .slice(0, mostNames)
      .map(
        ({ id, to, error, atSink: there }) => `  ${id} ${to} ${there ? 'arrived' : 'not there'}: ${error}`,
      ),
    ...(uncertain.length > mostNames ? [`  … and ${uncertain.length - mostNames} more`] : []),
  ];
}
