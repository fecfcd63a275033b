import { branchName, mostShares, type StepConfigs } from '@postrider/core/automation/workflows/contract';
import { limitsOf } from '@postrider/core/base/lib/contract';
import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { Icon } from '../../../ui/icon.tsx';
import styles from './step-panel.module.css';
import type { StepFieldsProps } from './step-view.ts';

type Config = StepConfigs['SPLIT'];
type Share = Config['branches'][number];

const letters = 'ABCDEFGHIJ';
const fresh: readonly Share[] = [
  { id: 'a', name: 'A', percent: 50 },
  { id: 'b', name: 'B', percent: 50 },
];

/** The branches with their shares, and which of them is held out. */
export function SplitFields({ config }: StepFieldsProps<Config>) {
  const [branches, setBranches] = useState(config.branches ?? fresh);
  const change = (id: string, changed: Partial<Share>) =>
    setBranches(branches.map((each) => (each.id === id ? { ...each, ...changed } : each)));
  const sum = branches.reduce((total, { percent }) => total + percent, 0);
  return (
    <>
      {branches.map(({ id, name, percent }, index) => (
        <fieldset key={id} className={styles.row}>
          <legend className="visually-hidden">Branch {index + 1}</legend>
          <input type="hidden" name={`config.branches.${index}.id`} value={id} />
          <div className={styles.share}>
            <TextField
              name={`config.branches.${index}.name`}
              label={`Branch ${index + 1}`}
              value={name}
              onChange={({ target }) => change(id, { name: target.value })}
              {...limitsOf(branchName)}
              required
            />
            <TextField
              name={`config.branches.${index}.percent`}
              label="Percent"
              type="number"
              min={0}
              max={100}
              step={1}
              value={percent}
              onChange={({ target }) => change(id, { percent: Number(target.value) })}
              required
            />
            {branches.length > 2 && (
              <Button
                kind="quiet"
                small
                onClick={() => setBranches(branches.filter((each) => each.id !== id))}
                aria-label={`Remove branch ${index + 1}`}
              >
                <Icon name="cross" size={12} />
              </Button>
            )}
          </div>
        </fieldset>
      ))}
      <p className={styles.intro} role="status">
        {sum === 100
          ? 'Everybody goes one of these ways.'
          : `The shares are ${sum} % together, and must be 100 %.`}
      </p>
      {branches.length < mostShares && (
        <div>
          <Button small icon="plus" onClick={() => setBranches([...branches, nextOf(branches)])}>
            Add branch
          </Button>
        </div>
      )}
      <SelectField
        key={branches.map(({ id, name }) => `${id} ${name}`).join('|')}
        name="config.holdout"
        label="Held out"
        defaultValue={config.holdout ?? ''}
        hint="Goals compare the contacts of this branch with the others."
      >
        <option value="">nobody</option>
        {branches.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
    </>
  );
}

function nextOf(branches: readonly Share[]): Share {
  const letter = [...letters].find((each) => branches.every(({ id }) => id !== each.toLowerCase())) ?? 'A';
  return { id: letter.toLowerCase(), name: letter, percent: 0 };
}
