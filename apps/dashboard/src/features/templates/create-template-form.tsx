import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useApi } from '../../lib/api.ts';
import { useProject, useProjectPath } from '../../lib/current.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { useFailure } from '../../lib/use-failure.ts';
import { Button } from '../../ui/button.tsx';
import { blankContent } from '../mail-editor/content/content.rules.ts';
import { designedBody } from '../mail-editor/design/designed-body.ts';
import { TemplateForm } from './template-form.tsx';
import { useRefreshTemplates } from './use-refresh-templates.ts';

/** @param from the suggested sender */
export function CreateTemplateForm({ from }: { from: string }) {
  const to = useProjectPath();
  const navigate = useNavigate();
  const refresh = useRefreshTemplates();
  const draft = useDraft('template.new');
  const [start] = useState(designedBody(useProject()));
  const create = useMutation({
    ...useApi().templates.create.mutationOptions(),
    async onSuccess({ id }) {
      draft.saved();
      await refresh();
      await navigate(to(`templates/${id}`));
    },
  });
  return (
    <TemplateForm
      label="New template"
      template={{
        name: '',
        description: null,
        alias: null,
        exemptFromLimits: false,
        topic: null,
        ...blankContent(from, 'TRANSACTIONAL'),
        ...start,
      }}
      failure={useFailure(create.error)}
      draft={draft}
      onSubmit={(template) => create.mutate(template)}
    >
      <Button kind="primary" type="submit" pending={create.isPending}>
        Save template
      </Button>
    </TemplateForm>
  );
}
