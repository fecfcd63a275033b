import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type Template, useApi } from '../../lib/api.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { useFailure } from '../../lib/use-failure.ts';
import { useAnnounce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { TemplateForm } from './template-form.tsx';
import { useRefreshTemplates } from './use-refresh-templates.ts';

interface EditTemplateFormProps {
  template: Template;
  onSaved: () => unknown;
  /** The button or link that leaves without saving. */
  cancel: ReactNode;
}

export function EditTemplateForm({ template, onSaved, cancel }: EditTemplateFormProps) {
  const announce = useAnnounce();
  const refresh = useRefreshTemplates();
  const draft = useDraft(`template.${template.id}`);
  const update = useMutation({
    ...useApi().templates.update.mutationOptions(),
    async onSuccess() {
      draft.saved();
      await refresh();
      await onSaved();
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
      {cancel}
    </TemplateForm>
  );
}
