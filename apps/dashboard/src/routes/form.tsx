import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { useFormActions } from '../features/audience/forms/form-actions.tsx';
import { FormFigures } from '../features/audience/forms/form-figures.tsx';
import { FormSnippets } from '../features/audience/forms/form-snippets.tsx';
import { FormState } from '../features/audience/forms/form-state.tsx';
import { ToggleForm } from '../features/audience/forms/toggle-form.tsx';
import { type SignUpForm, useApi } from '../lib/api.ts';
import { useProjectPath } from '../lib/current.ts';
import { Fact, Facts } from '../ui/facts.tsx';
import { ActionMenu } from '../ui/menu.tsx';
import { LoadFailure, Notice } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Panel } from '../ui/panel.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { Moment } from '../ui/time.tsx';

export function Component() {
  const { formId = '' } = useParams();
  const to = useProjectPath();
  const form = useQuery(useApi().forms.get.queryOptions({ id: formId }));
  const back = { to: to('forms'), label: 'Forms' };
  if (form.data) return <FormPage form={form.data} back={back} />;
  return (
    <Page title="Form" back={back}>
      {form.isError ? (
        <LoadFailure error={form.error} retry={form.refetch} />
      ) : (
        <Skeleton lines={8} label="Loading the form" />
      )}
    </Page>
  );
}

function FormPage({ form, back }: { form: SignUpForm; back: { to: string; label: string } }) {
  return (
    <Page title={form.name} back={back} actions={<ActionMenu actions={useFormActions(form)} />}>
      {form.guardedUntil !== null && (
        <Notice tone="warn" title="Guarded against automatic sign-ups">
          <p>
            Too few of the last sign-ups were confirmed, so browsers have to work for each. It ends by itself,
            at the earliest <Moment at={form.guardedUntil} />.
          </p>
        </Notice>
      )}
      <ToggleForm form={form} />
      <FormFigures formId={form.id} />
      <FormSnippets form={form} />
      <Panel title="Form">
        <Facts>
          <Fact name="State">
            <FormState form={form} />
          </Fact>
          <Fact name="Page">
            <a href={form.url} target="_blank" rel="noreferrer">
              {form.url}
            </a>
          </Fact>
          <Fact name="Topics">{form.topics.join(', ')}</Fact>
          <Fact name="Version">{form.version}</Fact>
          <Fact name="Created">
            <Moment at={form.createdAt} />
          </Fact>
        </Facts>
      </Panel>
    </Page>
  );
}
