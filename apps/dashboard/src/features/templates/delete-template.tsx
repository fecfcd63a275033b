import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { type Template, useApi } from '../../lib/api.ts';
import { useProjectPath } from '../../lib/current.ts';
import { failureOf } from '../../lib/failure.ts';
import { useAnnounce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { useRefreshTemplates } from './use-refresh-templates.ts';

export function DeleteTemplate({ template: { id, name } }: { template: Template }) {
  const announce = useAnnounce();
  const navigate = useNavigate();
  const to = useProjectPath();
  const refresh = useRefreshTemplates();
  const [asked, setAsked] = useState(false);
  const remove = useMutation({
    ...useApi().templates.delete.mutationOptions(),
    async onSuccess() {
      await navigate(to('templates'));
      announce(`“${name}” is deleted`);
      await refresh();
    },
  });
  return (
    <>
      <Button
        onClick={() => {
          remove.reset();
          setAsked(true);
        }}
      >
        Delete
      </Button>
      {asked && (
        <Confirm
          title={`Delete “${name}”?`}
          action="Delete template"
          danger
          pending={remove.isPending}
          failure={remove.error ? failureOf(remove.error) : null}
          onConfirm={() => remove.mutate({ id })}
          onClose={() => setAsked(false)}
        >
          <p>
            Requests that send it by its id fail from then on. Campaigns keep the content they copied from it;
            a template that a workflow sends cannot be deleted.
          </p>
        </Confirm>
      )}
    </>
  );
}
