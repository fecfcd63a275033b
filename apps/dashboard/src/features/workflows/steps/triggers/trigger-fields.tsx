import { useState } from 'react';
import type { Workflow } from '../../../../lib/api.ts';
import { SelectField } from '../../../../ui/field.tsx';
import { isTriggerType, triggerChoices, triggerView } from './trigger-views.ts';

type Trigger = Pick<Workflow, 'triggerType' | 'triggerConfig'>;

/** The trigger of a workflow. The fields are named as in the API. */
export function TriggerFields({ trigger }: { trigger: Trigger }) {
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
      {Fields && <Fields config={trigger.triggerConfig} />}
    </>
  );
}
