import { createHash } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { BuiltSite } from './build-site.ts';
import type { SiteFile } from './site-file.ts';

/** What the api reads at its start: a file for each address. */
export interface ManifestEntry {
  /** in the folder of the site; compressed copies are beside it as `.br` and `.gz` */
  file: string;
  type: string;
  /** hash of the content */
  hash: string;
  immutable: boolean;
  compressed: boolean;
}

const br = promisify(brotliCompress);
const gz = promisify(gzip);

/** Formats that are compressed themselves. */
const isCompressed = ({ type }: SiteFile): boolean => type === 'font/woff2';

/** Writes the site as a whole: a folder that was there before is replaced at the end. */
export async function writeSite({ files, notFound }: BuiltSite, folder: string): Promise<void> {
  const draft = `${folder}.new`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { recursive: true });
  const all = new Map(files);
  all.set('/docs/404', { type: 'text/html; charset=utf-8', body: Buffer.from(notFound), immutable: false });
  const manifest: Record<string, ManifestEntry> = {};
  for (const [address, file] of all) {
    const name = nameOf(address, file);
    const path = join(draft, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, file.body);
    if (!isCompressed(file)) {
      await Promise.all([
        br(file.body, {
          params: {
            [constants.BROTLI_PARAM_QUALITY]: 9,
            [constants.BROTLI_PARAM_SIZE_HINT]: file.body.length,
          },
        }).then((body) => writeFile(`${path}.br`, body)),
        gz(file.body, { level: 9 }).then((body) => writeFile(`${path}.gz`, body)),
      ]);
    }
    manifest[address] = {
      file: name,
      type: file.type,
      hash: createHash('sha256').update(file.body).digest('base64url').slice(0, 24),
      immutable: file.immutable,
      compressed: !isCompressed(file),
    };
  }
  await writeFile(join(draft, 'manifest.json'), JSON.stringify(manifest));
  await rm(folder, { recursive: true, force: true });
  await rename(draft, folder);
}

function nameOf(address: string, { type }: SiteFile): string {
  const path = address === '/docs' ? 'index' : address.replace(/^\/(docs\/)?/, '');
  return type.startsWith('text/html') ? `${path}.html` : path;
}
