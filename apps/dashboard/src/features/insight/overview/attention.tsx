import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { type Overview, useApi } from '../../../lib/api.ts';
import { useProject, useProjectPath } from '../../../lib/current.ts';
import { Icon } from '../../../ui/icon.tsx';
import { Panel } from '../../../ui/panel.tsx';
import styles from './attention.module.css';
import { attentionOf } from './attention.rules.ts';

/** Workflows that fail most. */
const mostWorkflows = 5;

/** What needs attention, each with a link to the page that shows it. */
export function Attention({ overview }: { overview: Overview }) {
  const { id } = useProject();
  const to = useProjectPath();
  const { reputation, workflows } = useApi();
  const security = useQuery(reputation.security.queryOptions({ id }));
  const failing = useQuery(
    workflows.list.queryOptions({ sort: 'failed24h', dir: 'desc', pageSize: mostWorkflows }),
  );
  const items = attentionOf(overview, security.data, failing.data?.data);
  return (
    <Panel title="Needs attention">
      {items.length === 0 && (
        <p className={styles.calm}>
          <Icon name="check" /> Nothing needs your attention.
        </p>
      )}
      {items.length > 0 && (
        <ul className={styles.list}>
          {items.map(({ tone, text, to: page }) => (
            <li key={text} className={styles[tone]}>
              <Icon name="alert" />
              <Link to={to(page)}>{text}</Link>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
