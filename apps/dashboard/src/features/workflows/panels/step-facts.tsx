import type { WorkflowDefinition, WorkflowStep } from '../../../lib/api.ts';
import { Form } from '../../../ui/form.tsx';
import { StepForm } from '../steps/step-form.tsx';
import styles from '../steps/step-panel.module.css';
import { TriggerFields } from '../steps/triggers/trigger-fields.tsx';
import { eventNameOf } from './add-step-panel.tsx';

interface StepFactsProps {
  workflow: Pick<WorkflowDefinition, 'triggerType' | 'triggerConfig'>;
  step: WorkflowStep;
}

/** The settings of a step, where they cannot be changed: its form, out of use. */
export const StepFacts = ({ workflow, step }: StepFactsProps) => (
  <fieldset disabled className={styles.facts}>
    <legend className="visually-hidden">Settings of “{step.name}”</legend>
    {step.type === 'TRIGGER' ? (
      <Form label="Trigger" failure={null} onSubmit={nothing}>
        <TriggerFields trigger={workflow} />
      </Form>
    ) : (
      <StepForm
        label="Step"
        type={step.type}
        name={step.name}
        config={step.config}
        templateId={step.templateId}
        eventName={eventNameOf(workflow)}
        failure={null}
        onSubmit={nothing}
      >
        {null}
      </StepForm>
    )}
  </fieldset>
);

const nothing = (): void => undefined;
