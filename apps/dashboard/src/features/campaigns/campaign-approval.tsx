import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { Link } from 'react-router';
import { type Campaign, useApi } from '../../lib/api.ts';
import { useProject, useProjectPath } from '../../lib/current.ts';
import { failureOf } from '../../lib/failure.ts';
import { formatMinute, plural } from '../../lib/format.ts';
import { useAnnounce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { TextAreaField } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { changedInWords } from './changed-fields.rules.ts';
import { useRefreshCampaigns } from './use-refresh-campaigns.ts';

type Given = NonNullable<Campaign['approval']>;

/** Where the approval of a campaign that is not sent yet has got to, and what is to be done about it. */
export function CampaignApproval({ campaign }: { campaign: Campaign }) {
  const { approval: rule } = useProject();
  const { approval } = campaign;
  if (rule.required === 'NEVER' && approval === null) return null;
  if (approval === null) return <Unapproved campaign={campaign} title={needed(rule)} />;
  const page = <ApprovalLink id={approval.id} />;
  const by = approval.decidedBy?.label ?? 'a second person';
  switch (approval.status) {
    case 'PENDING':
      return approval.changed.length > 0 ? (
        <Unapproved campaign={campaign} title="It has changed since its approval was asked for">
          <Changed approval={approval} />
        </Unapproved>
      ) : (
        <Notice tone="busy" title="It waits for the approval of an owner or admin" action={page}>
          <p>{`${approval.requestedBy.label} has asked for it. Any change of the campaign ends the request.`}</p>
        </Notice>
      );
    case 'APPROVED':
      return approval.valid ? (
        <Notice tone="good" title={`Approved by ${by}`} action={page}>
          <p>
            {approval.decidedAt && `On ${formatMinute(approval.decidedAt)}. `}
            {campaign.status === 'SCHEDULED'
              ? 'Unschedule it if you have to change it; it then has to be approved again.'
              : 'Any change of the campaign, or of a segment of its audience, ends the approval.'}
          </p>
        </Notice>
      ) : (
        <Unapproved campaign={campaign} title={`It has changed since ${by} approved it`}>
          <Changed approval={approval} />
        </Unapproved>
      );
    case 'DECLINED':
      return (
        <Unapproved campaign={campaign} title={`Declined by ${by}`}>
          <p>
            <ApprovalLink id={approval.id} />
          </p>
        </Unapproved>
      );
    default:
      return <Unapproved campaign={campaign} title={needed(rule)} />;
  }
}

function needed({ required, above }: ReturnType<typeof useProject>['approval']): string {
  if (required === 'NEVER') return 'It has no approval, and needs none';
  return required === 'ALWAYS'
    ? 'It needs an approval before it is sent'
    : `With more than ${plural(above ?? 0, 'recipient')}, it needs an approval before it is sent`;
}

const Changed = ({ approval }: { approval: Given }) => (
  <p>{`Changed: ${changedInWords(approval.changed)}.`}</p>
);

function ApprovalLink({ id }: { id: string }) {
  const to = useProjectPath();
  return <Link to={to(`approvals/${id}`)}>View approval</Link>;
}

interface UnapprovedProps {
  campaign: Campaign;
  title: string;
  children?: ReactNode;
}

function Unapproved({ campaign, title, children }: UnapprovedProps) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Notice
        tone="warn"
        title={title}
        action={
          <Button small onClick={() => setAsking(true)}>
            Ask for approval
          </Button>
        }
      >
        {children ?? (
          <p>An owner or admin gives it who has neither asked for it nor changed the campaign last.</p>
        )}
      </Notice>
      {isAsking && <AskDialog campaign={campaign} onClose={() => setAsking(false)} />}
    </>
  );
}

function AskDialog({ campaign, onClose }: { campaign: Campaign; onClose: () => void }) {
  const announce = useAnnounce();
  const refresh = useRefreshCampaigns();
  const [note, setNote] = useState('');
  const ask = useMutation({
    ...useApi().campaigns.requestApproval.mutationOptions(),
    async onSuccess() {
      await refresh();
      onClose();
      announce('Approval asked for');
    },
  });
  return (
    <Confirm
      title="Ask for approval?"
      action="Ask for approval"
      pending={ask.isPending}
      failure={ask.error ? failureOf(ask.error) : null}
      onConfirm={() => ask.mutate({ id: campaign.id, ...(note.trim() !== '' && { note }) })}
      onClose={onClose}
    >
      <p>
        Owners and admins can then approve the campaign as it is now, but not who asks for it, nor who has
        changed it last. They do not send it: that is up to you.
      </p>
      <TextAreaField
        name="note"
        label="Note"
        hint="Who decides can read it."
        value={note}
        onChange={({ target }) => setNote(target.value)}
        maxLength={500}
        rows={3}
      />
    </Confirm>
  );
}
