import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { type Template, useApi } from '../../lib/api.ts';
import { useProjectPath } from '../../lib/current.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { useFailure } from '../../lib/use-failure.ts';
import { useAnnounce } from '../../ui/announce.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { TemplateForm } from './template-form.tsx';
import { useRefreshTemplates } from './use-refresh-templates.ts';

export function EditTemplateForm({ template }: { template: Template }) {
  const to = useProjectPath();
  const navigate = useNavigate();
  const announce = useAnnounce();
  const refresh = useRefreshTemplates();
  const page = to(`templates/${template.id}`);
  const draft = useDraft(`template.${template.id}`);
  const update = useMutation({
    ...useApi().templates.update.mutationOptions(),
    async onSuccess() {
      draft.saved();
      await refresh();
      await navigate(page);
      announce('Saved');
    },
  });
  return (
    <TemplateForm
      label="Template"
      template={template}
      failure={useFailure(update.error)}
      draft={draft}
      onSubmit={(fields) => update.mutate({ id: template.id, ...fields })}
    >
      <Button kind="primary" type="submit" pending={update.isPending}>
        Save template
      </Button>
      <ButtonLink to={page}>Cancel</ButtonLink>
    </TemplateForm>
  );
}
