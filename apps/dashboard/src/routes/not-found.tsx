import { useParams } from 'react-router';
import { paths } from '../lib/paths.ts';
import { useOpenPalette } from '../shell/palette-host.tsx';
import { Button, ButtonLink } from '../ui/button.tsx';
import { FormActions } from '../ui/form.tsx';
import { Page } from '../ui/page.tsx';

export function Component() {
  const { projectId } = useParams();
  const openPalette = useOpenPalette();
  return (
    <Page title="Page not found" intro="The address may be incomplete, or the page has moved.">
      <FormActions>
        {projectId ? (
          <>
            <ButtonLink to={paths.project(projectId)}>Go to the overview</ButtonLink>
            <Button icon="search" onClick={openPalette}>
              Search
            </Button>
          </>
        ) : (
          <ButtonLink to={paths.home}>Go to your projects</ButtonLink>
        )}
      </FormActions>
    </Page>
  );
}
