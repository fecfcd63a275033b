import {
  branchName,
  isMultiCondition,
  maxBranches,
  type StepConfigs,
} from '@postrider/core/automation/workflows/contract';
import { limitsOf } from '@postrider/core/base/lib/contract';
import { useContext, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { FilterBuilder } from '../../common/filters/filter-builder.tsx';
import type { ExecutionChoices } from '../../common/filters/filter-choices.ts';
import type { TreeDraft } from '../../common/filters/filter-tree.rules.ts';
import { type BranchDraft, branchesIn, newBranch } from './condition-draft.rules.ts';
import { HiddenJson } from './hidden-json.tsx';
import { StepFailures } from './step-failures.ts';
import styles from './step-panel.module.css';
import { useExecutionChoices } from './step-place.ts';
import type { StepFieldsProps } from './step-view.ts';

/** What is asked, and the branches: one condition with yes and no, or several that are tried in order. */
export function ConditionFields({ config, eventName }: StepFieldsProps<StepConfigs['CONDITION']>) {
  const [isMulti, setMulti] = useState(isMultiCondition(config));
  const [branches, setBranches] = useState(() => branchesIn(config));
  const execution = useExecutionChoices(eventName);
  const replace = (id: string, tree: TreeDraft) =>
    setBranches((all) => all.map((each) => (each.id === id ? { ...each, tree } : each)));
  const [first] = branches;
  return (
    <>
      <SelectField
        name="mode"
        label="Branches"
        value={isMulti ? 'multi' : 'binary'}
        onChange={({ target }) => setMulti(target.value === 'multi')}
      >
        <option value="binary">Two: yes and no</option>
        <option value="multi">Several: the first match</option>
      </SelectField>
      {isMulti ? (
        <Branches branches={branches} setBranches={setBranches} replace={replace} execution={execution} />
      ) : (
        first && (
          <Tree
            path="config.condition"
            tree={first.tree}
            execution={execution}
            onChange={(tree) => replace(first.id, tree)}
          />
        )
      )}
    </>
  );
}

interface BranchesProps {
  branches: readonly BranchDraft[];
  setBranches: (branches: BranchDraft[]) => void;
  replace: (id: string, tree: TreeDraft) => void;
  execution: ExecutionChoices;
}

function Branches({ branches, setBranches, replace, execution }: BranchesProps) {
  return (
    <>
      {branches.map((branch, index) => (
        <fieldset key={branch.id} className={styles.row}>
          <legend className="visually-hidden">Branch {index + 1}</legend>
          <input type="hidden" name={`config.branches.${index}.id`} value={branch.id} />
          <div className={styles.withRemove}>
            <TextField
              name={`config.branches.${index}.name`}
              label={`Branch ${index + 1}`}
              defaultValue={branch.name}
              {...limitsOf(branchName)}
              required
            />
            {branches.length > 1 && (
              <Button
                kind="quiet"
                small
                onClick={() => setBranches(branches.filter(({ id }) => id !== branch.id))}
                aria-label={`Remove branch ${index + 1}`}
              >
                <Icon name="cross" size={12} />
              </Button>
            )}
          </div>
          <Tree
            path={`config.branches.${index}.condition`}
            tree={branch.tree}
            execution={execution}
            onChange={(tree) => replace(branch.id, tree)}
          />
        </fieldset>
      ))}
      {branches.length < maxBranches && (
        <div>
          <Button small icon="plus" onClick={() => setBranches([...branches, newBranch(branches)])}>
            Add branch
          </Button>
        </div>
      )}
    </>
  );
}

interface TreeProps {
  path: string;
  tree: TreeDraft;
  execution: ExecutionChoices;
  onChange: (tree: TreeDraft) => void;
}

function Tree({ path, tree, execution, onChange }: TreeProps) {
  const failures = useContext(StepFailures);
  return (
    <div className={styles.tree}>
      <HiddenJson name={path} value={tree} onRestore={onChange} />
      <FilterBuilder tree={tree} onChange={onChange} path={path} failures={failures} execution={execution} />
    </div>
  );
}
