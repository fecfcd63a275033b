import type { Workflow } from '../../../lib/api.ts';
import { CheckField, SelectField, TextField } from '../../../ui/field.tsx';
import { FieldRow, type FormValues } from '../../../ui/form.tsx';
import { FilterBuilder } from '../../common/filters/filter-builder.tsx';
import { newTree, type TreeDraft } from '../../common/filters/filter-tree.rules.ts';

type Entry = Workflow['entry'];

interface EntryFieldsProps {
  entry: Entry;
  /** The filter; null for anybody. */
  tree: TreeDraft | null;
  onTree: (tree: TreeDraft | null) => void;
  failures: Readonly<Record<string, string>>;
}

/** Who may enter a workflow, and how often. */
export function EntryFields({ entry, tree, onTree, failures }: EntryFieldsProps) {
  const { limit, every } = entry;
  return (
    <>
      <FieldRow>
        <TextField
          name="entry.limit"
          label="Entries at most"
          type="number"
          min={1}
          max={1_000}
          defaultValue={limit ?? ''}
          placeholder="Any number"
          hint="Of each contact, with re-entry."
        />
        <TextField
          name="entry.every.amount"
          label="Again after"
          type="number"
          min={1}
          max={8_760}
          defaultValue={every?.amount ?? ''}
          placeholder="Any time"
        />
        <SelectField name="entry.every.unit" label="Unit" defaultValue={every?.unit ?? 'days'}>
          <option value="hours">hours</option>
          <option value="days">days</option>
        </SelectField>
      </FieldRow>
      <CheckField
        name="filtersEntry"
        label="Only contacts that match a filter"
        hint="At the moment of their entry."
        defaultChecked={tree !== null}
        onChange={(checked) => onTree(checked ? newTree() : null)}
      />
      {tree && <FilterBuilder tree={tree} onChange={onTree} path="entry.filter" failures={failures} />}
    </>
  );
}

/** The rules on further entries, from the fields of the form. */
export function rulesOf(values: FormValues): { limit?: number; every?: NonNullable<Entry['every']> } {
  const limit = Number(values['entry.limit'] ?? 0);
  const amount = Number(values['entry.every.amount'] ?? 0);
  return {
    ...(limit > 0 && { limit }),
    ...(amount > 0 && {
      every: { amount, unit: values['entry.every.unit'] === 'hours' ? 'hours' : 'days' },
    }),
  };
}
