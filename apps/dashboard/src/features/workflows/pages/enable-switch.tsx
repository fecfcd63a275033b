import type { Workflow } from '../../../lib/api.ts';
import styles from './enable-switch.module.css';

interface EnableSwitchProps {
  workflow: Workflow;
  blocked: boolean;
  /** id of the text that explains why it is blocked */
  reasonId: string;
  pending: boolean;
  onChange: (enabled: boolean) => void;
}

/** Enables or disables the workflow. Disabling is always possible. */
export function EnableSwitch({
  workflow: { enabled },
  blocked,
  reasonId,
  pending,
  onChange,
}: EnableSwitchProps) {
  const isStuck = pending || (blocked && !enabled);
  return (
    <button
      type="button"
      role="switch"
      className={styles.switch}
      aria-checked={enabled}
      aria-disabled={isStuck || undefined}
      aria-describedby={blocked && !enabled ? reasonId : undefined}
      onClick={() => !isStuck && onChange(!enabled)}
    >
      <span className={styles.track} aria-hidden="true" />
      {enabled ? 'Enabled' : 'Enable'}
    </button>
  );
}
