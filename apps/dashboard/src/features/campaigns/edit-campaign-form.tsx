import { useLocation } from 'react-router';
import type { Campaign } from '../../lib/api.ts';
import { Composer } from './composer.tsx';
import { type ComposerAction, composerActions } from './composer-dialog.tsx';

interface EditCampaignFormProps {
  campaign: Campaign;
  onReload: () => void;
}

export function EditCampaignForm({ campaign, onReload }: EditCampaignFormProps) {
  return (
    <Composer
      label="Campaign"
      draftName={`campaign.${campaign.id}`}
      start={campaign}
      record={campaign}
      initialAction={actionIn(useLocation().state)}
      onReload={onReload}
    />
  );
}

/** The action that was chosen before the campaign was stored. */
function actionIn(state: unknown): ComposerAction | null {
  const chosen = typeof state === 'object' && state !== null && 'action' in state ? state.action : null;
  return composerActions.find((action) => action === chosen) ?? null;
}
