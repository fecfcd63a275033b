import { reachableFrom, stepDefinitions, stepTypes } from '@postrider/core/automation/workflows/contract';
import { useMutation } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { Workflow } from '../../../lib/api.ts';
import { withoutPath } from '../../../lib/failure.ts';
import { useFailure } from '../../../lib/use-failure.ts';
import { Button } from '../../../ui/button.tsx';
import { SelectField } from '../../../ui/field.tsx';
import { Form } from '../../../ui/form.tsx';
import { Icon } from '../../../ui/icon.tsx';
import type { Place, StepChoice } from '../canvas/graph-context.ts';
import { canInsert, freeName, withConnection, withStep } from '../canvas/graph-edit.rules.ts';
import { useGraphEdits } from '../canvas/graph-history.ts';
import { outletWords } from '../steps/outlets.rules.ts';
import { StepForm } from '../steps/step-form.tsx';
import styles from '../steps/step-panel.module.css';
import { nearestBefore, StepsBefore } from '../steps/step-place.ts';
import { type StepInput, stepView } from '../steps/step-views.ts';
import { SidePanel } from './side-panel.tsx';

interface AddStepPanelProps {
  workflow: Workflow;
  place: Place;
  /** the type, if it was chosen before the place */
  chosen: StepChoice | null;
  onAdded: (stepId: string) => void;
  onClose: () => void;
}

/** Adds a step at a place of the canvas: first its type, then its settings. */
export function AddStepPanel({ workflow, place, chosen, onAdded, onClose }: AddStepPanelProps) {
  const [type, setType] = useState(chosen && canInsert(chosen, place) ? chosen : null);
  const { from, outlet, to } = place;
  const where = to
    ? `Between ${outletWords(from.name, outlet)} and “${to.name}”.`
    : `After ${outletWords(from.name, outlet)}.`;
  if (type !== null) {
    return (
      <SidePanel
        key={type}
        title={stepDefinitions[type].label}
        icon={stepView(type).icon}
        onClose={() => setType(null)}
      >
        <p className={styles.intro}>{where}</p>
        <StepsBefore
          value={[...(from.type === 'TRIGGER' ? [] : [from]), ...nearestBefore(workflow, from.id)]}
        >
          <NewStepForm workflow={workflow} place={place} type={type} onAdded={onAdded} />
        </StepsBefore>
      </SidePanel>
    );
  }
  // Nothing can follow an exit, so it cannot be inserted before another step.
  const types = stepTypes.filter((each): each is StepChoice => each !== 'TRIGGER' && canInsert(each, place));
  return (
    <SidePanel key="choice" title="Add a step" icon="plus" onClose={onClose}>
      <p className={styles.intro}>{where}</p>
      <ul className={styles.choices}>
        {types.map((each) => (
          <li key={each}>
            <button type="button" className={styles.choice} onClick={() => setType(each)}>
              <Icon name={stepView(each).icon} />
              <strong>{stepDefinitions[each].label}</strong>
              <span>{stepView(each).does}</span>
            </button>
          </li>
        ))}
      </ul>
      {!to && <ConnectForm workflow={workflow} place={place} onDone={onClose} />}
    </SidePanel>
  );
}

interface NewStepFormProps {
  workflow: Workflow;
  place: Place;
  type: StepInput['type'];
  onAdded: (stepId: string) => void;
}

function NewStepForm({ workflow, place, type, onAdded }: NewStepFormProps) {
  const { put } = useGraphEdits();
  const add = useMutation({
    async mutationFn({ templateId = null, ...input }: StepInput) {
      const id = crypto.randomUUID();
      const { steps } = await put(`addition of “${input.name}”`, (present) =>
        withStep(present, place, { ...input, templateId }, id, place.at),
      );
      // The API replaces an id that another project has.
      return steps.find((step) => step.id === id)?.id ?? steps.at(-1)?.id ?? id;
    },
  });
  const refusal = useFailure(add.error);
  // The step is one of many in the request, and the only one that this form shows.
  const failure = useMemo(() => refusal && withoutPath(refusal, /^steps\.\d+\./), [refusal]);
  return (
    <StepForm
      label="New step"
      type={type}
      name={freeName(stepDefinitions[type].label, workflow)}
      config={{}}
      templateId={null}
      eventName={eventNameOf(workflow)}
      failure={failure}
      // Not if another place was opened in the meantime, which unmounts the form.
      onSubmit={(input) => add.mutate(input, { onSuccess: onAdded })}
    >
      <Button kind="primary" type="submit" pending={add.isPending}>
        Add step
      </Button>
    </StepForm>
  );
}

export const eventNameOf = ({
  triggerConfig: { eventName },
}: Pick<Workflow, 'triggerConfig'>): string | undefined =>
  typeof eventName === 'string' ? eventName : undefined;

/** Branches can join again: an outlet may lead to an existing step. */
function ConnectForm({ workflow, place, onDone }: { workflow: Workflow; place: Place; onDone: () => void }) {
  const { put } = useGraphEdits();
  const { steps, transitions } = workflow;
  const { from } = place;
  const connect = useMutation({
    mutationFn: (toStepId: string) =>
      put('connection', (present) => withConnection(present, place, toStepId)),
    onSuccess: onDone,
  });
  const failure = useFailure(connect.error);
  const targets = steps.filter(
    ({ id, type }) => type !== 'TRIGGER' && id !== from.id && !reachableFrom([id], transitions).has(from.id),
  );
  if (targets.length === 0) return null;
  return (
    <>
      <hr className={styles.divider} />
      <Form
        label="Connect to an existing step"
        failure={failure}
        onSubmit={({ toStepId = '' }) => connect.mutate(toStepId)}
      >
        <SelectField name="toStepId" label="Or connect to an existing step" required>
          <option value="">Select a step</option>
          {targets.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
        <div>
          <Button small type="submit" pending={connect.isPending}>
            Connect
          </Button>
        </div>
      </Form>
    </>
  );
}
