import type { Whole } from '@postrider/core/base/lib/contract';
import type { Campaign, CampaignInput } from '../../lib/api.ts';
import { given } from '../../lib/given.ts';
import type { FormValues } from '../../ui/form.tsx';
import { isComplete, type TreeDraft, toTree } from '../common/filters/filter-tree.rules.ts';
import { readContent } from '../mail-editor/content/content.rules.ts';
import { writeDesign } from '../mail-editor/design/parse-design.ts';
import { parseTest, setupOf, writeTest } from './tests/test-setup.rules.ts';

/** The fields that are edited, all of them: a field that is not sent is cleared. */
type Fields = Whole<CampaignInput, undefined>;

/** The initial values of the fields. */
export type CampaignStart = Pick<Campaign, keyof Fields>;

export const audienceTypeOf = (value: string | undefined): Campaign['audienceType'] =>
  value === 'SEGMENT' || value === 'FILTERED' ? value : 'ALL';

/** What the fields of the composer save. */
export function readCampaign(values: FormValues, tree: TreeDraft, templateId: string | null): Fields {
  const audienceType = audienceTypeOf(values.audienceType);
  return {
    name: values.name ?? '',
    description: given(values.description) ?? null,
    ...readContent(values),
    audienceType,
    segmentId: audienceType === 'SEGMENT' ? given(values.segmentId) : undefined,
    audienceCondition: audienceType === 'FILTERED' ? toTree(tree) : undefined,
    // One that was chosen while writing takes the place of that which it began with.
    templateId: given(values.templateId) ?? templateId,
    exemptFromLimits: values.exemptFromLimits !== undefined,
    guard: values.guard !== undefined,
    holdout: Number(given(values.holdout) ?? 0),
    goalId: given(values.goalId) ?? null,
    test: parseTest(values.test),
    pace: paceOf(values),
    utm: utmOf(values),
    topic: given(values.topic) ?? null,
  };
}

/** What is no number is left to the API to refuse. */
const paceOf = (values: FormValues): Fields['pace'] => {
  const text = given(values['pace.perHour']);
  const careful = values.careful !== undefined;
  if (text === undefined && !careful) return null;
  return { perHour: text === undefined ? null : Number(text), careful };
};

const utmOf = (values: FormValues): Fields['utm'] => {
  const choice = values['utm.enabled'];
  const enabled = choice === 'on' ? true : choice === 'off' ? false : null;
  const campaign = given(values['utm.campaign']?.trim()) ?? null;
  return enabled === null && campaign === null ? null : { enabled, campaign };
};

type Box = 'exemptFromLimits' | 'guard' | 'careful';
type NamedFields =
  | Exclude<keyof Fields, 'audienceCondition' | 'templateId' | 'pace' | 'utm' | Box>
  | 'pace.perHour'
  | 'utm.enabled'
  | 'utm.campaign';

/**
 * The values of the fields while nothing was typed. Two have no field: the filters are a tree, and the template was chosen before. A box that
 * is not ticked has no value.
 */
export const valuesOf = (
  start: CampaignStart,
): Record<NamedFields, string> & Partial<Record<Box, string>> => ({
  name: start.name,
  description: start.description ?? '',
  audienceType: start.audienceType,
  segmentId: start.segmentId ?? '',
  subject: start.subject,
  preheader: start.preheader ?? '',
  body: start.body,
  text: start.text ?? '',
  design: writeDesign(start.design),
  from: start.from,
  fromName: start.fromName ?? '',
  replyTo: start.replyTo ?? '',
  type: start.type,
  topic: start.topic ?? '',
  holdout: start.holdout === 0 ? '' : String(start.holdout),
  goalId: start.goalId ?? '',
  test: writeTest(setupOf(start.test)),
  'pace.perHour': start.pace?.perHour ? String(start.pace.perHour) : '',
  'utm.enabled': start.utm?.enabled == null ? '' : start.utm.enabled ? 'on' : 'off',
  'utm.campaign': start.utm?.campaign ?? '',
  ...(start.exemptFromLimits && { exemptFromLimits: 'on' }),
  ...(start.guard && { guard: 'on' }),
  ...(start.pace?.careful && { careful: 'on' }),
});

export const isAudienceComplete = (values: FormValues, tree: TreeDraft): boolean => {
  const type = audienceTypeOf(values.audienceType);
  if (type === 'SEGMENT') return given(values.segmentId) !== undefined;
  return type === 'ALL' || isComplete(tree);
};

/** Whether two versions of a campaign have the same content and audience. */
export function isSameVersion(one: Campaign, other: Campaign): boolean {
  const edited = (campaign: Campaign) => {
    const { audienceCondition, templateId } = campaign;
    return JSON.stringify({ ...valuesOf(campaign), audienceCondition, templateId });
  };
  return edited(one) === edited(other);
}
