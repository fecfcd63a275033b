import { z } from 'zod';

/** The file that is written last: a folder without it holds no complete backup. */
export const manifestFile = 'manifest.json';

/** Written beside it by a verification that found nothing. */
export const verifiedFile = 'verified.json';

export const backupFormat = 'postrider-backup';

/** Of the manifest and the folder. A later one is refused. */
export const formatVersion = 1;

/** The folder of the dump and that of the uploads. */
export const dumpFolder = 'dump';
export const uploadsFolder = 'uploads';

/** What is read before anything else: later versions keep it. */
export const manifestHead = z.object({ format: z.literal(backupFormat), version: z.int() });

const isoDate = z.iso.datetime();

export const manifest = manifestHead.extend({
  /** version of the product that made it */
  product: z.string(),
  /** its last migration */
  schema: z.string(),
  epoch: z.int(),
  kind: z.literal('dump'),
  /** version of the PostgreSQL that it was read from */
  postgres: z.int(),
  /** what was committed until then is in it */
  dataUntil: isoDate,
  /** the secrets that its ciphertexts and tokens were made with */
  secretIds: z.array(z.object({ id: z.string(), check: z.string() })),
  /** where the uploads are: in this folder, and with S3 also in the bucket */
  uploads: z.object({ files: z.int(), bucket: z.string().nullable() }),
  parts: z.array(z.object({ name: z.string(), bytes: z.int(), sha256: z.string() })),
});

export type Manifest = z.output<typeof manifest>;
export type Part = Manifest['parts'][number];

export const verification = z.object({ at: isoDate, product: z.string() });
