import { useSyncExternalStore } from 'react';

/** Whether the session of the page has ended, and how often it was renewed since the page was loaded. */
interface SessionState {
  ended: boolean;
  renewals: number;
}

let state: SessionState = { ended: false, renewals: 0 };
const listeners = new Set<() => void>();

function change(next: SessionState): void {
  state = next;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    // Without a page of a session there is nothing to go on with.
    if (listeners.size === 0) state = { ...state, ended: false };
  };
};

/** Asks the user to log in again over the page. @returns false when no page of a session is shown, so that nothing can ask */
export function askToLogIn(): boolean {
  if (listeners.size === 0) return false;
  if (!state.ended) change({ ...state, ended: true });
  return true;
}

/** The same user has logged in again. */
export const renewSession = (): void => change({ ended: false, renewals: state.renewals + 1 });

export const useSessionState = (): SessionState => useSyncExternalStore(subscribe, () => state);
