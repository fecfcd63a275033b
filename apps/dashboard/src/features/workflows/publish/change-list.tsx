import { plural } from '../../../lib/format.ts';
import { Chip } from '../../../ui/chip.tsx';
import { Icon } from '../../../ui/icon.tsx';
import styles from './change-list.module.css';
import type { ChangeRow } from './changes.rules.ts';

interface ChangeListProps {
  /** The accessible name. */
  label: string;
  rows: readonly ChangeRow[];
  /** people at each step now, by its key */
  people?: ReadonlyMap<string, number>;
}

const looks = {
  added: { tone: 'good', text: 'New' },
  removed: { tone: 'bad', text: 'Removed' },
  changed: { tone: 'busy', text: 'Changed' },
} as const;

/** What one definition changes in another, a row for each step. */
export const ChangeList = ({ label, rows, people }: ChangeListProps) => (
  <ul className={styles.list} aria-label={label}>
    {rows.map(({ id, kind, icon, name, details, stepKey }) => {
      const here = (stepKey !== null && people?.get(stepKey)) || 0;
      return (
        <li key={id} className={styles.change}>
          <span className={styles.icon} data-kind={kind}>
            <Icon name={icon} size={14} />
          </span>
          <span className={styles.words}>
            <span className={styles.name}>
              <span>{name}</span>
              <Chip tone={looks[kind].tone}>{looks[kind].text}</Chip>
              {here > 0 && <Chip tone="warn">{plural(here, 'contact')} here</Chip>}
            </span>
            {details.map((detail) => (
              <span key={detail} className={styles.detail}>
                {detail}
              </span>
            ))}
          </span>
        </li>
      );
    })}
  </ul>
);
