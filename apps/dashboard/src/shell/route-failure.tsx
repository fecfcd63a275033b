import { useEffect, useRef } from 'react';
import { useRouteError } from 'react-router';
import { useOnline } from '../lib/use-online.ts';
import { Notice } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { PlainButton } from '../ui/plain-button.tsx';

/** What browsers say when the file of a page cannot be loaded. */
const fileMissing = /dynamically imported module|module script failed|unable to preload/i;

const isFileMissing = (error: unknown): boolean =>
  fileMissing.test(error instanceof Error ? error.message : String(error));

interface Words {
  title: string;
  text: string;
  /** Whether it is a mistake of the dashboard. */
  isOurs: boolean;
}

function inWords(error: unknown, isOnline: boolean): Words {
  const message = error instanceof Error ? error.message : String(error);
  if (!isFileMissing(error))
    return {
      title: 'Something went wrong',
      text: `This page couldn't be displayed: ${message}`,
      isOurs: true,
    };
  return isOnline
    ? {
        title: 'A new version is available',
        text: 'Reload to use it. What you typed into forms is kept.',
        isOurs: false,
      }
    : {
        title: 'You are offline',
        text: 'The page opens when the connection is back. What you typed into forms is kept.',
        isOurs: false,
      };
}

/**
 * Shown when a page throws, or when its file cannot be loaded: because a newer version was deployed, or offline; then the page opens by itself
 * once there is a network again.
 */
export function RouteFailure() {
  const error = useRouteError();
  const isOnline = useOnline();
  const wasOffline = useRef(!isOnline);
  useEffect(() => {
    if (!isOnline) wasOffline.current = true;
    else if (wasOffline.current && isFileMissing(error)) window.location.reload();
  }, [isOnline, error]);
  const { title, text, isOurs } = inWords(error, isOnline);
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
