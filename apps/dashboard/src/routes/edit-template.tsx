import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from 'react-router';
import { EditTemplateForm } from '../features/templates/edit-template-form.tsx';
import { useApi } from '../lib/api.ts';
import { useProjectPath } from '../lib/current.ts';
import { ButtonLink } from '../ui/button.tsx';
import { LoadFailure } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

export function Component() {
  const { templateId = '' } = useParams();
  const navigate = useNavigate();
  const page = useProjectPath()(`templates/${templateId}`);
  const template = useQuery(useApi().templates.get.queryOptions({ id: templateId }));
  return (
    <Page wide title="Edit template" back={{ to: page, label: template.data?.name ?? 'Template' }}>
      {template.isPending && <Skeleton lines={10} label="Loading the template" />}
      {template.isError && !template.data && <LoadFailure error={template.error} retry={template.refetch} />}
      {template.data && (
        <EditTemplateForm
          key={templateId}
          template={template.data}
          onSaved={() => navigate(page)}
          cancel={<ButtonLink to={page}>Cancel</ButtonLink>}
        />
      )}
    </Page>
  );
}
