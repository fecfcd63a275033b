import { useRouteError } from 'react-router';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';

/** Shown when a page throws, or when its file no longer exists because a newer version was deployed. */
export function RouteFailure() {
  const error = useRouteError();
  return (
    <Page title="Something went wrong" narrow>
      <Notice
        tone="bad"
        title="This page couldn't be displayed"
        action={
          <Button small onClick={() => window.location.reload()}>
            Reload
          </Button>
        }
      >
        <p>{error instanceof Error ? error.message : String(error)}</p>
      </Notice>
    </Page>
  );
}
