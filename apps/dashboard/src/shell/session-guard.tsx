import { lazy, Suspense } from 'react';
import { useSessionState } from '../lib/session-end.ts';

const SessionDialog = lazy(async () => ({
  default: (await import('../features/people/auth/session-dialog.tsx')).SessionDialog,
}));

/** Shows the dialog to log in again when the session ends. */
export const SessionGuard = () =>
  useSessionState().ended ? (
    <Suspense>
      <SessionDialog />
    </Suspense>
  ) : null;
