import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';

const JSON_SCRIPT = 'application/ld+json';

/**
 * Follows HTML while it is written and knows whether its end is the content of `<script type="application/ld+json">`.
 * What was written decides, not the source: the branches and loops of a template may open and close anything.
 */
export class ScriptWatch implements TokenizerCallbacks {
  isInJson = false;
  private readonly tokenizer = new Tokenizer({ decodeEntities: false }, this);
  private chunk = '';
  private chunkStart = 0;
  private tag = '';
  private attribute = '';
  /** null until the tag has a `type`; only the first one counts. */
  private type: string | null = null;
  private isTypeRead = false;

  write(html: string): void {
    if (html === '') return;
    this.chunkStart += this.chunk.length;
    this.chunk = html;
    this.tokenizer.write(html);
  }

  /** Names that were not written at once are unknown, so that nothing is taken for a script that is not one as a whole. */
  private read(start: number, end: number): string {
    if (start < this.chunkStart) return '';
    return this.chunk.slice(start - this.chunkStart, end - this.chunkStart).toLowerCase();
  }

  onopentagname(start: number, end: number): void {
    this.isInJson = false;
    this.tag = this.read(start, end);
    this.type = null;
    this.isTypeRead = false;
  }

  onattribname(start: number, end: number): void {
    this.attribute = this.read(start, end);
  }

  onattribdata(start: number, end: number): void {
    if (this.attribute === 'type' && !this.isTypeRead) this.type = (this.type ?? '') + this.read(start, end);
  }

  onattribend(): void {
    if (this.attribute === 'type') this.isTypeRead = true;
  }

  onopentagend(): void {
    this.isInJson = this.tag === 'script' && this.type?.trim() === JSON_SCRIPT;
  }

  onselfclosingtag(): void {
    this.isInJson = false;
  }

  onclosetag(): void {
    this.isInJson = false;
  }

  ontext(): void {
    // Text changes nothing.
  }

  oncomment(): void {
    // A comment changes nothing.
  }

  oncdata(): void {
    // Nor does this.
  }

  ondeclaration(): void {
    // Nor does this.
  }

  onprocessinginstruction(): void {
    // Nor does this.
  }

  onattribentity(): void {
    // Entities are not decoded here.
  }

  ontextentity(): void {
    // Entities are not decoded here.
  }

  onend(): void {
    // The end is never announced.
  }
}
