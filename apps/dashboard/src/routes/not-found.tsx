import { useParams } from 'react-router';
import { paths } from '../lib/paths.ts';
import { ButtonLink } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Page } from '../ui/page.tsx';

export function NotFoundRoute() {
  const { projectId } = useParams();
  return (
    <Page title="Page not found">
      <EmptyState
        icon="question"
        title="We couldn't find this page"
        action={
          projectId ? (
            <ButtonLink to={paths.project(projectId)}>Go to the overview</ButtonLink>
          ) : (
            <ButtonLink to={paths.home}>Go to your projects</ButtonLink>
          )
        }
      >
        <p>The address may be incomplete, or the page has moved.</p>
      </EmptyState>
    </Page>
  );
}
