import { useSyncExternalStore } from 'react';

const tick = 10_000;
let now = Date.now();

function subscribe(listener: () => void): () => void {
  const timer = setInterval(() => {
    now = Date.now();
    listener();
  }, tick);
  return () => clearInterval(timer);
}

/** The current time, updated often enough for texts such as "5 minutes ago". */
export const useNow = (): number => useSyncExternalStore(subscribe, () => now);
