import type { ComponentType } from 'react';
import type { StepExecution, Workflow, WorkflowStep } from '../../../lib/api.ts';
import type { FormValues } from '../../../ui/form.tsx';
import type { IconName } from '../../../ui/icon.tsx';

export type Json = Readonly<Record<string, unknown>>;

export interface StepFieldsProps<Config> {
  /** empty for a new step */
  config: Readonly<Partial<Config>>;
  templateId: string | null;
  /** the triggering event, whose fields a condition can use */
  eventName: string | undefined;
}

/** A step that was reached, with what it recorded. */
export type TakenStep = Pick<StepExecution, 'scheduledFor'> & { output: Json };

/** Everything the dashboard shows of one type of step, and the form that changes it. */
export interface StepView<Config = unknown, Input = unknown> {
  icon: IconName;
  /** what it does, shown when adding a step */
  does: string;
  /** its settings in one line */
  summary(
    config: Config,
    step: Pick<WorkflowStep, 'template'>,
    trigger: Pick<Workflow, 'triggerType' | 'triggerConfig'>,
  ): string;
  /** fields for its settings, named as in the API; null if they are changed elsewhere */
  Fields: ComponentType<StepFieldsProps<Config>> | null;
  /** Reads the settings from the fields. @throws UnreadableField */
  read(values: FormValues): Input;
  /** what it did, from its output. `config` holds the current settings, empty if the step was deleted. */
  completed(output: Json, config: Readonly<Partial<Config>>): string;
  /** what it is doing; ends with a preposition if a time follows */
  underWay?(taken: TakenStep, config: Readonly<Partial<Config>>): string;
}
