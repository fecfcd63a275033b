import { maxFilterDepth } from '@postrider/core/segments/contract';
import { Button } from '../../ui/button.tsx';
import { type Option, Select } from '../../ui/select.tsx';
import styles from './filter-builder.module.css';
import { FilterRow } from './filter-row.tsx';
import {
  type FilterDraft,
  type GroupDraft,
  type Logic,
  newFilter,
  newGroup,
  newTree,
  type TreeDraft,
} from './filter-tree.rules.ts';

const logics: Option<Logic>[] = [
  { value: 'AND', label: 'all of these groups' },
  { value: 'OR', label: 'any of these groups' },
];

interface Place {
  path: string;
  failures: Readonly<Record<string, string>>;
  depth: number;
  label: string;
}

interface FilterNodeProps extends Place {
  node: TreeDraft;
  onChange: (node: TreeDraft) => void;
  onRemove?: () => void;
}

/** Groups, all or any of which must match. */
export function FilterNode({ node, onChange, onRemove, path, failures, depth, label }: FilterNodeProps) {
  const setGroups = (groups: GroupDraft[]) => onChange({ ...node, groups });
  return (
    <fieldset className={styles.node}>
      <legend className="visually-hidden">{label}</legend>
      {node.groups.length > 1 && (
        <div className={styles.logic}>
          A contact must match
          <Select
            small
            aria-label="A contact must match"
            value={node.logic}
            options={logics}
            onChange={(logic) => onChange({ ...node, logic })}
          />
        </div>
      )}
      {failures[path] && <p className={styles.failure}>{failures[path]}</p>}
      {node.groups.map((group, index) => (
        <Group
          key={group.key}
          group={group}
          path={`${path}.groups.${index}`}
          failures={failures}
          depth={depth}
          label={`${label}, group ${index + 1}`}
          onChange={(next) => setGroups(node.groups.map((each) => (each.key === group.key ? next : each)))}
          {...(node.groups.length > 1 && {
            onRemove: () => setGroups(node.groups.filter(({ key }) => key !== group.key)),
          })}
        />
      ))}
      <div className={styles.actions}>
        <Button small icon="plus" onClick={() => setGroups([...node.groups, newGroup()])}>
          Add group
        </Button>
        {onRemove && (
          <Button kind="quiet" small onClick={onRemove}>
            Remove nested groups
          </Button>
        )}
      </div>
    </fieldset>
  );
}

interface GroupProps extends Place {
  group: GroupDraft;
  onChange: (group: GroupDraft) => void;
  onRemove?: () => void;
}

/** Filters that must all match, and nested groups. */
function Group({ group, onChange, onRemove, path, failures, depth, label }: GroupProps) {
  const { filters, conditions } = group;
  const setFilters = (next: FilterDraft[]) => onChange({ ...group, filters: next });
  const isLast = filters.length === 1 && conditions === null;
  return (
    <fieldset className={styles.group}>
      <legend className="visually-hidden">{label}</legend>
      {failures[path] && <p className={styles.failure}>{failures[path]}</p>}
      {filters.map((filter, index) => (
        <div key={filter.key} className={styles.line}>
          {index > 0 && <span className={styles.and}>and</span>}
          <FilterRow
            filter={filter}
            label={`${label}, filter ${index + 1}`}
            path={`${path}.filters.${index}`}
            failures={failures}
            onChange={(next) => setFilters(filters.map((each) => (each.key === filter.key ? next : each)))}
            {...(!isLast && { onRemove: () => setFilters(filters.filter(({ key }) => key !== filter.key)) })}
          />
        </div>
      ))}
      {conditions && (
        <div className={styles.line}>
          {filters.length > 0 && <span className={styles.and}>and</span>}
          <FilterNode
            node={conditions}
            path={`${path}.conditions`}
            failures={failures}
            depth={depth + 1}
            label={`${label}, nested`}
            onChange={(next) => onChange({ ...group, conditions: next })}
            {...(filters.length > 0 && { onRemove: () => onChange({ ...group, conditions: null }) })}
          />
        </div>
      )}
      <div className={styles.actions}>
        <Button kind="quiet" small icon="plus" onClick={() => setFilters([...filters, newFilter()])}>
          Add filter
        </Button>
        {conditions === null && depth < maxFilterDepth && (
          <Button
            kind="quiet"
            small
            icon="plus"
            onClick={() => onChange({ ...group, conditions: { ...newTree(), logic: 'OR' } })}
          >
            Add nested groups
          </Button>
        )}
        {onRemove && (
          <Button kind="quiet" small onClick={onRemove}>
            Remove group
          </Button>
        )}
      </div>
    </fieldset>
  );
}
