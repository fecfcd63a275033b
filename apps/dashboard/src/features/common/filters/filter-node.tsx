import { maxFilterDepth } from '@postrider/core/audience/segments/contract';
import { Button } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { ActionMenu } from '../../../ui/menu.tsx';
import styles from './filter-builder.module.css';
import { useFailuresAt } from './filter-places.ts';
import { FilterRow } from './filter-row.tsx';
import { type FilterDraft, isGroup, newFilter, newTree, type TreeDraft } from './filter-tree.rules.ts';

interface FilterNodeProps {
  node: TreeDraft;
  onChange: (node: TreeDraft) => void;
  /** Absent for the outermost group, which always has a condition. */
  onRemove?: () => void;
  depth: number;
  /** Identifies the group for screen readers. */
  label: string;
}

/** Conditions and groups, all or any of which must match. */
export function FilterNode({ node, onChange, onRemove, depth, label }: FilterNodeProps) {
  const { items, logic } = node;
  const problems = useFailuresAt(node.key);
  const other = logic === 'AND' ? 'OR' : 'AND';
  const setItems = (next: TreeDraft['items']) => onChange({ ...node, items: next });
  const replace = (key: string) => (next: FilterDraft | TreeDraft) =>
    setItems(items.map((item) => (item.key === key ? next : item)));
  const canRemove = items.length > 1 || onRemove !== undefined;
  const remove = (key: string) => {
    if (items.length > 1) setItems(items.filter((item) => item.key !== key));
    else onRemove?.();
  };
  return (
    <fieldset className={styles.node}>
      <legend className="visually-hidden">{label}</legend>
      {problems.length > 0 && <p className={styles.failure}>{problems.join('; ')}</p>}
      {items.map((item, index) => {
        const name = `${depth === 1 ? '' : `${label}, `}${isGroup(item) ? 'Group' : 'Condition'} ${index + 1}`;
        return (
          <div key={item.key} className={styles.item}>
            {index > 0 && (
              <button
                type="button"
                className={styles.pill}
                data-logic={logic}
                aria-label={`${wordOf(logic)}: change to ${wordOf(other)}`}
                onClick={() => onChange({ ...node, logic: other })}
              >
                {wordOf(logic)}
                <Icon name="updown" size={11} />
              </button>
            )}
            {isGroup(item) ? (
              <div className={styles.group}>
                <FilterNode
                  node={item}
                  onChange={replace(item.key)}
                  onRemove={() => remove(item.key)}
                  depth={depth + 1}
                  label={name}
                />
              </div>
            ) : (
              <FilterRow
                filter={item}
                label={name}
                onChange={replace(item.key)}
                {...(canRemove && { onRemove: () => remove(item.key) })}
              />
            )}
          </div>
        );
      })}
      <div className={styles.actions}>
        <ActionMenu
          label={`Add to ${label}`}
          trigger={
            <Button kind="quiet" small icon="plus">
              Add
            </Button>
          }
          actions={[
            { label: 'Condition', icon: 'segment', run: () => setItems([...items, newFilter()]) },
            {
              label: 'Group',
              icon: 'columns',
              disabled: depth >= maxFilterDepth,
              run: () => setItems([...items, newTree(other)]),
            },
          ]}
        />
        {onRemove && (
          <Button kind="quiet" small onClick={onRemove}>
            Remove group
          </Button>
        )}
      </div>
    </fieldset>
  );
}

const wordOf = (logic: TreeDraft['logic']): string => (logic === 'AND' ? 'and' : 'or');
