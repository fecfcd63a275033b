import { Link } from 'react-router';
import type { Overview } from '../../../lib/api.ts';
import { useProjectPath } from '../../../lib/current.ts';
import { formatCount } from '../../../lib/format.ts';
import { jobWaits } from '../../../ui/job-progress.tsx';
import styles from './running-now.module.css';

const names: Readonly<Record<string, string>> = { import: 'Import of contacts', export: 'Export' };

/** From here on the number is not counted further. */
const mostWaiting = 10_000;

/** Imports, bulk changes and exports that are not finished, and executions that wait. */
export function RunningJobs({ overview: { jobs, waitingExecutions } }: { overview: Overview }) {
  const to = useProjectPath();
  if (jobs.length === 0 && waitingExecutions === 0) return null;
  const waiting = `${formatCount(waitingExecutions)}${waitingExecutions === mostWaiting ? '+' : ''}`;
  return (
    <ul className={styles.list}>
      {jobs.map(({ id, kind, progress, waitsFor }) => (
        <li key={id} className={styles.head}>
          {names[kind] ?? 'Background job'}
          <span className={styles.count}>{waitsFor === null ? `${progress}%` : jobWaits}</span>
        </li>
      ))}
      {waitingExecutions > 0 && (
        <li className={styles.head}>
          <Link to={to('workflows')}>Workflows</Link>
          <span className={styles.count}>
            {waiting} {waitingExecutions === 1 ? 'contact waits' : 'contacts wait'} at a step
          </span>
        </li>
      )}
    </ul>
  );
}
