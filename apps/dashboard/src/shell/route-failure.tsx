import { useRouteError } from 'react-router';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';

/** What browsers say when the file of a page cannot be loaded. */
const fileMissing = /dynamically imported module|module script failed|unable to preload/i;

function inWords(error: unknown): { title: string; text: string } {
  const message = error instanceof Error ? error.message : String(error);
  if (!fileMissing.test(message)) return { title: "This page couldn't be displayed", text: message };
  return navigator.onLine
    ? { title: 'A new version is available', text: 'Reload to use it. What you typed into forms is kept.' }
    : {
        title: 'You are offline',
        text: 'Connect to the internet and reload. What you typed into forms is kept.',
      };
}

/** Shown when a page throws, or when its file cannot be loaded: offline, or because a newer version was deployed. */
export function RouteFailure() {
  const { title, text } = inWords(useRouteError());
  return (
    <Page title="Something went wrong" narrow>
      <Notice
        tone="bad"
        title={title}
        action={
          <Button small onClick={() => window.location.reload()}>
            Reload
          </Button>
        }
      >
        <p>{text}</p>
      </Notice>
    </Page>
  );
}
