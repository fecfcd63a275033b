import { type DataRouter, matchRoutes } from 'react-router';
import { onLinkIntent } from '../lib/link-intent.ts';

/** Loads the files of a page as soon as a link to it is likely to be followed, unless the browser saves data. */
export function prefetchFiles(router: Pick<DataRouter, 'routes'>): void {
  if (savesData()) return;
  onLinkIntent(({ pathname }) => {
    for (const { route } of matchRoutes([...router.routes], pathname) ?? []) {
      // A file that cannot be loaded is asked for again when the link is followed, and reported then.
      if (typeof route.lazy === 'function') void route.lazy().catch(() => undefined);
    }
  });
}

const savesData = (): boolean =>
  'connection' in navigator &&
  typeof navigator.connection === 'object' &&
  navigator.connection !== null &&
  'saveData' in navigator.connection &&
  navigator.connection.saveData === true;
