import type { DataRouter } from 'react-router';

let pending: { pathname: string; search: string } | null = null;

/** Keeps track of the page that is being loaded. Unlike `useNavigation`, it is known before anything is rendered. */
export const followNavigation = (router: Pick<DataRouter, 'subscribe'>): (() => void) =>
  router.subscribe(({ navigation }) => {
    pending = navigation.location ?? null;
  });

/** Whether a link was followed and the files of its page are loading: to write into the address now would call that off. */
export const isLeavingPage = (): boolean => pending !== null && pending.pathname !== window.location.pathname;

/**
 * What stands behind the question mark of the address, or of the one that a link of this page has asked for. It is known before the page is
 * rendered with it, which on a busy machine takes a while.
 */
export const presentSearch = (): string => pending?.search ?? window.location.search;
