import type { EmailContent } from '@postrider/core/content/templates/contract';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { Campaign } from '../../lib/api.ts';
import { useProject, useProjectPath } from '../../lib/current.ts';
import { given } from '../../lib/given.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { MailFrame } from '../../ui/mail-frame.tsx';
import { FailureNotice } from '../../ui/notice.tsx';
import { InboxLine } from '../mail-editor/editor/inbox-line.tsx';
import { ReaderChoice } from '../mail-editor/editor/reader-choice.tsx';
import { noSample, useContentPreview } from '../mail-editor/editor/use-content-preview.ts';
import { ScheduleDialog } from './schedule-campaign.tsx';
import { SendDialog } from './send-campaign.tsx';
import { TestDialog } from './test-campaign.tsx';

export const composerActions = ['preview', 'test', 'schedule', 'send'] as const;
export type ComposerAction = (typeof composerActions)[number];

interface ComposerDialogProps {
  action: ComposerAction;
  campaign: Campaign | null;
  content: EmailContent;
  onClose: () => void;
}

/** The dialog of an action of the composer. */
export function ComposerDialog({ action, campaign, content, onClose }: ComposerDialogProps) {
  const to = useProjectPath();
  const navigate = useNavigate();
  if (action === 'preview') return <PreviewDialog content={content} onClose={onClose} />;
  if (campaign === null) return null;
  const leave = () => void navigate(to(`campaigns/${campaign.id}`));
  if (action === 'test') return <TestDialog campaign={campaign} onClose={onClose} />;
  if (action === 'schedule')
    return <ScheduleDialog campaign={campaign} onClose={onClose} onScheduled={leave} />;
  return <SendDialog campaign={campaign} onClose={onClose} onSent={leave} />;
}

/** The email as the contact that is chosen receives it, or one without any data. */
function PreviewDialog({ content, onClose }: { content: EmailContent; onClose: () => void }) {
  const { name } = useProject();
  const [sample, setSample] = useState(noSample);
  const { shown, failure } = useContentPreview(content, sample);
  return (
    <Dialog title="Preview" wide onClose={onClose}>
      {failure && <FailureNotice failure={failure} />}
      <ReaderChoice
        contactId={sample.contactId}
        onChoose={(contactId) => setSample({ ...noSample, contactId })}
      />
      <InboxLine
        sender={given(content.fromName ?? '') ?? name}
        subject={shown?.subject ?? ''}
        preheader={shown?.preheader ?? ''}
        text={shown?.text ?? ''}
      />
      <MailFrame title="Email" html={shown?.html ?? ''} />
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
      </DialogActions>
    </Dialog>
  );
}
