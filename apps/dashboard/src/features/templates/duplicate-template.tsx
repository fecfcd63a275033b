import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { type Template, useApi } from '../../lib/api.ts';
import { useProjectPath } from '../../lib/current.ts';
import { failureOf } from '../../lib/failure.ts';
import { useAnnounce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { useRefreshTemplates } from './use-refresh-templates.ts';

export function DuplicateTemplate({ template }: { template: Template }) {
  const to = useProjectPath();
  const navigate = useNavigate();
  const announce = useAnnounce();
  const refresh = useRefreshTemplates();
  const duplicate = useMutation({
    ...useApi().templates.duplicate.mutationOptions(),
    onError: (error) => announce(failureOf(error).message, 'note'),
    async onSuccess({ id, name }) {
      await refresh();
      await navigate(to(`templates/${id}`));
      announce(`Created the copy “${name}”`);
    },
  });
  return (
    <Button icon="copy" pending={duplicate.isPending} onClick={() => duplicate.mutate({ id: template.id })}>
      Duplicate
    </Button>
  );
}
