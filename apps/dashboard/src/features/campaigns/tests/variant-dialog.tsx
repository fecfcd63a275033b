import type { VariantKey } from '@postrider/core/automation/campaigns/contract';
import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import { Form } from '../../../ui/form.tsx';
import { type DesignedContent, readContent } from '../../mail-editor/content/content.rules.ts';
import { ContentFields } from '../../mail-editor/editor/content-fields.tsx';
import { contentOfVariant, type GivenVariant, isEmpty, variantOf } from './test-setup.rules.ts';

interface VariantDialogProps {
  variantKey: VariantKey;
  /** The email of the campaign, which is A. */
  campaign: DesignedContent;
  variant: GivenVariant;
  onKeep: (variant: GivenVariant) => void;
  onClose: () => void;
}

/** The email of a variant: it begins as that of the campaign, and keeps what is changed. */
export function VariantDialog({ variantKey, campaign, variant, onKeep, onClose }: VariantDialogProps) {
  const [start] = useState(() => contentOfVariant(campaign, variant));
  const [isSame, setSame] = useState(false);
  return (
    <Dialog title={`Variant ${variantKey}`} wide onClose={onClose}>
      <div data-of-form="">
        <Form
          label={`Variant ${variantKey}`}
          failure={null}
          onSubmit={(values) => {
            const content = { ...readContent(values), type: campaign.type };
            // Until the editor has loaded, the form has no body.
            const isLoading = values.body === undefined;
            const changed = variantOf(
              campaign,
              isLoading ? { ...content, body: start.body, design: start.design } : content,
            );
            if (isEmpty(changed)) setSame(true);
            else onKeep(changed);
          }}
        >
          <p>Change what is to be compared. What you leave as it is follows A.</p>
          <ContentFields content={start} problem={null} isCampaign isVariant />
          {isSame && <p role="alert">It is the same as A. Change at least its subject.</p>}
          <DialogActions>
            <Button onClick={onClose}>Cancel</Button>
            <Button kind="primary" type="submit">
              Keep variant
            </Button>
          </DialogActions>
        </Form>
      </div>
    </Dialog>
  );
}
