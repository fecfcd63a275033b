import type { EmailContent } from '@postrider/core/content/templates/contract';
import type { Campaign, CampaignInput } from '../../lib/api.ts';
import { given } from '../../lib/given.ts';
import type { FormValues } from '../../ui/form.tsx';
import { isComplete, type TreeDraft, toTree } from '../common/filters/filter-tree.rules.ts';
import { readContent } from '../mail-editor/content/content.rules.ts';
import { writeDesign } from '../mail-editor/design/parse-design.ts';

/** The initial values of the fields. */
export type CampaignStart = EmailContent &
  Pick<
    Campaign,
    'name' | 'description' | 'audienceType' | 'segmentId' | 'audienceCondition' | 'templateId' | 'design'
  >;

export const audienceTypeOf = (value: string | undefined): Campaign['audienceType'] =>
  value === 'SEGMENT' || value === 'FILTERED' ? value : 'ALL';

/** What the fields of the composer save. */
export function readCampaign(values: FormValues, tree: TreeDraft, templateId: string | null): CampaignInput {
  const audienceType = audienceTypeOf(values.audienceType);
  return {
    name: values.name ?? '',
    description: given(values.description) ?? null,
    ...readContent(values),
    audienceType,
    segmentId: audienceType === 'SEGMENT' ? given(values.segmentId) : undefined,
    audienceCondition: audienceType === 'FILTERED' ? toTree(tree) : undefined,
    templateId,
  };
}

/** The values of the fields while nothing was typed. */
export const valuesOf = (start: CampaignStart): FormValues => ({
  name: start.name,
  description: start.description ?? '',
  audienceType: start.audienceType,
  segmentId: start.segmentId ?? '',
  subject: start.subject,
  preheader: start.preheader ?? '',
  body: start.body,
  design: writeDesign(start.design),
  from: start.from,
  fromName: start.fromName ?? '',
  replyTo: start.replyTo ?? '',
  type: start.type,
});

export const isAudienceComplete = (values: FormValues, tree: TreeDraft): boolean => {
  const type = audienceTypeOf(values.audienceType);
  if (type === 'SEGMENT') return given(values.segmentId) !== undefined;
  return type === 'ALL' || isComplete(tree);
};

/** Fields that change without an edit of the campaign. */
const volatile = new Set([
  'status',
  'statusReason',
  'scheduledFor',
  'sentAt',
  'createdAt',
  'updatedAt',
  'totalRecipients',
]);

/** Whether two versions of a campaign have the same content and audience. */
export function isSameVersion(one: Campaign, other: Campaign): boolean {
  const edited = (campaign: Campaign) =>
    JSON.stringify(
      Object.entries(campaign)
        .filter(([field, value]) => value !== null && !volatile.has(field) && !field.endsWith('Count'))
        .sort(([a], [b]) => a.localeCompare(b)),
    );
  return edited(one) === edited(other);
}
