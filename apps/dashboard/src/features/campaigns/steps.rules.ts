import type { FormValues } from '../../ui/form.tsx';
import type { TreeDraft } from '../common/filters/filter-tree.rules.ts';
import { audienceTypeOf, isAudienceComplete } from './campaign-input.rules.ts';

export const stepNames = ['audience', 'content', 'review'] as const;
export type StepName = (typeof stepNames)[number];

/** Something that is missing before a campaign can be sent. */
export interface Missing {
  step: StepName;
  /** The field to go to. */
  field: string;
  text: string;
}

const required = [
  { step: 'audience', field: 'name', text: 'Enter a name' },
  { step: 'content', field: 'subject', text: 'Enter a subject' },
  { step: 'content', field: 'from', text: 'Enter a sender address' },
  { step: 'content', field: 'body', text: 'Write the email' },
] as const satisfies Missing[];

/**
 * What is missing, in the order of the steps.
 *
 * @param willSend how many contacts would receive the campaign; null while that is not known
 */
export function missingOf(values: FormValues, tree: TreeDraft, willSend: number | null): Missing[] {
  const missing: Missing[] = required.filter(({ field }) => (values[field] ?? '').trim() === '');
  if (!isAudienceComplete(values, tree)) {
    const isSegment = audienceTypeOf(values.audienceType) === 'SEGMENT';
    missing.push({
      step: 'audience',
      field: isSegment ? 'segmentId' : 'audienceType',
      text: isSegment ? 'Select a segment' : 'Complete the filters',
    });
  } else if (willSend === 0) {
    missing.push({ step: 'audience', field: 'audienceType', text: 'Choose an audience with recipients' });
  }
  return missing.sort((one, other) => stepNames.indexOf(one.step) - stepNames.indexOf(other.step));
}

/** Whether the campaign can be stored: an audience without recipients can be, a missing field cannot. */
export const isStorable = (values: FormValues, tree: TreeDraft): boolean =>
  missingOf(values, tree, null).length === 0;
