import { useRouteError } from 'react-router';

import { Notice } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { PlainButton } from '../ui/plain-button.tsx';

/** What browsers say when the file of a page cannot be loaded. */
const fileMissing = /dynamically imported module|module script failed|unable to preload/i;

interface Words {
  title: string;
  text: string;
  /** Whether it is a mistake of the dashboard. */
  isOurs: boolean;
}

function inWords(error: unknown): Words {
  const message = error instanceof Error ? error.message : String(error);
  if (!fileMissing.test(message))
    return {
      title: 'Something went wrong',
      text: `This page couldn't be displayed: ${message}`,
      isOurs: true,
    };
  return navigator.onLine
    ? {
        title: 'A new version is available',
        text: 'Reload to use it. What you typed into forms is kept.',
        isOurs: false,
      }
    : {
        title: 'You are offline',
        text: 'Connect to the internet and reload. What you typed into forms is kept.',
        isOurs: false,
      };
}

/** Shown when a page throws, or when its file cannot be loaded: offline, or because a newer version was deployed. */
export function RouteFailure() {
  const { title, text, isOurs } = inWords(useRouteError());
  return (
    <Page title={title} narrow>
      <Notice
        tone={isOurs ? 'bad' : 'busy'}
        title={text}
        action={
          <PlainButton small onClick={() => window.location.reload()}>
            Reload
          </PlainButton>
        }
      />
    </Page>
  );
}
