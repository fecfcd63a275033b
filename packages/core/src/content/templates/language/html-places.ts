import { QuoteType, Tokenizer, type TokenizerCallbacks } from 'htmlparser2';
import type { SimpleOutput } from './output.ts';

/** Elements whose content is not HTML, so that a value inside is not parsed as text. */
const RAW_CONTENT = /^(script|style|textarea|xmp|iframe|noembed|noframes|noscript|plaintext|template)$/i;
const OPEN_ENTITY = /&[#a-zA-Z0-9]*$/;

/**
 * Whether every output is in a place where its value cannot change how the surrounding HTML is parsed: as text
 * between tags, or, for a system URL, as the entire quoted `href` of a link. Only then can an email be made by
 * filling slots.
 */
export function areSafePlaces(literals: readonly string[], outputs: readonly SimpleOutput[]): boolean {
  if (literals.slice(0, -1).some((literal) => OPEN_ENTITY.test(literal))) return false;
  const walk = new PlaceWalk(literals, outputs);
  // A letter replaces each output: after `<` it would start a tag, as a value might.
  const tokenizer = new Tokenizer({ decodeEntities: false }, walk);
  tokenizer.write(literals.join('a'));
  tokenizer.end();
  return walk.allSafe();
}

class PlaceWalk implements TokenizerCallbacks {
  private readonly html: string;
  private readonly outputs: readonly SimpleOutput[];
  private readonly positions: number[] = [];
  private next = 0;
  private unsafe = false;
  private tag = '';
  private attribute = '';
  private rawContent = '';
  private pendingUrl = false;

  constructor(literals: readonly string[], outputs: readonly SimpleOutput[]) {
    this.html = literals.join('a');
    this.outputs = outputs;
    let at = 0;
    for (const literal of literals.slice(0, -1)) {
      at += literal.length;
      this.positions.push(at++);
    }
  }

  allSafe(): boolean {
    return !this.unsafe && this.next === this.positions.length;
  }

  ontext(start: number, end: number): void {
    const { next } = this;
    this.pass(start, end);
    if (this.next > next && this.rawContent !== '') this.unsafe = true;
  }

  onopentagname(start: number, end: number): void {
    this.refuse(start, end);
    this.tag = this.html.slice(start, end).toLowerCase();
  }

  onopentagend(): void {
    if (RAW_CONTENT.test(this.tag)) this.rawContent = this.tag;
  }

  onclosetag(start: number, end: number): void {
    this.refuse(start, end);
    if (this.html.slice(start, end).toLowerCase() === this.rawContent) this.rawContent = '';
  }

  onattribname(start: number, end: number): void {
    this.refuse(start, end);
    this.attribute = this.html.slice(start, end).toLowerCase();
  }

  onattribdata(start: number, end: number): void {
    const output = this.outputs[this.next];
    const isWhole = start === this.positions[this.next] && end === start + 1;
    const isUrl = output?.isSystemUrl === true && this.tag === 'a' && this.attribute === 'href';
    if (!isWhole || !isUrl) {
      this.refuse(start, end);
      return;
    }
    this.pass(start, end);
    this.pendingUrl = true;
  }

  onattribend(quote: QuoteType): void {
    if (this.pendingUrl && quote !== QuoteType.Double && quote !== QuoteType.Single) this.unsafe = true;
    this.pendingUrl = false;
  }

  oncomment(start: number, end: number): void {
    this.refuse(start, end);
  }

  oncdata(start: number, end: number): void {
    this.refuse(start, end);
  }

  ondeclaration(start: number, end: number): void {
    this.refuse(start, end);
  }

  onprocessinginstruction(start: number, end: number): void {
    this.refuse(start, end);
  }

  onselfclosingtag(): void {
    this.tag = '';
  }

  onattribentity(): void {
    // Entities are not decoded here.
  }

  ontextentity(): void {
    // Entities are not decoded here.
  }

  onend(): void {
    // Outputs not found by now were not parsed as text and count as unsafe.
  }

  private pass(start: number, end: number): void {
    while (this.next < this.positions.length) {
      const position = this.positions[this.next] ?? 0;
      if (position < start || position >= end) break;
      this.next++;
    }
  }

  private refuse(start: number, end: number): void {
    const { next } = this;
    this.pass(start, end);
    if (this.next > next) this.unsafe = true;
  }
}
