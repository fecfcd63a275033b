/** Shorter than this, the pointer or the focus is only on its way to something else. */
const intentMs = 60;

/**
 * Reports a link to a page of the dashboard when it is likely to be followed: the pointer or the focus rests on it, or a finger touches it.
 *
 * @returns stops it
 */
export function onLinkIntent(report: (url: URL) => void): () => void {
  let timer = 0;
  const rest = ({ target, type }: Event): void => {
    window.clearTimeout(timer);
    const url = target instanceof Element ? pageOf(target.closest('a[href]')) : null;
    if (url) timer = window.setTimeout(() => report(url), type === 'touchstart' ? 0 : intentMs);
  };
  const events = ['pointerover', 'focusin', 'touchstart'] as const;
  for (const event of events) document.addEventListener(event, rest, { passive: true });
  return () => {
    window.clearTimeout(timer);
    for (const event of events) document.removeEventListener(event, rest);
  };
}

function pageOf(link: Element | null): URL | null {
  if (!(link instanceof HTMLAnchorElement) || link.target === '_blank' || link.hasAttribute('download'))
    return null;
  const url = new URL(link.href);
  const isHere = url.pathname === window.location.pathname;
  return url.origin === window.location.origin && !isHere ? url : null;
}
