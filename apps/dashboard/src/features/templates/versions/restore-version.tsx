import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useApi } from '../../../lib/api.ts';
import { useProjectPath } from '../../../lib/current.ts';
import { failureOf } from '../../../lib/failure.ts';
import { useAnnounce } from '../../../ui/announce.tsx';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/dialog.tsx';
import { useRefreshTemplates } from '../use-refresh-templates.ts';

interface RestoreVersionProps {
  templateId: string;
  version: number;
  /** The version to go back to when it is undone. */
  current: number;
}

/** Gives the template the content of an older version, after a confirmation; the message about it offers to undo it. */
export function RestoreVersion({ templateId, version, current }: RestoreVersionProps) {
  const to = useProjectPath();
  const navigate = useNavigate();
  const announce = useAnnounce();
  const refresh = useRefreshTemplates();
  const [asked, setAsked] = useState(false);
  const options = useApi().templates.restoreVersion.mutationOptions();
  const undo = useMutation({
    ...options,
    onError: (error) => announce(failureOf(error).message, 'note'),
    async onSuccess(_template, restored) {
      await refresh();
      announce(`Version ${restored.version} restored`);
    },
  });
  const restore = useMutation({
    ...options,
    async onSuccess() {
      await refresh();
      await navigate(to(`templates/${templateId}`));
      announce(`Version ${version} restored`, 'done', {
        label: 'Undo',
        run: () => undo.mutate({ id: templateId, version: current }),
      });
    },
  });
  return (
    <>
      <Button
        kind="primary"
        icon="undo"
        onClick={() => {
          restore.reset();
          setAsked(true);
        }}
      >
        Restore
      </Button>
      {asked && (
        <Confirm
          title={`Restore version ${version}?`}
          action={`Restore version ${version}`}
          pending={restore.isPending}
          failure={restore.error ? failureOf(restore.error) : null}
          onConfirm={() => restore.mutate({ id: templateId, version })}
          onClose={() => setAsked(false)}
        >
          <p>
            The template gets the subject, preheader and texts of version {version}, as a new version. Emails
            sent from then on use it. Version {current} stays in the history.
          </p>
        </Confirm>
      )}
    </>
  );
}
