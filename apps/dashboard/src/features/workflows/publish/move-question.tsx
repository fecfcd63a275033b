import { useState } from 'react';
import type { WorkflowDefinition } from '../../../lib/api.ts';
import { plural } from '../../../lib/format.ts';
import { ChoiceField } from '../../../ui/choice-field.tsx';
import { SelectField } from '../../../ui/field.tsx';
import { nextKept } from './changes.rules.ts';
import type { Move } from './move.rules.ts';
import styles from './publish-dialog.module.css';

interface MoveQuestionProps {
  move: Move;
  onMove: (move: Move) => void;
  active: number;
  /** keys of steps that are gone, with people there */
  needed: readonly string[];
  waitsDiffer: boolean;
  /** people at each step, by its key */
  people: ReadonlyMap<string, number>;
  before: WorkflowDefinition;
  after: WorkflowDefinition;
}

/** Who goes on by the new version; for everybody, also what becomes of those whose step is gone or whose waiting changes. */
export function MoveQuestion({
  move,
  onMove,
  active,
  needed,
  waitsDiffer,
  people,
  before,
  after,
}: MoveQuestionProps) {
  const [timers, setTimers] = useState<'KEEP' | 'RECOMPUTE'>('KEEP');
  const nameOf = (key: string) => before.steps.find((step) => step.key === key)?.name ?? key;
  return (
    <>
      <ChoiceField<Move>
        name="move"
        label="Who goes on by the new version?"
        value={move}
        onChange={onMove}
        options={[
          {
            value: 'NEW',
            label: 'New people only',
            note: `${plural(active, 'contact')} inside ${active === 1 ? 'goes' : 'go'} on as if nothing was published.`,
          },
          {
            value: 'ALL',
            label: 'Everybody',
            note: 'Those inside go on by the new version from where they are. Nothing behind them runs again.',
          },
        ]}
      />
      {move === 'ALL' && (needed.length > 0 || waitsDiffer) && (
        <div className={styles.follow}>
          {needed.map((key) => {
            const here = people.get(key) ?? 0;
            return (
              <SelectField
                key={key}
                name={`removed.${key}`}
                label={`“${nameOf(key)}” is removed`}
                hint={`${here > 0 ? plural(here, 'contact') : 'Somebody'} ${here > 1 ? 'are' : 'is'} there. A step that they were at before is passed at once.`}
                defaultValue={nextKept(key, before, after) ?? ''}
                required
              >
                <option value="">Choose what becomes of them</option>
                <option value="EXIT">End their way through the workflow</option>
                {after.steps
                  .filter(({ type }) => type !== 'TRIGGER')
                  .map((step) => (
                    <option key={step.key} value={step.key}>
                      Go on at “{step.name}”
                    </option>
                  ))}
              </SelectField>
            );
          })}
          {waitsDiffer && (
            <ChoiceField
              name="timers"
              label="Some wait at a step whose time or event changes"
              value={timers}
              onChange={setTimers}
              options={[
                { value: 'KEEP', label: 'Keep the time they have', note: 'They go on when it was told.' },
                {
                  value: 'RECOMPUTE',
                  label: 'Compute it anew',
                  note: 'As if the step had been so when they came to it. A time that has passed is now.',
                },
              ]}
            />
          )}
        </div>
      )}
    </>
  );
}
