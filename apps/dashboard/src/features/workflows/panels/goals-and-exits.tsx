import type { FilterTree } from '@postrider/core/audience/segments/contract';
import { goalEffects, mostExitRules, mostWorkflowGoals } from '@postrider/core/automation/workflows/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { type Goal, useApi, type Workflow, type WorkflowUpdate } from '../../../lib/api.ts';
import { useProjectPath } from '../../../lib/current.ts';
import { type Failure, withoutFields } from '../../../lib/failure.ts';
import { useFailure } from '../../../lib/use-failure.ts';
import { useAnnounce } from '../../../ui/announce.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { Form, FormActions } from '../../../ui/form.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { SuggestedField } from '../../../ui/suggested-field.tsx';
import { FilterBuilder } from '../../common/filters/filter-builder.tsx';
import { FilterPlaces } from '../../common/filters/filter-places.ts';
import { fromTree, isTree, newTree, toTree } from '../../common/filters/filter-tree.rules.ts';
import { FilterWords } from '../../common/filters/filter-words.tsx';
import { incompleteFilters } from '../../common/filters/incomplete-filters.ts';
import { WhereRows } from '../../common/filters/where-rows.tsx';
import { useRefreshWorkflows } from '../canvas/use-refresh-workflows.ts';
import { UnreadableField, unreadable } from '../steps/step-input.rules.ts';
import styles from '../steps/step-panel.module.css';
import {
  type EndsDraft,
  type ExitDraft,
  endsInput,
  endsOf,
  type GoalDraft,
  missingIn,
  nextKey,
} from './ends-draft.rules.ts';
import { SidePanel } from './side-panel.tsx';

const effects = {
  MEASURE: ['Measure', 'Counts who reaches it'],
  EXIT: ['End the workflow', 'And withdraw email that waits'],
  JUMP: ['Go on at a step', 'Once, from wherever the contact is'],
} as const;

/** What is measured of the contacts in a workflow, and what ends it for them wherever they are. */
export function GoalsAndExits({ workflow }: { workflow: Workflow }) {
  const announce = useAnnounce();
  const refresh = useRefreshWorkflows();
  const api = useApi();
  const [ends, setEnds] = useState(() => endsOf(workflow));
  const goals = useQuery(api.goals.list.queryOptions({ limit: 50, archived: false }));
  const update = useMutation({
    ...api.workflows.update.mutationOptions(),
    async onSuccess() {
      await refresh();
      announce('Saved');
    },
  });
  const known = goals.data?.data ?? [];
  const [own, setOwn] = useState<Failure | null>(null);
  const refusal = useFailure(update.error);
  const failure = own ?? refusal;
  // Conditions on data show theirs themselves.
  const elsewhere = ends.exits.map((_, index) => `exits.${index}.where`);
  return (
    <SidePanel title="Goals and exits" icon="goal">
      <p className={styles.intro}>
        Who has done what the workflow is for needs no further email. An exit ends it for them wherever they
        are, also while an email waits.
      </p>
      <Form
        label="Goals and exits"
        failure={failure && elsewhere.reduce(withoutFields, failure)}
        onSubmit={() => {
          const [missing] = Object.entries(missingIn(ends));
          setOwn(missing ? unreadable(new UnreadableField(...missing)) : null);
          if (missing) return;
          update.mutate({
            id: workflow.id,
            ...(endsInput(ends) as Pick<WorkflowUpdate, 'goals' | 'exits'>),
            // Somebody's draft is not to go live with it.
            ...(workflow.draft && { publish: false }),
          });
        }}
      >
        <GoalRows workflow={workflow} known={known} ends={ends} onChange={setEnds} />
        <ExitRows ends={ends} onChange={setEnds} failures={failure?.fields ?? {}} />
        <FormActions>
          <Button kind="primary" type="submit" pending={update.isPending}>
            Save
          </Button>
        </FormActions>
      </Form>
    </SidePanel>
  );
}

interface RowsProps {
  ends: EndsDraft;
  onChange: (ends: EndsDraft) => void;
}

function GoalRows({
  workflow,
  known,
  ends,
  onChange,
}: RowsProps & { workflow: Workflow; known: readonly Goal[] }) {
  const to = useProjectPath();
  const { goals } = ends;
  const change = (key: number, part: Partial<GoalDraft>) =>
    onChange({ ...ends, goals: goals.map((each) => (each.key === key ? { ...each, ...part } : each)) });
  const free = known.find(({ id }) => goals.every(({ goalId }) => goalId !== id));
  const steps = workflow.steps.filter(({ type }) => type !== 'TRIGGER');
  return (
    <>
      {goals.map(({ key, goalId, effect, toStepKey }, index) => (
        <fieldset key={key} className={styles.row}>
          <legend className="visually-hidden">Goal {index + 1}</legend>
          <div className={styles.withRemove}>
            <SelectField
              name={`goals.${index}.goalId`}
              label="Goal"
              value={goalId}
              onChange={({ target }) => change(key, { goalId: target.value })}
            >
              {known.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </SelectField>
            <Remove
              label={`Remove goal ${index + 1}`}
              onRemove={() => onChange({ ...ends, goals: goals.filter((each) => each.key !== key) })}
            />
          </div>
          <SelectField
            name={`goals.${index}.effect`}
            label="When it is reached"
            value={effect}
            onChange={({ target }) =>
              change(key, {
                effect: goalEffects.find((each) => each === target.value) ?? 'MEASURE',
                toStepKey: toStepKey === '' ? (steps[0]?.key ?? '') : toStepKey,
              })
            }
          >
            {goalEffects.map((each) => (
              <option key={each} value={each} title={effects[each][1]}>
                {effects[each][0]}
              </option>
            ))}
          </SelectField>
          {effect === 'JUMP' && (
            <SelectField
              name={`goals.${index}.toStepKey`}
              label="Step"
              value={toStepKey}
              onChange={({ target }) => change(key, { toStepKey: target.value })}
            >
              {steps.map((step) => (
                <option key={step.key} value={step.key}>
                  {step.name}
                </option>
              ))}
            </SelectField>
          )}
        </fieldset>
      ))}
      {free && goals.length < mostWorkflowGoals && (
        <div>
          <Button
            small
            icon="plus"
            onClick={() =>
              onChange({
                ...ends,
                goals: [...goals, { key: nextKey(goals), goalId: free.id, effect: 'MEASURE', toStepKey: '' }],
              })
            }
          >
            Add goal
          </Button>
        </div>
      )}
      {known.length === 0 && (
        <p className={styles.intro}>
          A goal says how many reach it. <Link to={to('goals/new')}>Create a goal</Link>
        </p>
      )}
    </>
  );
}

function ExitRows({ ends, onChange, failures }: RowsProps & { failures: Readonly<Record<string, string>> }) {
  const names = useQuery(useApi().events.names.queryOptions());
  const [edited, setEdited] = useState<number | null>(null);
  const { exits } = ends;
  const change = (key: number, part: Partial<ExitDraft>) =>
    onChange({ ...ends, exits: exits.map((each) => (each.key === key ? { ...each, ...part } : each)) });
  const add = (part: Pick<ExitDraft, 'condition'>) => {
    const key = nextKey(exits);
    onChange({ ...ends, exits: [...exits, { key, name: '', eventName: '', where: [], ...part }] });
    if (part.condition) setEdited(key);
  };
  const open = exits.find(({ key }) => key === edited);
  const condition = open?.condition;
  const paths = new Map(
    exits.flatMap(({ where }, index) =>
      where.map((each, at): [string, string] => [each.key, `exits.${index}.where.${at}`]),
    ),
  );
  return (
    <FilterPlaces value={{ paths, failures }}>
      {exits.map(({ key, name, eventName, condition: tree, where }, index) => (
        <fieldset key={key} className={styles.row}>
          <legend className="visually-hidden">Exit {index + 1}</legend>
          <div className={styles.withRemove}>
            {tree ? (
              <TextField
                name={`exits.${index}.name`}
                label="Exit when"
                placeholder="Left the plan"
                value={name}
                onChange={({ target }) => change(key, { name: target.value })}
                maxLength={100}
                required
              />
            ) : (
              <SuggestedField
                name={`exits.${index}.eventName`}
                label="Exit on event"
                suggestions={names.data?.eventNames ?? []}
                placeholder="order.paid"
                value={eventName}
                onChange={({ target }) => change(key, { eventName: target.value })}
                required
              />
            )}
            <Remove
              label={`Remove exit ${index + 1}`}
              onRemove={() => onChange({ ...ends, exits: exits.filter((each) => each.key !== key) })}
            />
          </div>
          {!tree && (
            <WhereRows
              where={where}
              of="event"
              eventName={eventName || undefined}
              label={`Exit ${index + 1}`}
              onChange={(next) => change(key, { where: next })}
            />
          )}
          {tree && (
            <>
              <FilterWords condition={tree} />
              <div>
                <Button small onClick={() => setEdited(key)}>
                  Edit condition
                </Button>
              </div>
            </>
          )}
        </fieldset>
      ))}
      {exits.length < mostExitRules && (
        <div className={styles.pair}>
          <Button small icon="plus" onClick={() => add({ condition: null })}>
            Exit on event
          </Button>
          <Button small icon="plus" onClick={() => add({ condition: toTree(newTree()) })}>
            Exit on condition
          </Button>
        </div>
      )}
      {open && condition && (
        <ConditionDialog
          condition={condition}
          onClose={() => {
            setEdited(null);
            // A rule without a condition would be none.
            if (incompleteFilters(fromTree(condition), 'condition'))
              onChange({ ...ends, exits: exits.filter(({ key }) => key !== open.key) });
          }}
          onDone={(changed) => {
            change(open.key, { condition: changed });
            setEdited(null);
          }}
        />
      )}
    </FilterPlaces>
  );
}

interface ConditionDialogProps {
  condition: FilterTree;
  onDone: (condition: FilterTree) => void;
  onClose: () => void;
}

function ConditionDialog({ condition, onDone, onClose }: ConditionDialogProps) {
  const [tree, setTree] = useState(() => (isTree(condition) ? fromTree(condition) : newTree()));
  const [failures, setFailures] = useState<Readonly<Record<string, string>>>({});
  return (
    <Dialog title="Exit when the contact matches" wide onClose={onClose}>
      <p className={styles.intro}>It is asked before each email, webhook and update of the contact.</p>
      <FilterBuilder tree={tree} onChange={setTree} path="condition" failures={failures} />
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          kind="primary"
          onClick={() => {
            const missing = incompleteFilters(tree, 'condition');
            setFailures(missing?.fields ?? {});
            if (!missing) onDone(toTree(tree));
          }}
        >
          Done
        </Button>
      </DialogActions>
    </Dialog>
  );
}

const Remove = ({ label, onRemove }: { label: string; onRemove: () => void }) => (
  <Button kind="quiet" small onClick={onRemove} aria-label={label}>
    <Icon name="cross" size={12} />
  </Button>
);
