import type { Problems } from './problems.ts';
import type { SiteFile } from './site-file.ts';

/** Pages of the installation that are not part of this site. */
const elsewhere = [
  '/',
  '/docs/console',
  '/openapi.json',
  '/graphql',
  '/favicon.svg',
  '/metrics',
  '/health/ready',
  '/health/live',
];

/** Every link of every page leads to a page, and to a heading or field that it has. */
export function checkLinks(files: ReadonlyMap<string, SiteFile>, problems: Problems): void {
  const html = [...files].filter(([, { type }]) => type.startsWith('text/html'));
  const anchors = new Map(
    html.map(([address, { body }]) => [
      address,
      new Set([...body.toString().matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id)),
    ]),
  );
  for (const [address, { body }] of html) {
    for (const [, href = ''] of body.toString().matchAll(/\s(?:href|src)="([^"]*)"/g)) {
      if (/^(https?:|mailto:)/.test(href)) continue;
      const [path = '', anchor] = href.replaceAll('&amp;', '&').split('#');
      const target = path === '' ? address : (path.split('?')[0] ?? path);
      if (elsewhere.includes(target)) continue;
      if (!files.has(target)) problems.add(address, `the link ${href} leads nowhere`);
      else if (
        anchor !== undefined &&
        anchor !== '' &&
        anchors.has(target) &&
        !anchors.get(target)?.has(decodeURIComponent(anchor))
      )
        problems.add(address, `the link ${href} names no heading of that page`);
    }
  }
}
