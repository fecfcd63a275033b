import { slugOf } from '../../audience/segments/segments.rules.ts';
import type { LinkTagging } from '../../people/projects/link-tagging.schema.ts';

/** The tags of the links of a content (behaviour B13.8). */
export interface LinkTags {
  /** as stored names of hosts are; their subdomains have the tags too */
  readonly hosts: readonly string[];
  readonly source: string;
  readonly medium: string;
  readonly campaign: string;
  /** names one of several contents of a campaign */
  readonly content?: string;
}

/** What a campaign says about its tags. */
export interface OwnLinkTags {
  /** null: what the project says */
  readonly enabled: boolean | null;
  /** null: its name as a slug */
  readonly campaign: string | null;
}

/** The tags of the emails of a campaign or workflow; null where its links stay as they are. */
export function linkTagsOf(
  { enabled, hosts, source, medium }: LinkTagging,
  named: { id: string; name: string },
  own: OwnLinkTags | null = null,
): LinkTags | null {
  if (!(own?.enabled ?? enabled) || hosts.length === 0) return null;
  return { hosts, source, medium, campaign: own?.campaign ?? (slugOf(named.name) || named.id) };
}

/** Makes the tagged form of a URL; null of one that stays as it is. */
export type LinkTagger = (url: string) => string | null;

const webAddress = /^https?:\/\//i;
const tagged = /[?&;#]utm_/i;
/** The escapes of the letters of `utm_`; others mean nothing here. */
const escapedTag = /%(?:75|74|6d|55|54|4d|5f)/gi;

/** Tags the links to the hosts, by adding parameters at the end of the query. Everything that is written stays as it is. */
export function linkTagger({ hosts, source, medium, campaign, content }: LinkTags): LinkTagger {
  const isOurs = hostMatcher(hosts);
  const tags = Object.entries({ source, medium, campaign, content })
    .flatMap(([name, value]) =>
      value === undefined ? [] : [`utm_${name}=${encodeURIComponent(value.toWellFormed())}`],
    )
    .join('&');
  return (url) => {
    if (!webAddress.test(url) || !isOurs(url)) return null;
    const hash = url.indexOf('#');
    const end = hash < 0 ? url.length : hash;
    const query = url.indexOf('?');
    const hasQuery = query >= 0 && query < end;
    const rest = url.slice(hasQuery ? query : end);
    if (tagged.test(rest.replace(escapedTag, decodeURIComponent))) return null;
    const last = url.charAt(end - 1);
    const separator = !hasQuery ? '?' : last === '?' || last === '&' ? '' : '&';
    return url.slice(0, end) + separator + tags + url.slice(end);
  };
}

/** Whether a URL is of one of the hosts or of a subdomain, as a browser reads it. */
function hostMatcher(hosts: readonly string[]): (url: string) => boolean {
  const ours = new Set(hosts);
  return (url) => {
    const name = URL.parse(url)?.hostname.replace(/\.$/, '') ?? '';
    for (let from = 0; from >= 0; from = nextLabel(name, from)) if (ours.has(name.slice(from))) return true;
    return false;
  };
}

const nextLabel = (name: string, from: number): number => {
  const dot = name.indexOf('.', from);
  return dot < 0 ? -1 : dot + 1;
};

/** A web address in a text; what closes a sentence or bracket around it is no part of it. */
const addressInText = /https?:\/\/[^\s<>"'`\p{Cc}]+/giu;
const closing = '.,:;!?*)]}';

/** A text with its web addresses tagged. */
export const tagText = (text: string, tag: LinkTagger): string =>
  text.replace(addressInText, (found) => {
    const url = withoutClosing(found);
    return (tag(url) ?? url) + found.slice(url.length);
  });

/** A round bracket that is opened in the address closes there. */
function withoutClosing(found: string): string {
  let end = found.length;
  while (closing.includes(found.charAt(end - 1))) end -= 1;
  let open = 0;
  for (let at = 0; at < found.length; at += 1) {
    const char = found.charAt(at);
    if (char === '(') open += 1;
    else if (char === ')') {
      open -= 1;
      if (open < 0) break;
      if (at >= end) end = at + 1;
    }
  }
  return found.slice(0, end);
}
