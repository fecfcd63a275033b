import { maxConditions } from '@postrider/core/audience/segments/contract';
import { Button } from '../../../ui/button.tsx';
import styles from './filter-builder.module.css';
import { type FilterDraft, newCondition } from './filter-tree.rules.ts';
import { WhereRow } from './where-row.tsx';

interface WhereRowsProps {
  where: readonly FilterDraft[];
  of: 'event' | 'activity';
  /** of an event, whose data is known from earlier ones */
  eventName: string | undefined;
  /** whether links can be asked for */
  canClick?: boolean;
  /** Identifies what is restricted for screen readers. */
  label: string;
  onChange: (where: FilterDraft[]) => void;
}

/** What an event or email must meet to count: any number of conditions, all of which must hold. */
export const WhereRows = ({ where, of, eventName, canClick = false, label, onChange }: WhereRowsProps) => (
  <div className={styles.wheres}>
    {where.map((condition, index) => (
      <WhereRow
        key={condition.key}
        condition={condition}
        eventName={eventName}
        canClick={canClick}
        label={`${label}, restriction ${index + 1}`}
        onChange={(next) => onChange(where.map((each) => (each.key === condition.key ? next : each)))}
        onRemove={() => onChange(where.filter(({ key }) => key !== condition.key))}
      />
    ))}
    {where.length < maxConditions && (
      <Button kind="quiet" small icon="plus" onClick={() => onChange([...where, newCondition(of)])}>
        {of === 'event' ? 'Only with certain data' : 'Only certain emails'}
      </Button>
    )}
  </div>
);
