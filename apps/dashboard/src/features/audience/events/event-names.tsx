import { useState } from 'react';
import { Link } from 'react-router';
import type { EventFigures } from '../../../lib/api.ts';
import { useProjectPath } from '../../../lib/current.ts';
import { formatCount } from '../../../lib/format.ts';
import { Button } from '../../../ui/button.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { Cell, Row, rowLinkClass, SecondLine, Table } from '../../../ui/table.tsx';
import { Ago } from '../../../ui/time.tsx';
import { eventPath } from './event-path.ts';
import styles from './events.module.css';

const shownFirst = 8;

/** All event names with their counts, most frequent first. */
export function EventNames({ names }: { names: EventFigures[] }) {
  const to = useProjectPath();
  const [all, setAll] = useState(false);
  const shown = all ? names : names.slice(0, shownFirst);
  return (
    <Panel title="Event names" flush>
      <Table
        label="Event names"
        columns={[
          { label: 'Name' },
          { label: 'Source', extra: true },
          { label: 'Events', numeric: true },
          { label: 'Last seen', numeric: true },
        ]}
      >
        {shown.map(({ name, count, lastSeenAt, isOwn }) => (
          <Row key={name}>
            <Cell clip>
              <Link to={to(eventPath(name))} className={rowLinkClass ?? ''}>
                {name}
              </Link>
              <SecondLine>{sourceOf(isOwn)}</SecondLine>
            </Cell>
            <Cell extra faint>
              {sourceOf(isOwn)}
            </Cell>
            <Cell numeric>{formatCount(count)}</Cell>
            <Cell numeric faint>
              <Ago at={lastSeenAt} />
            </Cell>
          </Row>
        ))}
      </Table>
      {names.length > shownFirst && (
        <div className={styles.end}>
          <Button kind="quiet" small aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? 'Show fewer' : `Show all ${formatCount(names.length)}`}
          </Button>
        </div>
      )}
    </Panel>
  );
}

const sourceOf = (isOwn: boolean): string => (isOwn ? 'Postrider' : 'Your app');
