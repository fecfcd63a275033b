import type { Filter, FilterTree, Operator } from '@postrider/core/audience/segments/contract';
import {
  isMultiCondition,
  isTreeCondition,
  type StepConfigInputs,
  type StepConfigs,
} from '@postrider/core/automation/workflows/contract';
import type { FormValues } from '../../../ui/form.tsx';
import {
  fromTree,
  missingIn,
  newTree,
  type TreeDraft,
  toTree,
} from '../../common/filters/filter-tree.rules.ts';
import { indexesOf, UnreadableField } from './step-input.rules.ts';

type Config = StepConfigs['CONDITION'];
type Input = StepConfigInputs['CONDITION'];

export interface BranchDraft {
  id: string;
  name: string;
  tree: TreeDraft;
}

export const newBranch = (branches: readonly { id: string }[]): BranchDraft => {
  const free = Array.from({ length: branches.length + 1 }, (_, index) => `way-${index + 1}`).find((id) =>
    branches.every((each) => each.id !== id),
  );
  return { id: free ?? 'way-1', name: '', tree: newTree() };
};

/** A comparison of a field as the filter that means the same: the builder edits filters only. */
export function filterOf(
  field: string,
  { operator, value, unit }: { operator: Operator; value?: unknown; unit?: Filter['unit'] | undefined },
): Filter {
  const named = field.replace(/^contact\./, '').replace(/^(?:event|workflow)\./, 'context.');
  return {
    field: named,
    operator,
    ...(value === undefined ? {} : { value }),
    ...(unit === undefined ? {} : { unit }),
  };
}

const treeOf = (filter: Filter): FilterTree => ({ logic: 'AND', groups: [{ filters: [filter] }] });

/** The branches of a configuration for editing; a condition of two ways has one, whose id says nothing. */
export function branchesIn(config: Readonly<Partial<Config>>): BranchDraft[] {
  const of = (id: string, name: string, tree: FilterTree): BranchDraft => ({
    id,
    name,
    tree: fromTree(tree),
  });
  if (isTreeCondition(config))
    return 'branches' in config
      ? config.branches.map(({ id, name, condition }) => of(id, name, condition))
      : [of('way-1', '', config.condition)];
  const { field } = config as { field?: string };
  if (field === undefined) return [newBranch([])];
  if (isMultiCondition(config))
    return 'field' in config
      ? config.branches.map((branch) => of(branch.id, branch.name, treeOf(filterOf(field, branch))))
      : [];
  return [of('way-1', '', treeOf(filterOf(field, config as { operator: Operator })))];
}

/** The configuration in the fields of the form. @throws UnreadableField */
export function readCondition(values: FormValues): Input {
  if (values.mode !== 'multi') return { condition: readTree(values, 'config.condition') };
  const branches = indexesOf(values, 'config.branches', 'id').map((index) => ({
    id: values[`config.branches.${index}.id`] ?? '',
    name: values[`config.branches.${index}.name`] ?? '',
    condition: readTree(values, `config.branches.${index}.condition`),
  }));
  return { mode: 'multi', branches };
}

/** A filter in the fields of a form. @throws UnreadableField */
export function readTree(values: FormValues, field: string): FilterTree {
  const tree = JSON.parse(values[field] ?? 'null') as TreeDraft;
  const [missing] = Object.entries(missingIn(tree, field));
  if (missing) throw new UnreadableField(...missing);
  return toTree(tree);
}
