import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/**
 * What is downloaded besides packages, whose lock file has their hashes: SHA-256 sums of the official archives, by platform. The
 * other ways to get the same programs check sums of their own (Go's checksum database, apt's signatures).
 *
 * @type {{ temporal: { version: string, sha256: Readonly<Record<string, string>> } }}
 */
export const downloads = {
  temporal: {
    // Newer releases cannot be built with `go install`: their go.mod replaces a module with a local folder.
    version: '1.5.1',
    sha256: {
      darwin_amd64: 'bbb73e2a31135abe50a1f1cdb35030c42961df618e8ce9c60ae89f201540c5d9',
      darwin_arm64: 'cca01b7ea35ad56e2a328d9ae596bf716bd22313ef63c7a761c88354457c2415',
      linux_amd64: 'ddc95e08b0b076efd4ea9733a3f488eb7d2be875f8834e616cd2a37358b4852d',
      linux_arm64: 'bd1b0db9f18b051026de8bf6cc1505f2510f14bbb7a8b9a4a91fff46c77454f5',
    },
  },
};

/** A download that is not what was pinned: nothing else is tried, because somebody may have replaced it. */
export class WrongSum extends Error {}

/**
 * Writes a download to a file, and removes it again unless it has the pinned sum.
 *
 * @param {NonNullable<Response['body']>} body
 * @param {{ url: string, sha256: string, file: string, signal?: AbortSignal | undefined }} wanted
 * @returns {Promise<void>}
 * @throws {WrongSum} naming both sums
 */
export async function savePinned(body, { url, sha256, file, signal }) {
  const hash = createHash('sha256');
  const hashing = new Transform({
    transform(chunk, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  await pipeline(
    Readable.fromWeb(/** @type {import('node:stream/web').ReadableStream} */ (body)),
    hashing,
    createWriteStream(file),
    { ...(signal ? { signal } : {}) },
  );
  const sum = hash.digest('hex');
  if (sum === sha256) return;
  await rm(file, { force: true });
  throw new WrongSum(
    `${url} has the SHA-256 sum ${sum}, but ${sha256} is pinned in tooling/local/src/pinned-download.mjs. The download was discarded.`,
  );
}

/** The server that the development server of the version above contains: for those who run its roles as processes of their own. */
export const temporalServerVersion = '1.29.1';
