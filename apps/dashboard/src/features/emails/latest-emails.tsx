import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { useApi } from '../../lib/api.ts';
import { useProjectPath } from '../../lib/current.ts';
import { Panel } from '../../ui/panel.tsx';
import { EmailTable } from './email-table.tsx';

const shownRows = 8;

/** The latest few emails; renders nothing when there are none. */
export function LatestEmails() {
  const to = useProjectPath();
  const list = useQuery(useApi().sending.listEmails.queryOptions({ limit: shownRows }));
  if (!list.data || list.data.data.length === 0) return null;
  return (
    <Panel title="Latest emails" aside={<Link to={to('emails')}>All emails</Link>} flush>
      <EmailTable emails={list.data.data} />
    </Panel>
  );
}
