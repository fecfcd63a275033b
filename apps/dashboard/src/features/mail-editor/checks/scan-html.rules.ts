import { Parser } from 'htmlparser2';

export interface ScannedLink {
  /** undefined without the attribute */
  href: string | undefined;
  /** `<a name>` or `<a id>` is a place to link to */
  isTarget: boolean;
  text: string;
  /** the alternative texts of the images inside */
  alt: string;
  offset: number;
}

export interface ScannedImage {
  attributes: Readonly<Record<string, string>>;
  isLinked: boolean;
  offset: number;
}

/** What the checks need to know of the HTML of an email. */
export interface ScannedHtml {
  links: ScannedLink[];
  images: ScannedImage[];
  /** ids and names that a link may lead to */
  targets: Set<string>;
  /** the visible text, with blanks in one */
  text: string;
}

/** Elements without visible text. */
const hidden = new Set(['head', 'style', 'script', 'title', 'template', 'noscript']);

/** Reads HTML with the tolerance of a browser. No tree is built, so its time grows only with the length of the HTML. */
export function scanHtml(html: string): ScannedHtml {
  const links: ScannedLink[] = [];
  const images: ScannedImage[] = [];
  const targets = new Set<string>();
  const texts: string[] = [];
  let link: ScannedLink | null = null;
  let hiddenDepth = 0;
  const parser = new Parser({
    onopentag(name, attributes) {
      const { id, name: named } = attributes;
      if (id) targets.add(id);
      if (hidden.has(name)) hiddenDepth += 1;
      const offset = parser.startIndex;
      if (name === 'a') {
        if (named) targets.add(named);
        const isTarget = Boolean(id ?? named);
        link = { href: attributes['href'], isTarget, text: '', alt: '', offset };
        links.push(link);
      }
      if (name !== 'img') return;
      images.push({ attributes, isLinked: link !== null, offset });
      if (link) link.alt += attributes['alt'] ?? '';
    },
    ontext(text) {
      if (hiddenDepth > 0) return;
      texts.push(text);
      if (link) link.text += text;
    },
    onclosetag(name) {
      if (hidden.has(name)) hiddenDepth = Math.max(0, hiddenDepth - 1);
      if (name === 'a') link = null;
    },
  });
  parser.end(html);
  for (const each of links) each.text = inOneLine(each.text);
  return { links, images, targets, text: inOneLine(texts.join(' ')) };
}

/** Also without the invisible characters that fill up preheaders. */
const inOneLine = (text: string): string =>
  text
    .replace(/[\u00AD\u200B-\u200D\u2060\uFEFF]|\u034F/g, '')
    .replace(/\s+/g, ' ')
    .trim();
