import { useQuery } from '@tanstack/react-query';
import { Outlet } from 'react-router';
import { useAccountApi } from '../lib/api.ts';
import { CurrentUser } from '../lib/current.ts';
import { isSessionEnd } from '../lib/failure.ts';
import { LoadFailure } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { OfflineBanner } from './offline-banner.tsx';
import { SessionGuard } from './session-guard.tsx';
import { Splash } from './splash.tsx';

/** The pages that require a session. Without one, the query client redirects to the login page. */
export function RequireSession() {
  const me = useQuery(useAccountApi().users.me.queryOptions({}));
  if (me.data) {
    return (
      <CurrentUser value={me.data}>
        <OfflineBanner />
        <Outlet />
        <SessionGuard />
      </CurrentUser>
    );
  }
  if (me.isPending || isSessionEnd(me.error)) return <Splash />;
  return (
    <main>
      <Page title="Postrider" narrow>
        <LoadFailure error={me.error} retry={me.refetch} />
      </Page>
    </main>
  );
}
