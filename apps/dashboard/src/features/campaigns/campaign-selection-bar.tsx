import { useProjectPath } from '../../lib/current.ts';
import { formatCount } from '../../lib/format.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import styles from '../../ui/selection-bar.module.css';
import { comparisonOf, fewestCompared, mostCompared } from './compare.rules.ts';

interface SelectionBarProps {
  /** ids */
  selected: ReadonlySet<string>;
  onClear: () => void;
}

/** The number of selected campaigns, and the way to their comparison. */
export function CampaignSelectionBar({ selected, onClear }: SelectionBarProps) {
  const to = useProjectPath();
  const comparison = comparisonOf(selected);
  return (
    <section className={styles.bar} aria-label="Selected campaigns">
      <span role="status">
        {formatCount(selected.size)} selected
        {comparison === null && `. Select ${fewestCompared} to ${mostCompared} to compare them.`}
      </span>
      <span className={styles.actions}>
        {comparison === null ? (
          <Button small disabled>
            Compare
          </Button>
        ) : (
          <ButtonLink small to={to(comparison)}>
            Compare
          </ButtonLink>
        )}
        <Button kind="quiet" small onClick={onClear}>
          Clear selection
        </Button>
      </span>
    </section>
  );
}
