import { Link } from 'react-router';
import type { EventUsage as Usage } from '../../../lib/api.ts';
import { useProjectPath } from '../../../lib/current.ts';
import { formatCount } from '../../../lib/format.ts';
import { Fact, Facts } from '../../../ui/facts.tsx';
import { Panel } from '../../../ui/panel.tsx';
import styles from './events.module.css';

/** The number of occurrences of an event, and what uses it. */
export function EventUsage({ usage, isOwn }: { usage: Usage; isOwn: boolean }) {
  return (
    <Panel title="Used in">
      <Facts>
        <Fact name="Events">{formatCount(usage.totalCount)}</Fact>
        <Fact name="Contacts">{formatCount(usage.uniqueContacts)}</Fact>
        <Fact name="Workflows">
          <Users page="workflows" users={usage.usedInWorkflows} />
        </Fact>
        <Fact name="Segments">
          <Users page="segments" users={usage.usedInSegments} />
        </Fact>
        <Fact name="Campaigns">
          <Users page="campaigns" users={usage.usedInCampaigns} />
        </Fact>
      </Facts>
      {isOwn && <p className={styles.note}>Postrider creates these events, so you can't delete them.</p>}
    </Panel>
  );
}

function Users({ page, users }: { page: string; users: Usage['usedInSegments'] }) {
  const to = useProjectPath();
  if (users.length === 0) return 'None';
  return (
    <ul className={styles.links}>
      {users.map(({ id, name }) => (
        <li key={id}>
          <Link to={to(`${page}/${id}`)}>{name}</Link>
        </li>
      ))}
    </ul>
  );
}
