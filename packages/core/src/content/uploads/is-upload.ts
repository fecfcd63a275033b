import type { Services } from '../../base/kernel/index.ts';
import { imageKinds } from './image-kind.rules.ts';

const keyAtEnd = new RegExp(`/([0-9a-f]{32}[.](?:${Object.values(imageKinds).join('|')}))$`);

/** Whether an address is that of an image stored by this installation: now, or on its disk before it had S3. */
export function isUpload({ files, config }: Pick<Services, 'files' | 'config'>, url: string): boolean {
  const key = keyAtEnd.exec(url)?.[1];
  return key !== undefined && (url === files.urlOf(key) || url === `${config.API_URL}/uploads/${key}`);
}
