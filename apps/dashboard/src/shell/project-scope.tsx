import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo } from 'react';
import { Link, Outlet, useParams } from 'react-router';
import { createClient, ProjectApiProvider, useAccountApi } from '../lib/api.ts';
import { CurrentProject } from '../lib/current.ts';
import { rememberProject } from '../lib/last-project.ts';
import { followChanges } from '../lib/live-updates.ts';
import { paths } from '../lib/paths.ts';
import { useSessionState } from '../lib/session-end.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { LoadFailure } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Splash } from './splash.tsx';

/** Provides the pages below it with the project named in the URL and an API client for that project alone. */
export function ProjectScope() {
  const { projectId = '' } = useParams();
  const projects = useQuery(useAccountApi().projects.list.queryOptions({}));
  const project = projects.data?.find(({ id }) => id === projectId);

  useEffect(() => {
    if (project) rememberProject(project.id);
  }, [project]);

  if (project) {
    return (
      <CurrentProject value={project}>
        <ProjectApi key={project.id} projectId={project.id}>
          <Outlet />
        </ProjectApi>
      </CurrentProject>
    );
  }
  if (projects.isPending) return <Splash />;
  return (
    <main>
      <Page title="Project" narrow>
        {projects.data ? <NoSuchProject /> : <LoadFailure error={projects.error} retry={projects.refetch} />}
      </Page>
    </main>
  );
}

function ProjectApi({ projectId, children }: { projectId: string; children: ReactNode }) {
  const queryClient = useQueryClient();
  const client = useMemo(() => createClient(projectId), [projectId]);
  const { renewals } = useSessionState();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the connection ends with its session
  useEffect(() => followChanges(client, queryClient, projectId), [client, queryClient, projectId, renewals]);
  return (
    <ProjectApiProvider trpcClient={client} queryClient={queryClient} keyPrefix={projectId}>
      {children}
    </ProjectApiProvider>
  );
}

const NoSuchProject = () => (
  <EmptyState title="You don't have access to this project">
    <p>It doesn't exist, or you are not a member. Ask an owner of the project to invite you.</p>
    <Link to={paths.home}>Go to your projects</Link>
  </EmptyState>
);
