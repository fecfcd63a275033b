import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { Template } from '../../lib/api.ts';
import { useProject, useProjectPath } from '../../lib/current.ts';
import { blankContent } from '../mail-editor/content/content.rules.ts';
import { designedBody } from '../mail-editor/design/designed-body.ts';
import { Composer } from './composer.tsx';

interface CreateCampaignFormProps {
  /** The suggested sender. */
  from: string;
  /** The template to copy the content from. */
  template: Template | null;
}

/** The composer of a campaign that is not stored yet. The first save continues at the address of the campaign. */
export function CreateCampaignForm({ from, template }: CreateCampaignFormProps) {
  const to = useProjectPath();
  const navigate = useNavigate();
  const [start] = useState(designedBody(useProject()));
  return (
    <Composer
      label="New campaign"
      draftName={template ? `campaign.new.${template.id}` : 'campaign.new'}
      start={{
        ...(template ?? { ...blankContent(from, 'MARKETING'), ...start }),
        name: template?.name ?? '',
        description: null,
        audienceType: 'ALL',
        segmentId: null,
        audienceCondition: null,
        templateId: template?.id ?? null,
        exemptFromLimits: false,
        guard: true,
        pace: null,
        holdout: 0,
        utm: null,
        goalId: null,
        test: null,
        topic: template?.topic ?? null,
      }}
      record={null}
      onCreated={({ id }, action) =>
        void navigate(to(`campaigns/${id}/edit`), {
          replace: true,
          preventScrollReset: true,
          state: { action },
        })
      }
    />
  );
}
