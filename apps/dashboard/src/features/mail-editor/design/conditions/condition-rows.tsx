import { testOperators } from '@postrider/core/content/templates/contract';
import { useMemo, useState } from 'react';
import { Button } from '../../../../ui/button.tsx';
import type { OptionGroup } from '../../../../ui/combobox.tsx';
import { Segments } from '../../../../ui/segments.tsx';
import builder from '../../../common/filters/filter-builder.module.css';
import { FilterChoicesContext, useLoadFilterChoices } from '../../../common/filters/filter-choices.ts';
import { FilterPlaces } from '../../../common/filters/filter-places.ts';
import { FilterRow } from '../../../common/filters/filter-row.tsx';
import {
  type FilterDraft,
  isGroup,
  missingIn,
  newFilter,
  pathsIn,
  type TreeDraft,
} from '../../../common/filters/filter-tree.rules.ts';
import { useVariables } from '../../variables/use-variables.ts';
import styles from './condition-rows.module.css';
import { testIn } from './test-tree.rules.ts';

interface ConditionRowsProps {
  /** the rows of what is stored */
  stored: TreeDraft;
  onChange: (test: string) => void;
}

/** The test of a condition as rows of the builder of segments. What is not complete is not stored. */
export function ConditionRows({ stored, onChange }: ConditionRowsProps) {
  const [draft, setDraft] = useState<TreeDraft | null>(null);
  const tree = draft ?? stored;
  const choices = useConditionChoices();
  const places = useMemo(
    () => ({ paths: pathsIn(tree, 'test'), failures: draft === null ? {} : failuresIn(draft) }),
    [tree, draft],
  );
  const change = (next: TreeDraft) => {
    setDraft(next);
    const test = testIn(next);
    if (test !== null) onChange(test);
  };
  const filters = tree.items.filter((item): item is FilterDraft => !isGroup(item));
  const setItems = (items: FilterDraft[]) => change({ ...tree, items });
  return (
    <FilterChoicesContext value={choices}>
      <FilterPlaces value={places}>
        <div className={`${builder.builder} ${styles.rows}`}>
          {filters.length > 1 && (
            <Segments
              label="Conditions to meet"
              options={[
                { value: 'AND', label: 'All of these' },
                { value: 'OR', label: 'Any of these' },
              ]}
              value={tree.logic}
              onChange={(logic) => change({ ...tree, logic })}
            />
          )}
          {filters.map((filter, index) => (
            <FilterRow
              key={filter.key}
              filter={filter}
              label={`Condition ${index + 1}`}
              onChange={(next) => setItems(filters.map((each) => (each.key === next.key ? next : each)))}
              {...(filters.length > 1 && {
                onRemove: () => setItems(filters.filter(({ key }) => key !== filter.key)),
              })}
            />
          ))}
          <div>
            <Button small kind="quiet" icon="plus" onClick={() => setItems([...filters, newFilter()])}>
              Add condition
            </Button>
          </div>
        </div>
      </FilterPlaces>
    </FilterChoicesContext>
  );
}

/** What is missing, and what Liquid cannot compare with. */
function failuresIn(tree: TreeDraft): Record<string, string> {
  const missing = missingIn(tree, 'test');
  if (Object.keys(missing).length > 0 || testIn(tree) !== null) return missing;
  const paths = pathsIn(tree, 'test');
  return Object.fromEntries(
    tree.items.flatMap((item) =>
      testIn({ ...tree, items: [item] }) === null
        ? [[`${paths.get(item.key)}.value`, 'Emails can’t compare with braces, “%” or two kinds of quotes']]
        : [],
    ),
  );
}

/** The fields of contacts, and those of the event that started a workflow. */
function useConditionChoices() {
  const { keys } = useLoadFilterChoices();
  const variables = useVariables();
  return useMemo(() => {
    const context = variables
      .filter((name) => name.startsWith('event.'))
      .map((name) => ({ name: name.slice('event.'.length), type: undefined }));
    const groups: OptionGroup[] = [
      { label: 'Contact fields', options: keys.map(({ name }) => ({ value: `data.${name}`, label: name })) },
      {
        label: 'Contact',
        options: [
          { value: 'email', label: 'Email address' },
          { value: 'subscribed', label: 'Subscribed' },
        ],
      },
      {
        label: 'Event',
        options: context.map(({ name }) => ({ value: `context.${name}`, label: name })),
      },
    ];
    return {
      // A template asks whether a list contains an item as it asks of a text.
      keys: keys.map((key) => (key.type === 'list' ? { ...key, type: 'text' as const } : key)),
      events: [],
      segments: [],
      topics: [],
      execution: { context, steps: [] },
      only: {
        groups: groups.filter(({ options }) => options.length > 0),
        create: (name: string): OptionGroup => ({
          label: 'Not used yet',
          options: [
            { value: `data.${name}`, label: `Contact field “${name}”` },
            { value: `context.${name}`, label: `Event field “${name}”` },
          ],
        }),
        operators: Object.keys(testOperators),
      },
    };
  }, [keys, variables]);
}
