import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';

const UTF8 = /^\s*utf-?8\s*$/i;
/** Rules out most documents before they are read. */
const OTHER_CHARSET = /charset\s*=[\s"']*(?![\s"']|utf-?8)/i;
const META = /<meta[\s/]/gi;
const CHARSET = /charset\s*=\s*["']?([^\s"';]+)/i;

/**
 * The HTML with `utf-8` wherever a `<meta>` names another charset: the message is UTF-8, and some readers believe the HTML. Everything
 * else, also what only Outlook reads, stays as it is.
 */
export function withUtf8(html: string): string {
  if (!OTHER_CHARSET.test(html)) return html;
  let result = '';
  let from = 0;
  for (const name of charsetNames(html)) {
    if (UTF8.test(html.slice(name.start, name.end))) continue;
    result += `${html.slice(from, name.start)}utf-8`;
    from = name.end;
  }
  return result + html.slice(from);
}

/**
 * The charset that the HTML names first; null when it names none. UTF-16 does not count: a `<meta>` that can be read in single bytes was left
 * by a conversion (HTML Standard, 13.2.3.2).
 */
export function charsetOf(html: string): string | null {
  const [place] = charsetNames(html);
  const name = place && html.slice(place.start, place.end).trim();
  return name && !/^utf-16/i.test(name) ? name : null;
}

/** Where each `<meta>` names a charset. */
function charsetNames(html: string): Place[] {
  let lastMeta = -1;
  for (const { index } of html.matchAll(META)) lastMeta = index;
  const end = lastMeta < 0 ? -1 : html.indexOf('>', lastMeta);
  if (end < 0) return [];
  const finder = new CharsetFinder(html);
  const tokenizer = new Tokenizer({ decodeEntities: false }, finder);
  tokenizer.write(html.slice(0, end + 1));
  tokenizer.end();
  return finder.names;
}

interface Place {
  readonly start: number;
  readonly end: number;
}

/** Finds the names of charsets. */
class CharsetFinder implements TokenizerCallbacks {
  readonly names: Place[] = [];
  private readonly html: string;
  private isMeta = false;
  private attribute = '';
  private values = new Map<string, Place>();

  constructor(html: string) {
    this.html = html;
  }

  onopentagname(start: number, end: number): void {
    this.isMeta = this.html.slice(start, end).toLowerCase() === 'meta';
    this.values = new Map();
  }

  onattribname(start: number, end: number): void {
    this.attribute = this.isMeta ? this.html.slice(start, end).toLowerCase() : '';
  }

  onattribdata(start: number, end: number): void {
    if (this.isMeta && !this.values.has(this.attribute)) this.values.set(this.attribute, { start, end });
  }

  onopentagend(): void {
    if (!this.isMeta) return;
    const places = [this.values.get('charset'), this.charsetOfContent()];
    for (const place of places.sort((a, b) => (a?.start ?? 0) - (b?.start ?? 0)))
      if (place) this.names.push(place);
  }

  onselfclosingtag(): void {
    this.onopentagend();
  }

  /** `<meta http-equiv="Content-Type" content="text/html; charset=…">` */
  private charsetOfContent(): Place | undefined {
    const equivalent = this.textOf(this.values.get('http-equiv')).trim().toLowerCase();
    const content = this.values.get('content');
    if (equivalent !== 'content-type' || !content) return;
    const found = CHARSET.exec(this.textOf(content));
    if (!found?.[1]) return;
    const start = content.start + found.index + found[0].length - found[1].length;
    return { start, end: start + found[1].length };
  }

  private textOf(place: Place | undefined): string {
    return place ? this.html.slice(place.start, place.end) : '';
  }

  onattribend(): void {
    // The values are read when the tag ends.
  }
  onattribentity(): void {
    // A name of a charset has none.
  }
  ontext(): void {
    // Only tags matter here.
  }
  ontextentity(): void {
    // Only tags matter here.
  }
  onclosetag(): void {
    // Only tags that open matter here.
  }
  oncomment(): void {
    // What only Outlook reads stays as it is.
  }
  oncdata(): void {
    // Only tags matter here.
  }
  ondeclaration(): void {
    // Only tags matter here.
  }
  onprocessinginstruction(): void {
    // Only tags matter here.
  }
  onend(): void {
    // An unfinished tag names nothing.
  }
}
