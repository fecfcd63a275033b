import type { DataRouter } from 'react-router';

let pending: string | null = null;

/** Keeps track of the page that is being loaded. Unlike `useNavigation`, it is known before anything is rendered. */
export const followNavigation = (router: Pick<DataRouter, 'subscribe'>): (() => void) =>
  router.subscribe(({ navigation }) => {
    pending = navigation.location?.pathname ?? null;
  });

/** Whether a link was followed and the files of its page are loading: to write into the address now would call that off. */
export const isLeavingPage = (): boolean => pending !== null && pending !== window.location.pathname;
