import { beginsMasked, isMasked, maskedCharacter, tagCharacter } from './liquid-tags.rules.ts';
import { collectProblems, type Problem } from './problem.rules.ts';
import type { ScannedHtml, ScannedLink } from './scan-html.rules.ts';
import { short } from './short.rules.ts';

type LinkProblem = Pick<
  Problem<'link_target' | 'placeholder' | 'shortened_link' | 'link_text_host' | 'link_text'>,
  'rule' | 'message'
>;

/** The problem of each link that has one; at most one per link. */
export const linkProblems = ({ links, targets }: ScannedHtml): Problem<LinkProblem['rule']>[] =>
  collectProblems(links, (link) => {
    const problem = problemOf(link, targets);
    return problem ? [{ ...problem, field: 'body', offset: link.offset }] : [];
  });

const target = (message: string): LinkProblem => ({ rule: 'link_target', message });

function problemOf(link: ScannedLink, targets: ReadonlySet<string>): LinkProblem | null {
  const href = (link.href ?? '').trim();
  const name = nameOf(link);
  if (href === '' || href === '#') {
    if (link.href === undefined && link.isTarget) return null;
    return target(`${name} leads nowhere; enter an address that begins with https://.`);
  }
  if (beginsMasked(href)) return withoutText(link);
  if (href.startsWith('#')) {
    const isThere = targets.has(href.slice(1));
    return isThere
      ? null
      : target(`${name} leads to ${short(unmasked(href))}, which this email does not have; correct it.`);
  }
  if (/^(mailto|tel|sms):/i.test(href)) {
    const isEmpty = href.indexOf(':') === href.length - 1;
    return isEmpty ? target(`${name} has no address after “${href}”; complete it.`) : withoutText(link);
  }
  if (/^https?:/i.test(href)) return problemOfAddress(link, name, href);
  return /^[a-z][a-z0-9+.-]*:/i.test(href)
    ? target(
        `${name} begins with “${short(href.slice(0, href.indexOf(':') + 1))}”, which email programs do not open; use https://.`,
      )
    : target(
        `${name} leads to “${short(unmasked(href))}”, which is not a complete address; begin it with https://.`,
      );
}

function problemOfAddress(link: ScannedLink, name: string, href: string): LinkProblem | null {
  const host = hostOf(href);
  if (host === null) return target(`${name} has no valid address; check what follows https://.`);
  // Liquid decides where it leads.
  if (isMasked(host)) return withoutText(link);
  if (isPlaceholder(host))
    return {
      rule: 'placeholder',
      message: `${name} leads to ${short(host)}, which is a placeholder; enter the address of your own page.`,
    };
  const shown = shownHost(link.text);
  if (shown !== null && !isSameSite(shown, host))
    return {
      rule: 'link_text_host',
      message: `A link reads “${short(link.text)}” but opens ${short(host)}, which looks like phishing; show the address that it opens.`,
    };
  if (shorteners.has(host))
    return {
      rule: 'shortened_link',
      message: `${name} uses the URL shortener ${host}, which spam filters distrust; use the full address.`,
    };
  return withoutText(link);
}

const withoutText = ({ text, alt }: ScannedLink): LinkProblem | null =>
  text === '' && alt.trim() === ''
    ? {
        rule: 'link_text',
        message: 'A link has no text; add words or an alternative text that says where it leads.',
      }
    : null;

const nameOf = ({ text, alt }: ScannedLink): string => {
  const words = short(unmasked(text || alt.trim()));
  return words === '' ? 'A link without text' : `The link “${words}”`;
};

const masks = new RegExp(`[${maskedCharacter}${tagCharacter}]+`, 'g');
const unmasked = (text: string): string => text.replace(masks, '{…}');

/** In lower case; null for an address that no program opens. The host may hold Liquid. */
function hostOf(address: string): string | null {
  const [, host = ''] = /^https?:\/\/(?:[^/?#@]*@)?([^/?#:]*)/i.exec(address) ?? [];
  if (isMasked(host)) return host;
  return host !== '' && URL.canParse(address) ? new URL(address).hostname : null;
}

/** Names that RFC 2606 and RFC 6761 keep for examples, and those that templates are written with. */
const placeholder =
  /(^|\.)(example\.(com|net|org)|example|test|invalid|localhost|local|your-?(domain|site|company|website)\.[a-z]+|domain\.com)$/;
const isPlaceholder = (host: string): boolean => placeholder.test(host) || /^(127\.|0\.0\.0\.0$)/.test(host);

/** Endings at which text without a scheme is taken for an address; `Node.js` is none. */
const addressLike =
  /^(?:https?:\/\/|www\.)\S+$|^(?:[\w-]+\.)+(?:com|net|org|io|co|dev|app|eu|de|nl|fr|es|it|uk|pl|ch|at|be|us|ca|jp|cn|in|br|info|shop|online)(?:\/\S*)?$/i;

/** A text that is longer is no address that is read. */
const longestShown = 500;

/** The host that the text of a link names; null if it is not an address. */
function shownHost(text: string): string | null {
  if (text.length > longestShown || isMasked(text) || !addressLike.test(text)) return null;
  return hostOf(/^https?:/i.test(text) ? text : `https://${text}`);
}

const isSameSite = (one: string, other: string): boolean => {
  const [a, b] = [one, other].map((host) => host.replace(/^www\./, ''));
  return a === b || (a ?? '').endsWith(`.${b}`) || (b ?? '').endsWith(`.${a}`);
};

const shorteners: ReadonlySet<string> = new Set([
  'bit.ly',
  'buff.ly',
  'cutt.ly',
  'goo.gl',
  'is.gd',
  'ow.ly',
  'rb.gy',
  'rebrand.ly',
  'shorturl.at',
  't.co',
  't.ly',
  'tiny.cc',
  'tinyurl.com',
]);
