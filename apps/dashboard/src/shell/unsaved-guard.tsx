import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { useBlocker } from 'react-router';
import { Unsaved } from '../lib/unsaved.ts';

const LeaveDialog = lazy(async () => ({ default: (await import('./leave-dialog.tsx')).LeaveDialog }));

/** Asks before a page with unsaved changes is left, closed or reloaded. */
export function UnsavedGuard({ children }: { children: ReactNode }) {
  const [unsaved] = useState(() => new Set<string>());
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      unsaved.size > 0 && currentLocation.pathname !== nextLocation.pathname,
  );
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (unsaved.size > 0) event.preventDefault();
    };
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [unsaved]);
  return (
    <Unsaved value={unsaved}>
      {children}
      {blocker.state === 'blocked' && (
        <Suspense>
          <LeaveDialog onLeave={() => blocker.proceed()} onStay={() => blocker.reset()} />
        </Suspense>
      )}
    </Unsaved>
  );
}
