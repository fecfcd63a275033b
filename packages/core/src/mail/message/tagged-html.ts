import { escapeHtml } from '../../content/templates/language/index.ts';
import type { LinkTagger } from './link-tags.rules.ts';
import { trackHtml } from './tracked-html.ts';

/** HTML with the tags of its links, for email that is not tracked: the links of tracked email get them when they are followed. */
export const tagHtml = (html: string, tag: LinkTagger): string =>
  trackHtml(html, (url) => tag(url) !== null)
    .map((piece) => {
      if (typeof piece === 'string') return piece;
      return 'pixel' in piece ? '' : escapeHtml(tag(piece.click) ?? piece.click);
    })
    .join('');
