import { useQuery } from '@tanstack/react-query';
import { Navigate } from 'react-router';
import { useAccountApi } from '../lib/api.ts';
import { pickProject } from '../lib/last-project.ts';
import { paths } from '../lib/paths.ts';
import { Splash } from '../shell/splash.tsx';
import { LoadFailure } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';

/** Redirects to the project opened last, or to the form for a first project. */
export function Component() {
  const projects = useQuery(useAccountApi().projects.list.queryOptions({}));
  if (projects.data) {
    const project = pickProject(projects.data);
    return <Navigate to={project ? paths.project(project.id) : paths.newProject} replace />;
  }
  if (projects.isPending) return <Splash />;
  return (
    <main>
      <Page title="Projects" narrow>
        <LoadFailure error={projects.error} retry={projects.refetch} />
      </Page>
    </main>
  );
}
