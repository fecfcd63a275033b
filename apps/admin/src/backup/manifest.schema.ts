import { z } from 'zod';

/** The file that is written last: a folder without it holds no complete backup. */
export const manifestFile = 'manifest.json';

/** Written beside it by a verification that found nothing. */
export const verifiedFile = 'verified.json';

export const backupFormat = 'postrider-backup';

/** Of the manifest and the folder. A later one is refused; 2 is that of a base. */
export const formatVersion = 2;

/** The folders of a dump, of a base, and of the uploads of both. */
export const dumpFolder = 'dump';
export const baseFolder = 'base';
export const uploadsFolder = 'uploads';

/** What is read before anything else: later versions keep it. */
export const manifestHead = z.object({ format: z.literal(backupFormat), version: z.int() });

const isoDate = z.iso.datetime();

/** A path within the backup. */
const partName = z
  .string()
  .refine(
    (name) =>
      !name.includes('\0') && name.split('/').every((part) => part !== '' && part !== '.' && part !== '..'),
    'must be the path of a file in the backup',
  );

const common = manifestHead.extend({
  /** version of the product that made it */
  product: z.string(),
  /** its last migration */
  schema: z.string(),
  epoch: z.int(),
  /** version of the PostgreSQL that it was read from */
  postgres: z.int(),
  /** what was committed until then is in it */
  dataUntil: isoDate,
  /** the secrets that its ciphertexts and tokens were made with */
  secretIds: z.array(z.object({ id: z.string(), check: z.string() })),
  /** where the uploads are: in this folder, and with S3 also in the bucket */
  uploads: z.object({ files: z.int(), bucket: z.string().nullable() }),
  parts: z.array(z.object({ name: partName, bytes: z.int(), sha256: z.string() })),
});

const dump = common.extend({ kind: z.literal('dump') });

const base = common.extend({
  kind: z.literal('base'),
  /** of the server, a number of 64 bits */
  systemId: z.string(),
  /** the timeline, and the place in its WAL, up to which the server of the copy has to replay before it is consistent */
  timeline: z.int(),
  lsn: z.string().regex(/^[0-9A-F]{1,8}\/[0-9A-F]{1,8}$/),
  /** the database of the installation, its user, and one with all rights */
  database: z.string(),
  role: z.string(),
  superuser: z.string(),
});

export const manifest = z.discriminatedUnion('kind', [dump, base]);

export type Manifest = z.output<typeof manifest>;
export type BaseManifest = z.output<typeof base>;
export type Part = Manifest['parts'][number];

export const verification = z.object({ at: isoDate, product: z.string() });
