import type { ContactImport } from '../../../lib/api.ts';
import { formatCount } from '../../../lib/format.ts';
import { Chip } from '../../../ui/chip.tsx';
import { jobWaits } from '../../../ui/job-progress.tsx';
import { Cell, CellActions, Row, SecondLine, Table } from '../../../ui/table.tsx';
import { Ago } from '../../../ui/time.tsx';
import { FailedRowsButton } from './failed-rows-button.tsx';

const columns = [
  { label: 'File' },
  { label: 'By', extra: true },
  { label: 'Status' },
  { label: 'Created', numeric: true, extra: true },
  { label: 'Updated', numeric: true, extra: true },
  { label: 'Failed', numeric: true },
  { label: 'Started', numeric: true, extra: true },
];

export function ImportTable({ imports }: { imports: ContactImport[] }) {
  return (
    <Table label="Imports" columns={columns}>
      {imports.map((each) => (
        <ImportRow key={each.id} contactImport={each} />
      ))}
    </Table>
  );
}

function ImportRow({ contactImport }: { contactImport: ContactImport }) {
  const { id, fileName, author, createdCount, updatedCount, createdAt, dryRun } = contactImport;
  const { failureCount, unreadCount } = contactImport;
  return (
    <Row>
      <Cell clip>
        {fileName ?? 'Unnamed file'}
        <SecondLine>{author?.label}</SecondLine>
      </Cell>
      <Cell extra clip faint>
        {author?.label}
      </Cell>
      <Cell>
        <ImportState contactImport={contactImport} />
      </Cell>
      <Cell numeric extra>
        {dryRun ? '' : formatCount(createdCount)}
      </Cell>
      <Cell numeric extra>
        {dryRun ? '' : formatCount(updatedCount)}
      </Cell>
      <Cell numeric>
        {dryRun || failureCount + unreadCount === 0 ? (
          formatCount(failureCount)
        ) : (
          <CellActions>
            <FailedRowsButton jobId={id} fileName={fileName} label={formatCount(failureCount)} />
          </CellActions>
        )}
      </Cell>
      <Cell numeric faint extra>
        <Ago at={createdAt} />
      </Cell>
    </Row>
  );
}

function ImportState({
  contactImport: { state, progress, waitsFor, failedReason, dryRun },
}: {
  contactImport: ContactImport;
}) {
  switch (state) {
    case 'waiting':
      return (
        <>
          <Chip tone="calm">Waiting</Chip> {waitsFor && jobWaits}
        </>
      );
    case 'active':
      return <Chip tone="calm">{`${dryRun ? 'Checking' : 'Importing'}, ${progress}%`}</Chip>;
    case 'completed':
      return dryRun ? <Chip tone="calm">Checked only</Chip> : <Chip tone="good">Done</Chip>;
    case 'failed':
      return (
        <>
          <Chip tone="bad">Failed</Chip> {failedReason}
        </>
      );
  }
}
