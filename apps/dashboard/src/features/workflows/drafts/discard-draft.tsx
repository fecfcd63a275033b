import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi, useApiClient, type Workflow } from '../../../lib/api.ts';
import { failureOf } from '../../../lib/failure.ts';
import { useAnnounce } from '../../../ui/announce.tsx';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/dialog.tsx';
import { useEditedCache } from '../canvas/use-edited-workflow.ts';
import { writeDraft } from '../canvas/write-draft.ts';
import { ChangeList } from '../publish/change-list.tsx';
import type { ChangeRow } from '../publish/changes.rules.ts';

interface DiscardDraftProps {
  live: Workflow;
  edited: Workflow;
  changes: readonly ChangeRow[];
}

/** Discards the draft, after a confirmation; the message about it offers to bring it back. */
export function DiscardDraft({ live: { id, version }, edited, changes }: DiscardDraftProps) {
  const client = useApiClient();
  const announce = useAnnounce();
  const { keep, read } = useEditedCache(id);
  const [asked, setAsked] = useState(false);
  const bringBack = async (draft: Workflow) => {
    try {
      keep(await writeDraft(client, id, draft));
      announce('The draft is back');
    } catch (error) {
      announce(failureOf(error).message, 'note');
    }
  };
  const discard = useMutation({
    ...useApi().workflows.discardDraft.mutationOptions(),
    async onSuccess() {
      setAsked(false);
      await read('no draft');
      announce('Draft discarded', 'done', { label: 'Undo', run: () => void bringBack(edited) });
    },
  });
  return (
    <>
      <Button
        small
        onClick={() => {
          discard.reset();
          setAsked(true);
        }}
      >
        Discard
      </Button>
      {asked && (
        <Confirm
          title="Discard the draft?"
          action="Discard draft"
          danger
          pending={discard.isPending}
          failure={discard.error ? failureOf(discard.error) : null}
          onConfirm={() => discard.mutate({ id })}
          onClose={() => setAsked(false)}
        >
          <p>These changes go. Version {version}, which is live, stays as it is.</p>
          {changes.length > 0 && <ChangeList label="Changes that go" rows={changes} />}
        </Confirm>
      )}
    </>
  );
}
