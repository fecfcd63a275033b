import type { CampaignReport } from '../../../lib/api.ts';

type Link = CampaignReport['links'][number];

/** Share of a link's clicks among all, in whole percent; 1 at least, so that a click is visible. */
export const shareOfClicks = (clicks: number, all: number): number =>
  clicks === 0 || all === 0 ? 0 : Math.max(1, Math.round((clicks / all) * 100));

/**
 * The mail with a badge behind each link that shows its share of the clicks. It is shown in a frame that runs no scripts; the badges are
 * elements of the mail. A link that occurs several times has the same badge each time, since clicks are counted by address.
 *
 * @param html the rendered email
 * @param body what its author wrote: links that are not in it, such as that to unsubscribe, have no badge
 */
export function withHeatMap(html: string, body: string, links: readonly Link[]): string {
  const page = new DOMParser().parseFromString(html, 'text/html');
  const written = new Set(
    [...new DOMParser().parseFromString(body, 'text/html').querySelectorAll('a[href]')].map(addressOf),
  );
  const clicks = new Map(
    links.flatMap(({ url, clicks: count }) => (url === null ? [] : [[url, count] as const])),
  );
  const all = links.reduce((sum, { clicks: count }) => sum + count, 0);
  const most = Math.max(1, ...clicks.values());
  for (const link of page.querySelectorAll('a[href]')) {
    const address = addressOf(link);
    const count = clicks.get(address);
    if (count === undefined && !(written.has(address) && /^https?:/i.test(address))) continue;
    link.after(badge(page, shareOfClicks(count ?? 0, all), (count ?? 0) / most));
  }
  return page.documentElement.outerHTML;
}

const addressOf = (link: Element): string => link.getAttribute('href')?.trim() ?? '';

/** The warmer, the more clicks. The colours are those of emails, which have a white background in every theme. */
function badge(page: Document, share: number, heat: number): HTMLElement {
  const element = page.createElement('span');
  element.textContent = `${share}%`;
  element.title = `${share}% of all clicks`;
  const background =
    share === 0 ? '#ececea' : `hsl(${Math.round(45 - 40 * heat)} 90% ${Math.round(84 - 40 * heat)}%)`;
  const color = heat > 0.6 ? '#ffffff' : '#1c1b19';
  element.style.cssText = `display:inline-block;margin:0 4px;padding:1px 7px;border-radius:9px;font:600 11px/16px sans-serif;text-decoration:none;vertical-align:middle;background:${background};color:${color}`;
  return element;
}
