import type { Readable } from 'node:stream';
import type { Services } from '../../base/kernel/index.ts';
import { type ImageKind, imageKinds } from './image-kind.rules.ts';

/** The image of a key, where this installation serves images itself; null for anything else. */
export async function servedImage(
  { files }: Services,
  key: string,
): Promise<{ bytes: Readable; contentType: ImageKind } | null> {
  const extension = key.split('.')[1];
  const kind = Object.entries(imageKinds).find(([, each]) => each === extension)?.[0] as
    | ImageKind
    | undefined;
  const bytes = kind && (await files.open(key));
  return bytes ? { bytes, contentType: kind } : null;
}
