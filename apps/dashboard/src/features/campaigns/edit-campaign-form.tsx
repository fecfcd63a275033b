import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { Campaign } from '../../lib/api.ts';
import { Composer } from './composer.tsx';
import { type ComposerAction, composerActions } from './composer-dialog.tsx';

interface EditCampaignFormProps {
  campaign: Campaign;
  onReload: () => void;
}

export function EditCampaignForm({ campaign, onReload }: EditCampaignFormProps) {
  const navigate = useNavigate();
  const { pathname, state } = useLocation();
  const [initialAction] = useState(() => actionIn(state));
  const isHandedOver = state !== null;
  const [isContinued] = useState(isHandedOver);
  useEffect(() => {
    // A reload of the page must not open the dialog again.
    if (isHandedOver) void navigate(pathname, { replace: true, preventScrollReset: true });
  }, [isHandedOver, navigate, pathname]);
  return (
    <Composer
      label="Campaign"
      draftName={`campaign.${campaign.id}`}
      start={campaign}
      record={campaign}
      initialAction={initialAction}
      isContinued={isContinued}
      onReload={onReload}
    />
  );
}

/** The action that was chosen before the campaign was stored, as the page of the new campaign hands it over. */
function actionIn(state: unknown): ComposerAction | null {
  const chosen = typeof state === 'object' && state !== null && 'action' in state ? state.action : null;
  return composerActions.find((action) => action === chosen) ?? null;
}
