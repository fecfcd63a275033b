import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { FormEditor } from '../features/audience/forms/form-editor.tsx';
import { useApi } from '../lib/api.ts';
import { useProjectPath } from '../lib/current.ts';
import { LoadFailure } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Frame } from '../ui/panel.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

export function Component() {
  const { formId = '' } = useParams();
  const to = useProjectPath();
  const form = useQuery(useApi().forms.get.queryOptions({ id: formId }));
  return (
    <Page title="Edit form" back={{ to: to(`forms/${formId}`), label: form.data?.name ?? 'Form' }}>
      {form.isPending && <Skeleton lines={8} label="Loading the form" />}
      {form.isError && !form.data && <LoadFailure error={form.error} retry={form.refetch} />}
      {form.data && (
        <Frame label="Form" padded>
          <FormEditor key={form.data.id} form={form.data} />
        </Frame>
      )}
    </Page>
  );
}
