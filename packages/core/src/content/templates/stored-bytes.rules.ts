interface Texts {
  subject?: string | undefined;
  body?: string | undefined;
  text?: string | null | undefined;
  design?: unknown;
}

/** What the texts of a template, campaign or block take of the storage (behaviour B8.7); what is absent takes nothing. */
export const bytesOfTexts = ({ subject = '', body = '', text, design }: Texts): number =>
  Buffer.byteLength(subject) +
  Buffer.byteLength(body) +
  Buffer.byteLength(text ?? '') +
  (design ? Buffer.byteLength(JSON.stringify(design)) : 0);
