import { useParams } from 'react-router';
import { paths } from '../lib/paths.ts';
import { useOpenPalette } from '../shell/palette-host.tsx';
import { Button, ButtonLink } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Page } from '../ui/page.tsx';

export function NotFoundRoute() {
  const { projectId } = useParams();
  const openPalette = useOpenPalette();
  return (
    <Page title="Page not found">
      <EmptyState
        icon="question"
        title="We couldn't find this page"
        action={
          projectId ? (
            <>
              <Button icon="search" onClick={openPalette}>
                Search
              </Button>
              <ButtonLink to={paths.project(projectId)}>Go to the overview</ButtonLink>
            </>
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
