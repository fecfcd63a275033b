import { useQuery } from '@tanstack/react-query';
import { CreateProjectForm } from '../features/people/projects/create-project-form.tsx';
import { useAccountApi } from '../lib/api.ts';
import { paths } from '../lib/paths.ts';
import { Page } from '../ui/page.tsx';
import { Frame } from '../ui/panel.tsx';

export function Component() {
  const projects = useQuery(useAccountApi().projects.list.queryOptions({}));
  const isFirst = projects.data?.length === 0;
  return (
    <Page
      title={isFirst ? 'Create your first project' : 'New project'}
      intro="Each project has its own API keys, domains, contacts, templates and campaigns. Projects share nothing."
      narrow
      {...(isFirst ? {} : { back: { to: paths.home, label: 'Back to your projects' } })}
    >
      <Frame label="Project" padded>
        <CreateProjectForm />
      </Frame>
    </Page>
  );
}
