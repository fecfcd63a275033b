import { NavLink } from 'react-router';
import { useProjectPath } from '../../../lib/current.ts';
import styles from './workflow-tabs.module.css';

/** The tabs of one workflow. */
export function WorkflowTabs({ workflowId }: { workflowId: string }) {
  const to = useProjectPath();
  return (
    <nav className={styles.tabs} aria-label="Workflow">
      <NavLink to={to(`workflows/${workflowId}`)} end className={styles.tab ?? ''}>
        Canvas
      </NavLink>
      <NavLink to={to(`workflows/${workflowId}/executions`)} className={styles.tab ?? ''}>
        Executions
      </NavLink>
      <NavLink to={to(`workflows/${workflowId}/figures`)} className={styles.tab ?? ''}>
        Figures
      </NavLink>
      <NavLink to={to(`workflows/${workflowId}/versions`)} className={styles.tab ?? ''}>
        Versions
      </NavLink>
    </nav>
  );
}
