import { addStepInput } from '@postrider/core/automation/workflows/contract';
import { textLimits } from '@postrider/core/base/lib/contract';
import type { ReactNode } from 'react';
import { useMemo, useState } from 'react';
import { type Failure, foldFields } from '../../../lib/failure.ts';
import type { FormDraft } from '../../../lib/use-draft.ts';
import { TextField } from '../../../ui/field.tsx';
import { Form, FormActions, type FormValues } from '../../../ui/form.tsx';
import { ofFields, StepFailures } from './step-failures.ts';
import { placeRowFailures, rowKeys, UnreadableField, unreadable } from './step-input.rules.ts';
import { type StepInput, stepInputOf, stepView } from './step-views.ts';

interface StepFormProps {
  label: string;
  type: StepInput['type'];
  /** the initial values of the fields */
  name: string;
  config: Readonly<Record<string, unknown>>;
  templateId: string | null;
  eventName: string | undefined;
  /** the server's error */
  failure: Failure | null;
  draft?: FormDraft;
  onSubmit: (input: StepInput) => void;
  /** The buttons of the form. */
  children: ReactNode;
}

/** The form of a new or existing step. Unreadable input is reported at its field before a request is sent. */
export function StepForm({ label, type, name, failure, draft, onSubmit, children, ...rest }: StepFormProps) {
  const { Fields } = stepView(type);
  const [own, setOwn] = useState<Failure | null>(null);
  const [keys, setKeys] = useState<string[]>([]);
  const shown = useMemo(() => own ?? (failure && placed(failure, keys)), [own, failure, keys]);
  const submit = (values: FormValues) => {
    try {
      const input = stepInputOf(type, values);
      setOwn(null);
      setKeys(rowKeys(values));
      onSubmit(input);
    } catch (error) {
      if (!(error instanceof UnreadableField)) throw error;
      setOwn(unreadable(error));
    }
  };
  const fieldFailure = useMemo(() => shown && ofFields(shown), [shown]);
  return (
    <Form label={label} failure={fieldFailure} {...(draft && { draft })} onSubmit={submit}>
      <TextField
        name="name"
        label="Name"
        defaultValue={name}
        {...textLimits(addStepInput, 'name')}
        required
      />
      <StepFailures value={shown?.fields ?? {}}>{Fields && <Fields {...rest} />}</StepFailures>
      <FormActions>{children}</FormActions>
    </Form>
  );
}

/** Maps errors to the fields of the form, which has one field where the server names single parts. */
const placed = (failure: Failure, keys: string[]): Failure =>
  ['config.headers', 'config.body'].reduce(foldFields, placeRowFailures(failure, keys));
