import { textLimits } from '@postrider/core/kernel/contract';
import { addStepInput } from '@postrider/core/workflows/contract';
import type { ReactNode } from 'react';
import { useMemo, useState } from 'react';
import { type Failure, foldFields } from '../../lib/failure.ts';
import { TextField } from '../../ui/field.tsx';
import { Form, FormActions, type FormValues } from '../../ui/form.tsx';
import { placeRowFailures, rowKeys, UnreadableField, unreadable } from './step-input.rules.ts';
import { type StepInput, stepInputOf, stepView } from './steps/step-views.ts';

interface StepFormProps {
  label: string;
  type: StepInput['type'];
  /** what the fields hold at first */
  name: string;
  config: Readonly<Record<string, unknown>>;
  templateId: string | null;
  eventName: string | undefined;
  /** what the server said */
  failure: Failure | null;
  onSubmit: (input: StepInput) => void;
  /** What submits the form. */
  children: ReactNode;
}

/** The form of a step, new or not. What cannot be read is said at its field before anything is sent. */
export function StepForm({ label, type, name, failure, onSubmit, children, ...rest }: StepFormProps) {
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
  return (
    <Form label={label} failure={shown} onSubmit={submit}>
      <TextField
        name="name"
        label="Name"
        defaultValue={name}
        {...textLimits(addStepInput, 'name')}
        required
      />
      {Fields && <Fields {...rest} />}
      <FormActions>{children}</FormActions>
    </Form>
  );
}

/** The form has one field for what the server names part by part. */
const placed = (failure: Failure, keys: string[]): Failure =>
  ['config.headers', 'config.body'].reduce(foldFields, placeRowFailures(failure, keys));
