import { useState } from 'react';
import type { Workflow } from '../../../../lib/api.ts';
import type { Failure } from '../../../../lib/failure.ts';
import { SelectField } from '../../../../ui/field.tsx';
import { StepFailures } from '../step-failures.ts';
import { isTriggerType, triggerChoices, triggerView } from './trigger-views.ts';

type Trigger = Pick<Workflow, 'triggerType' | 'triggerConfig'>;

interface TriggerFieldsOf {
  trigger: Trigger;
  /** What parts that are no fields have to show of it. */
  failure?: Failure | null;
}

/** The trigger of a workflow. The fields are named as in the API. */
export function TriggerFields({ trigger, failure = null }: TriggerFieldsOf) {
  const [type, setType] = useState(trigger.triggerType);
  const { Fields } = triggerView(type);
  return (
    <>
      <SelectField
        name="triggerType"
        label="Trigger"
        value={type}
        onChange={({ target: { value } }) => isTriggerType(value) && setType(value)}
      >
        {triggerChoices.map(({ type: value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
      <StepFailures value={failure?.fields ?? noFailures}>
        {Fields && <Fields config={trigger.triggerConfig} />}
      </StepFailures>
    </>
  );
}

const noFailures = {};
