import { createCampaignInput } from '@postrider/core/campaigns/contract';
import { textLimits } from '@postrider/core/kernel/contract';
import type { EmailContent } from '@postrider/core/templates/contract';
import { type ReactNode, useMemo, useState } from 'react';
import type { Campaign, CampaignInput } from '../../lib/api.ts';
import { type Failure, withoutFields } from '../../lib/failure.ts';
import { given } from '../../lib/given.ts';
import type { FormDraft } from '../../lib/use-draft.ts';
import { TextField } from '../../ui/field.tsx';
import { FieldRow, Form, FormActions } from '../../ui/form.tsx';
import { fromTree, isTree, newTree, type TreeDraft, toTree } from '../filters/filter-tree.rules.ts';
import { incompleteFilters } from '../filters/incomplete-filters.ts';
import { readContent } from '../templates/content.rules.ts';
import { ContentFields } from '../templates/content-fields.tsx';
import { AudienceFields } from './audience-fields.tsx';

/** The initial values of the fields. */
type CampaignStart = EmailContent &
  Pick<Campaign, 'name' | 'description' | 'audienceType' | 'segmentId' | 'audienceCondition' | 'templateId'>;

interface CampaignFormProps {
  label: string;
  campaign: CampaignStart;
  failure: Failure | null;
  draft: FormDraft;
  onSubmit: (campaign: CampaignInput) => void;
  /** The buttons of the form. */
  children: ReactNode;
}

export function CampaignForm({
  label,
  campaign,
  failure: refusal,
  draft,
  onSubmit,
  children,
}: CampaignFormProps) {
  const [audienceType, setAudienceType] = useState(campaign.audienceType);
  const [tree, setTree] = useState(() =>
    isTree(campaign.audienceCondition) ? fromTree(campaign.audienceCondition) : newTree(),
  );
  const [own, setOwn] = useState<Failure | null>(null);
  const failure = own ?? refusal;
  const ofFields = useMemo(() => failure && withoutFields(failure, 'audienceCondition'), [failure]);
  return (
    <Form
      label={label}
      failure={ofFields}
      draft={draft}
      extra={{ value: tree, restore: (value) => setTree(value as TreeDraft) }}
      onSubmit={(values) => {
        const missing = audienceType === 'FILTERED' ? incompleteFilters(tree, 'audienceCondition') : null;
        setOwn(missing);
        if (missing) return;
        onSubmit({
          name: values.name ?? '',
          description: given(values.description) ?? null,
          ...readContent(values),
          audienceType,
          segmentId: audienceType === 'SEGMENT' ? given(values.segmentId) : undefined,
          audienceCondition: audienceType === 'FILTERED' ? toTree(tree) : undefined,
          templateId: campaign.templateId,
        });
      }}
    >
      <FieldRow>
        <TextField
          name="name"
          label="Name"
          defaultValue={campaign.name}
          hint="Only visible to your team."
          {...textLimits(createCampaignInput, 'name')}
          required
          autoFocus={campaign.name === ''}
        />
        <TextField
          name="description"
          label="Description"
          defaultValue={campaign.description ?? ''}
          {...textLimits(createCampaignInput, 'description')}
        />
      </FieldRow>
      <AudienceFields
        type={audienceType}
        onType={setAudienceType}
        segmentId={campaign.segmentId}
        tree={tree}
        onTree={setTree}
        failures={failure?.fields ?? {}}
      />
      <ContentFields content={campaign} problem={failure?.position ?? null} />
      <FormActions>{children}</FormActions>
    </Form>
  );
}
