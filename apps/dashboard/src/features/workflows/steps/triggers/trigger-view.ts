import type { TriggerConfigInput } from '@postrider/core/automation/workflows/contract';
import type { ComponentType } from 'react';
import type { Workflow } from '../../../../lib/api.ts';
import type { FormValues } from '../../../../ui/form.tsx';

export interface TriggerFieldsProps {
  config: Workflow['triggerConfig'];
}

/** Everything the dashboard shows of one type of trigger, and the fields that change it. */
export interface TriggerView {
  /** its settings in a few words */
  summary(config: Workflow['triggerConfig']): string;
  /** what is missing while it cannot start the workflow, as a sentence */
  missing: string;
  /** fields for its settings, named as in the API; null if it has none */
  Fields: ComponentType<TriggerFieldsProps> | null;
  /** Reads the settings from the fields. @throws UnreadableField */
  read(values: FormValues): Partial<TriggerConfigInput>;
}

/** A setting as the value of a field. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
