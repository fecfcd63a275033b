import { Link } from 'react-router';
import type { ListedWorkflowVersion } from '../../../lib/api.ts';
import { authorInWords } from '../../../lib/author-in-words.rules.ts';
import { useProjectPath } from '../../../lib/current.ts';
import { formatCount } from '../../../lib/format.ts';
import { Chip } from '../../../ui/chip.tsx';
import { Cell, Row, rowLinkClass, SecondLine, Table } from '../../../ui/table.tsx';
import { Ago } from '../../../ui/time.tsx';
import styles from './version-table.module.css';

interface VersionTableProps {
  workflowId: string;
  versions: readonly ListedWorkflowVersion[];
}

/** Versions with who published them and why, how many contacts entered with each, and how many of them are inside. */
export function VersionTable({ workflowId, versions }: VersionTableProps) {
  const to = useProjectPath();
  return (
    <Table
      label="Versions"
      columns={[
        { label: 'Version' },
        { label: 'Note', extra: true },
        { label: 'Published by', extra: true },
        { label: 'Entered', numeric: true },
        { label: 'Active', numeric: true },
        { label: 'Published', numeric: true },
      ]}
    >
      {versions.map(({ version, note, author, live, entered, active, movedTo, publishedAt }) => (
        <Row key={version}>
          <Cell nowrap>
            <span className={styles.name}>
              <Link to={to(`workflows/${workflowId}/versions/${version}`)} className={rowLinkClass ?? ''}>
                Version {version}
              </Link>
              {live && <Chip tone="good">Live</Chip>}
              {movedTo !== null && (
                <Chip tone="calm" title={`Whoever entered with it goes on by version ${movedTo}`}>
                  moved to {movedTo}
                </Chip>
              )}
            </span>
            <SecondLine>{note}</SecondLine>
          </Cell>
          <Cell clip extra>
            <span title={note ?? undefined}>{note ?? '–'}</span>
          </Cell>
          <Cell clip extra faint>
            {authorInWords({ author })}
          </Cell>
          <Cell numeric>{formatCount(entered)}</Cell>
          <Cell numeric>{formatCount(active)}</Cell>
          <Cell numeric faint>
            <Ago at={publishedAt} />
          </Cell>
        </Row>
      ))}
    </Table>
  );
}
