import { type Attributes, type Showing, showingOf } from './hidden-styles.ts';

/** Elements without text for readers. */
const SKIPPED = new Set(
  'head title style script template noscript iframe object svg math textarea select noembed noframes'.split(
    ' ',
  ),
);
/** Elements without content. */
const VOID = new Set(
  'area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr'.split(
    ' ',
  ),
);
/** What may be in a head; anything else ends one that is not closed. */
const IN_HEAD = new Set(
  'base basefont bgsound link meta title style script noscript template noframes'.split(' '),
);

/** Elements through which an element cannot be ended by the beginning of another. */
type Scope = 'button' | 'item' | 'table';
const BUTTON_SCOPE = 'applet button caption html marquee object table td template th';
const SCOPES: Record<Scope, ReadonlySet<string>> = {
  button: new Set(BUTTON_SCOPE.split(' ')),
  item: new Set(
    `${BUTTON_SCOPE} article aside blockquote center details dir dl fieldset figure footer form header main menu nav ol pre section tbody tfoot thead tr ul`.split(
      ' ',
    ),
  ),
  table: new Set('html table template'.split(' ')),
};

/** The open elements that the beginning of one ends (HTML, "optional tags"). */
const ENDED = new Map<string, { names: readonly string[]; scope: Scope }>();
const ends = (beginning: string, names: readonly string[], scope: Scope): void => {
  for (const name of beginning.split(' ')) ENDED.set(name, { names, scope });
};
ends(
  'address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr main menu nav ol p pre section summary table ul',
  ['p'],
  'button',
);
ends('li', ['li', 'p'], 'item');
ends('dt dd', ['dt', 'dd', 'p'], 'item');
ends('option optgroup', ['option'], 'button');
ends('a', ['a'], 'button');
ends('button', ['button'], 'table');
ends('td th', ['td', 'th', 'caption'], 'table');
ends('tr', ['td', 'th', 'tr', 'caption'], 'table');
ends('tbody thead tfoot', ['td', 'th', 'tr', 'tbody', 'thead', 'tfoot', 'caption'], 'table');

const HEADING = /^h[1-6]$/;

interface Element {
  readonly name: string;
  readonly showing: Showing;
  /** The places of the innermost elements that bound each scope. */
  readonly bounds: Readonly<Record<Scope, number>>;
}

const NO_BOUNDS: Record<Scope, number> = { button: -1, item: -1, table: -1 };

/**
 * The elements that are open at a place in HTML, and what of them is shown. An end tag closes all elements within its own, so that one
 * that is never closed hides nothing after the element around it. Each element is opened and closed once: the cost is linear.
 */
export class OpenElements {
  private readonly stack: Element[] = [];
  /** The places of the open elements of each name. */
  private readonly places = new Map<string, number[]>();
  private readonly onEnd: (name: string) => void;

  /** @param onEnd called for each element that was shown */
  constructor(onEnd: (name: string) => void) {
    this.onEnd = onEnd;
  }

  /** What is shown at this place. */
  get showing(): Showing {
    return this.stack.at(-1)?.showing ?? 'all';
  }

  /** Ends what the beginning of an element ends. */
  endBefore(name: string): void {
    const innermost = this.stack.at(-1)?.name ?? '';
    if (name === 'body' && this.placeOf('head') >= 0) this.cutTo(this.placeOf('head'));
    else if (innermost === 'head' && !IN_HEAD.has(name)) this.cutTo(this.stack.length - 1);
    else if (HEADING.test(innermost) && HEADING.test(name)) this.cutTo(this.stack.length - 1);
    const rule = ENDED.get(name);
    if (!rule) return;
    const bound = this.stack.at(-1)?.bounds[rule.scope] ?? -1;
    let first = this.stack.length;
    for (const ended of rule.names) {
      const place = this.placeOf(ended);
      // A cell bounds the paragraphs inside, and is itself ended by the next one.
      if (place > bound && place < first) first = place;
    }
    this.cutTo(first);
  }

  /** Returns what is shown of it. */
  open(name: string, attributes: Attributes): Showing {
    const showing = SKIPPED.has(name) ? 'nothing' : showingOf(attributes, this.showing);
    if (VOID.has(name)) return showing;
    const place = this.stack.length;
    const around = this.stack.at(-1)?.bounds ?? NO_BOUNDS;
    const isBound = SCOPES.item.has(name) || SCOPES.table.has(name);
    const boundIn = (scope: Scope): number => (SCOPES[scope].has(name) ? place : around[scope]);
    const bounds = isBound
      ? { button: boundIn('button'), item: boundIn('item'), table: boundIn('table') }
      : around;
    this.stack.push({ name, showing, bounds });
    const places = this.places.get(name);
    if (places) places.push(place);
    else this.places.set(name, [place]);
    return showing;
  }

  /** Closes an element and all within it; returns what was shown of it, or null if none is open. */
  close(name: string): Showing | null {
    const place = this.placeOf(name);
    if (place < 0) return null;
    const showing = this.stack[place]?.showing ?? null;
    this.cutTo(place);
    return showing;
  }

  private placeOf(name: string): number {
    return this.places.get(name)?.at(-1) ?? -1;
  }

  private cutTo(length: number): void {
    while (this.stack.length > length) {
      const element = this.stack.pop();
      if (!element) return;
      this.places.get(element.name)?.pop();
      if (element.showing !== 'nothing') this.onEnd(element.name);
    }
  }
}
