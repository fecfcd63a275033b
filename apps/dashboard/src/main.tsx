import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import { AccountApiProvider, createClient } from './lib/api.ts';
import { loginPath, paths } from './lib/paths.ts';
import { followNavigation } from './lib/pending-page.ts';
import { createQueryClient } from './lib/query-client.ts';
import { askToLogIn } from './lib/session-end.ts';
import { applySavedTheme } from './lib/theme.ts';
import { router } from './router.tsx';
import { prefetchFiles } from './shell/prefetch-files.ts';
import './ui/tokens.css';
import './ui/base.css';
import { AnnounceProvider } from './ui/announce.tsx';

applySavedTheme();
followNavigation(router);
prefetchFiles(router);

/** When the session has ended, asks to log in again over the page. Without a page, opens the login page, and after login the requested one. */
const queryClient = createQueryClient(() => {
  if (askToLogIn()) return;
  const { pathname, search } = router.state.location;
  if (pathname === paths.login || pathname === paths.signup) return;
  void router.navigate(loginPath(pathname + search), { replace: true }).then(() => queryClient.clear());
});

const client = createClient();
const root = document.getElementById('root');
if (root === null) throw new Error('The page has no #root');

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <AccountApiProvider trpcClient={client} queryClient={queryClient}>
        <AnnounceProvider>
          <RouterProvider router={router} />
        </AnnounceProvider>
      </AccountApiProvider>
    </QueryClientProvider>
  </StrictMode>,
);
