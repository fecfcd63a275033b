import { useRouteError } from 'react-router';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';

/** A page that broke, or whose file is gone because a newer version was installed meanwhile. */
export function RouteFailure() {
  const error = useRouteError();
  return (
    <Page title="Something broke" narrow>
      <Notice
        tone="bad"
        title="This page could not be shown"
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
