import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { type Template, useApi } from '../../lib/api.ts';
import { useProjectPath } from '../../lib/current.ts';
import { failureOf } from '../../lib/failure.ts';
import { useAnnounce } from '../../ui/announce.tsx';
import type { Action } from '../../ui/menu.tsx';
import { useRefreshTemplates } from './use-refresh-templates.ts';

export function useDuplicateTemplate(template: Template): Action {
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
  return { label: 'Duplicate', icon: 'copy', run: () => duplicate.mutate({ id: template.id }) };
}
