import PostalMime, { type Email } from 'postal-mime';

export interface MailContent {
  headers: { name: string; value: string }[];
  html: string | null;
  text: string | null;
  attachments: MailAttachment[];
}

export interface MailAttachment {
  index: number;
  filename: string;
  mimeType: string;
  /** Bytes. */
  size: number;
  /** Without angle brackets; null when the part has none. */
  contentId: string | null;
  disposition: string | null;
  content: Buffer;
}

/** Parses a stored message. Done when it is viewed, so that receiving stays cheap. */
export async function readMessage(raw: Buffer): Promise<MailContent> {
  const email: Email = await PostalMime.parse(raw, { attachmentEncoding: 'arraybuffer' });
  return {
    headers: email.headers.map(({ originalKey, value }) => ({ name: originalKey, value })),
    html: email.html ?? null,
    text: email.text ?? null,
    attachments: email.attachments.map((attachment, index) => {
      const content = toBuffer(attachment.content);
      return {
        index,
        filename: attachment.filename ?? `attachment-${index + 1}`,
        mimeType: attachment.mimeType,
        size: content.length,
        contentId: attachment.contentId?.replace(/^<|>$/g, '') ?? null,
        disposition: attachment.disposition,
        content,
      };
    }),
  };
}

/** The HTML with its `cid:` images inlined, since a sandboxed frame may not request them from this server. */
export function withInlineImages({ html, attachments }: MailContent): string {
  const images = new Map(
    attachments.flatMap((one) => (one.contentId === null ? [] : [[one.contentId, one] as const])),
  );
  return (html ?? '').replaceAll(/cid:([^"'\s)>]+)/g, (whole, id: string) => {
    const image = images.get(decodeURIComponent(id));
    return image ? `data:${image.mimeType};base64,${image.content.toString('base64')}` : whole;
  });
}

function toBuffer(content: ArrayBuffer | Uint8Array | string): Buffer {
  if (typeof content === 'string') return Buffer.from(content);
  return content instanceof ArrayBuffer ? Buffer.from(content) : Buffer.from(content);
}
