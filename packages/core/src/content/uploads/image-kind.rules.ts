/** The image formats that mail programs show. SVG is not among them: it can contain scripts. */
export const imageKinds = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/gif': 'gif',
  'image/webp': 'webp',
} as const;

export type ImageKind = keyof typeof imageKinds;

const startsWith = (bytes: Buffer, text: string, at = 0): boolean =>
  bytes.toString('latin1', at, at + text.length) === text;

/** The format of an image by its first bytes; null for anything else. */
export function imageKindOf(bytes: Buffer): ImageKind | null {
  if (startsWith(bytes, '\xff\xd8\xff')) return 'image/jpeg';
  if (startsWith(bytes, '\x89PNG\r\n\x1a\n')) return 'image/png';
  if (startsWith(bytes, 'GIF87a') || startsWith(bytes, 'GIF89a')) return 'image/gif';
  if (startsWith(bytes, 'RIFF') && startsWith(bytes, 'WEBP', 8)) return 'image/webp';
  return null;
}

/** Whether a declared type is one of the formats; `image/jpg` is a common name for JPEG. */
export const isImageType = (type: string): boolean => type === 'image/jpg' || Object.hasOwn(imageKinds, type);
