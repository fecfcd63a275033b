import { SelectField, TextField } from '../../ui/field.tsx';
import { ConditionFields } from './condition-fields.tsx';
import { DurationRow } from './duration-row.tsx';
import { EmailFields } from './email-fields.tsx';
import type { StepInput } from './step-input.rules.ts';
import { textOf } from './text-of.ts';
import { UpdateFields } from './update-fields.tsx';
import { WaitFields } from './wait-fields.tsx';
import { WebhookFields } from './webhook-fields.tsx';

interface StepFieldsProps {
  type: StepInput['type'];
  /** empty for a new step */
  config: Readonly<Record<string, unknown>>;
  templateId: string | null;
  /** the triggering event, whose fields a condition can use */
  eventName: string | undefined;
}

/** The settings of a step, in fields named like those of the API. */
export function StepFields({ type, config, templateId, eventName }: StepFieldsProps) {
  switch (type) {
    case 'SEND_EMAIL':
      return <EmailFields config={config} templateId={templateId} />;
    case 'DELAY':
      return (
        <DurationRow>
          <TextField
            name="config.amount"
            label="Duration"
            type="number"
            min={1}
            step={1}
            defaultValue={textOf(config.amount, '1')}
            required
          />
          <SelectField name="config.unit" label="Unit" defaultValue={textOf(config.unit, 'days')}>
            <option value="minutes">minutes</option>
            <option value="hours">hours</option>
            <option value="days">days</option>
          </SelectField>
        </DurationRow>
      );
    case 'WAIT_FOR_EVENT':
      return <WaitFields config={config} />;
    case 'CONDITION':
      return <ConditionFields config={config} eventName={eventName} />;
    case 'WEBHOOK':
      return <WebhookFields config={config} />;
    case 'UPDATE_CONTACT':
      return <UpdateFields config={config} />;
    case 'EXIT':
      return (
        <TextField
          name="config.reason"
          label="Reason"
          defaultValue={textOf(config.reason, '')}
          maxLength={200}
          placeholder="exit_step"
          hint="Shown on the execution as the reason it ended."
        />
      );
  }
}
